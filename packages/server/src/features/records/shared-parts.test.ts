import { type ConnectorRecord, parseElements, SharedParts } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, inBulkTransaction } from '../../platform/db/pool.ts';
import { newestDocuments, readDocuments } from '../../testing/read-documents.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import {
  deleteRecords,
  forgetUndo,
  forgetUnusedParts,
  keepParts,
  overRecords,
  type RecordSource,
  readChange,
  removeRecords,
  undoSync,
  type WriteCounts,
  type WriteTarget,
  writeRecords,
} from './index.ts';

let db: Database;
let close: (() => Promise<void>) | undefined;
let source: RecordSource;
let parts: SharedParts;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());
beforeEach(() => {
  source = { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity: 'gh-pulls' };
  parts = new SharedParts();
});

const OWNER = sql`select 1`;
const run = (): WriteTarget => ({ ...source, scope: 'a', syncId: crypto.randomUUID() });
const big = (id: number, note = '') => ({
  id,
  note,
  url: 'https://example.org/'.repeat(150),
  text: '😀é\\"',
});

interface Document {
  id: number;
  [key: string]: unknown;
}

/** Records as a connector brings them: what earlier ones held is recognised. */
async function recordsOf(documents: Document[]): Promise<ConnectorRecord[]> {
  const read = (element: unknown, data: Buffer, shared: ConnectorRecord['shared']): ConnectorRecord => ({
    id: String((element as Document).id),
    occurredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, (element as Document).id)),
    data,
    facets: {},
    shared: shared ?? [],
  });
  return (await parseElements(Buffer.from(JSON.stringify(documents)), read, parts)) ?? [];
}

async function write(target: WriteTarget, documents: Document[]): Promise<WriteCounts> {
  const records = await recordsOf(documents);
  await keepParts(db, target, records, OWNER);
  return inBulkTransaction(db, (tx) => writeRecords(tx, target, records));
}

/** What the product reads of it, by id. */
async function whole(): Promise<unknown[]> {
  return (await newestDocuments(db, source)).reverse();
}

async function storedParts(): Promise<number> {
  const { rows } = await db.execute(sql`select 1 from record_parts where user_id = ${source.userId}`);
  return rows.length;
}

/** Bytes of documents and parts. */
async function storedBytes(): Promise<number> {
  const { rows } = await db.execute<{ bytes: number }>(sql`
    select (select coalesce(sum(length(data)), 0) from records where user_id = ${source.userId})::int
      + (select coalesce(sum(length(text)), 0) from record_parts where user_id = ${source.userId})::int as bytes`);
  return rows[0]?.bytes ?? 0;
}

/** As if the parts had been met last so long ago. */
async function age(days: number): Promise<void> {
  await db.execute(sql`
    update record_parts set used_at = now() - make_interval(days => ${days}) where user_id = ${source.userId}`);
}

describe('documents with shared parts', () => {
  test('are stored once, and read as they came', async () => {
    const documents = Array.from({ length: 30 }, (_, id) => ({
      id,
      repo: big(1),
      head: { repo: big(id % 3) },
    }));
    expect(await write(run(), documents)).toMatchObject({ added: 30 });
    expect(await whole()).toEqual(documents);
    expect(await storedParts()).toBe(3);
    // The first of a kind is stored where it was met.
    expect(await storedBytes()).toBeLessThan(0.3 * JSON.stringify(documents).length);
    expect(await readDocuments(db, source)).toEqual(documents);
    const inner = await db.execute<{ note: string; text: string }>(
      overRecords(source, sql`select data->'head'->'repo'->>'text' as text from r`),
    );
    expect(new Set(inner.rows.map(({ text }) => text))).toEqual(new Set(['😀é\\"']));
  });

  test('are unchanged whether their parts are recognised or not', async () => {
    const documents = [1, 2].map((id) => ({ id, repo: big(1) }));
    await write(run(), documents);
    parts = new SharedParts();
    expect(await write(run(), documents)).toEqual({ added: 0, updated: 0, unchanged: 2 });
    expect(await write(run(), documents)).toEqual({ added: 0, updated: 0, unchanged: 2 });
  });

  test('may hold one part many times, and more than there are marks for', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, big(index)]));
    const documents = [1, 2].map((id) => ({ id, ...many, again: [big(3), big(3), big(39)] }));
    await write(run(), documents);
    expect(await whole()).toEqual(documents);
  });

  test('are stored whole where the database takes them only when they are written anew', async () => {
    const documents = [1, 2, 3].map((id) => ({ id, nul: 'a\0b', repo: big(1) }));
    await write(run(), documents);
    expect(await whole()).toEqual(documents.map((one) => ({ ...one, nul: 'a\ufffdb' })));
  });

  test('change, leave and come back by undo as they were', async () => {
    const before = [1, 2, 3].map((id) => ({ id, repo: big(1) }));
    await write(run(), before);
    const second = run();
    const after = [
      { id: 1, repo: big(1, 'new') },
      { id: 2, title: 'new', repo: big(1, 'new') },
    ];
    expect(await write(second, after)).toMatchObject({ updated: 2 });
    await inBulkTransaction(db, (tx) => removeRecords(tx, second, ['3']));
    expect(await whole()).toEqual(after);
    const logged = { id: second.syncId, later: [] };
    expect(await readChange(db, source, logged, '2')).toEqual({
      kind: 'updated',
      before: before[1],
      after: after[1],
    });
    await db.transaction((tx) => undoSync(tx, source, second.syncId));
    expect(await whole()).toEqual(before);
  });

  test('are never read in part: one whose part is gone is an error', async () => {
    await write(
      run(),
      [1, 2].map((id) => ({ id, repo: big(1) })),
    );
    await db.execute(sql`delete from record_parts where user_id = ${source.userId}`);
    await expect(whole()).rejects.toThrow();
  });

  test('of another user or connection are not looked at', async () => {
    await write(
      run(),
      [1, 2].map((id) => ({ id, repo: big(1) })),
    );
    const mine = source;
    source = { ...mine, connectionId: crypto.randomUUID() };
    await write(
      run(),
      [1, 2].map((id) => ({ id, repo: big(1) })),
    );
    await deleteRecords(db, { accountId: mine.userId, connectionId: mine.connectionId });
    expect(await whole()).toHaveLength(2);
    expect(await storedParts()).toBe(1);
    await deleteRecords(db, { accountId: source.userId, connectionId: null });
    expect(await storedParts()).toBe(0);
  });

  test('come in on two pages at once', async () => {
    const target = run();
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) =>
        recordsOf([1, 2, 3].map((n) => ({ id: 10 * page + n, a: big(n), b: big(4 - n), repo: big(9) }))),
      ),
    );
    await Promise.all(pages.map((records) => keepParts(db, target, records, OWNER)));
    for (const records of pages) await inBulkTransaction(db, (tx) => writeRecords(tx, target, records));
    expect(await whole()).toHaveLength(12);
  });
});

describe('parts that nobody needs', () => {
  test('are not stored when their owner is gone', async () => {
    const records = await recordsOf([1, 2].map((id) => ({ id, repo: big(1) })));
    await keepParts(db, source, records, sql`select 1 where false`);
    expect(await storedParts()).toBe(0);
  });

  test('are forgotten, after a day', async () => {
    const first = run();
    await write(
      first,
      [1, 2].map((id) => ({ id, repo: big(1) })),
    );
    const second = run();
    const now = [1, 2].map((id) => ({ id, repo: big(1, 'new') }));
    await write(second, now);
    expect(await storedParts()).toBe(2);
    await age(2);
    // The undo log still refers to the old one.
    await forgetUnusedParts(db);
    expect(await storedParts()).toBe(2);
    await forgetUndo(db, source.userId, second.syncId);
    // Both were looked at just now.
    await forgetUnusedParts(db);
    expect(await storedParts()).toBe(2);
    await age(2);
    await forgetUnusedParts(db);
    expect(await storedParts()).toBe(1);
    expect(await whole()).toEqual(now);
  });

  test('stay when a run meets them again in time', async () => {
    const documents = [1, 2].map((id) => ({ id, repo: big(1) }));
    await write(run(), documents);
    await deleteRecords(db, { accountId: crypto.randomUUID(), connectionId: null });
    await db.execute(sql`delete from records where user_id = ${source.userId}`);
    await age(2);
    parts = new SharedParts();
    await keepParts(db, source, await recordsOf(documents), OWNER);
    await forgetUnusedParts(db);
    expect(await storedParts()).toBe(1);
  });
});
