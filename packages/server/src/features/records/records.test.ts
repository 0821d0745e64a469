import type { ConnectorRecord, JsonObject } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newestDocuments } from '../../../test-support/read-documents.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import { deleteRecords } from '../deletion/index.ts';
import {
  countListed,
  countScope,
  dataVersion,
  deleteListedIds,
  exampleRecords,
  oldestInScope,
  openRecords,
  recordSetOf,
  removeRecords,
  removeUnlisted,
  trimScope,
  undoSync,
  type WriteCounts,
  type WriteTarget,
  withRecords,
  writeRecords,
} from './index.ts';

let db: Database;
let close: () => Promise<void>;
let source: { userId: string; connectionId: string; entity: string };

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());
beforeEach(() => {
  source = { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity: TEST_ENTITY.id };
});

/** Returns the records of the source as a set that is read. */
const setOf = ({ userId, connectionId }: typeof source) =>
  recordSetOf(userId, TEST_ENTITY, [{ connectionId, account: 'ada' }]);

/** Returns the write target of a new run. */
function run(scope = 'a'): WriteTarget {
  return { ...source, scope, syncId: crypto.randomUUID() };
}

function record(id: string, value: unknown = 1, minute = 0): ConnectorRecord {
  return testRecord({
    id,
    occurredAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    data: { id, value } as ConnectorRecord['data'],
    columns: { title: id },
  });
}

/** Writes a page in its own transaction. */
function write(target: WriteTarget, records: ConnectorRecord[]): Promise<WriteCounts> {
  return inBulkTransaction(db, (tx) => writeRecords(tx, target, { entity: TEST_ENTITY, records }));
}

/** Reads all stored rows of the source, in a comparable form. */
async function stored(): Promise<unknown[]> {
  const { userId, connectionId } = source;
  const { rows } = await db.execute(sql`
    select *, data::text as document from test_things
    where user_id = ${userId} and connection_id = ${connectionId} order by id`);
  expect((await dataVersion(db, source)).records).toBe(rows.length);
  return rows;
}

async function version(): Promise<number> {
  return (await dataVersion(db, source)).version;
}

async function ids(): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    withRecords(setOf(source), sql`select id from test_things order by id`),
  );
  return rows.map(({ id }) => id);
}

describe('writeRecords', () => {
  it('counts added, updated and unchanged records', async () => {
    expect(await write(run(), [record('1'), record('2')])).toEqual({
      added: 2,
      updated: 0,
      unchanged: 0,
    });
    expect(await write(run(), [record('1'), record('2', 2), record('3')])).toEqual({
      added: 1,
      updated: 1,
      unchanged: 1,
    });
    const results = await newestDocuments(db, source);
    expect(results).toContainEqual({ id: '2', value: 2 });
  });

  it('stores the later of two records with the same id in a page', async () => {
    const target = run();
    expect(await write(target, [record('1', 'early'), record('1', 'late')])).toEqual({
      added: 1,
      updated: 0,
      unchanged: 0,
    });
    expect(await newestDocuments(db, source)).toEqual([{ id: '1', value: 'late' }]);
    expect(await countListed(db, target)).toBe(1);
  });

  it('counts no record twice when the run repeats a page, as after a kill', async () => {
    const target = run();
    await write(target, [record('1'), record('2')]);
    const before = await stored();
    expect(await write(target, [record('1'), record('2')])).toEqual({
      added: 0,
      updated: 0,
      unchanged: 0,
    });
    expect(await stored()).toEqual(before);
  });

  it('changes nothing for an empty page', async () => {
    expect(await write(run(), [])).toEqual({ added: 0, updated: 0, unchanged: 0 });
    expect(await version()).toBe(0);
  });

  it('stores NUL, lone surrogates, extreme dates and large texts', async () => {
    const odd = 'a\u0000b \ud83d c "\\u0000" 😀';
    const far = { ...record('far'), occurredAt: new Date('9999-12-31T23:59:59Z') };
    const old = { ...record('old'), occurredAt: new Date('0001-01-01T00:00:00Z') };
    const large = record('large', 'x'.repeat(1_000_000));
    await write(run(), [record('odd', odd), far, old, large]);
    const results = await newestDocuments(db, source);
    expect(results).toHaveLength(4);
    expect(results[0]).toMatchObject({ id: 'far' });
    expect(results.at(-1)).toMatchObject({ id: 'old' });
    const read = results.find((row) => (row as { id: string }).id === 'odd') as { value: string };
    expect(read.value).toMatch(/^a\ufffdb /);
    expect(read.value).toContain('😀');
  });

  it('stores columns of each type', async () => {
    const columns = {
      title: 'a\u0000b \ud83d 😀',
      total: -2_147_483_648,
      bytes: Number.MAX_SAFE_INTEGER,
      share: 0.1,
      unread: false,
      seen_at: new Date('2026-01-02T03:04:05.678Z'),
      labels: ['', 'x\ud83d', '"{,}\\'],
    };

    await write(run(), [
      { ...record('1'), columns },
      { ...record('2'), columns: { ...record('2').columns, labels: [] } },
    ]);
    await write(run(), [{ ...record('3', 'as it was'), columns }]);
    await write(run(), [{ ...record('3', 'changed'), columns }]);

    const expected = {
      ...columns,
      title: 'a\ufffdb \ufffd 😀',
      bytes: String(columns.bytes),
      seen_at: '2026-01-02 03:04:05.678+00',
      labels: ['', 'x\ufffd', '"{,}\\'],
    };
    expect(await stored()).toMatchObject([expected, { labels: [], total: null, seen_at: null }, expected]);
  });

  it('stores a document byte for byte except for NUL', async () => {
    const written = '{ "id": 1.50,  "path": "C:\\\\u0000", "nul": "a\\u0000b" }';
    await write(run(), [{ ...record('1'), data: Buffer.from(written) }]);
    const { rows } = await db.execute(sql`
      select data::text as text from test_things where user_id = ${source.userId} and id = '1'`);
    expect(rows).toEqual([{ text: written.replace('a\\u0000b', 'a\ufffdb') }]);
  });

  it.each([
    ['\\ud83d', '\\ufffd', 'the first half of a pair alone'],
    ['\\uDE00!', '\\ufffd!', 'the second half alone'],
    ['\\ude00\\ud83d', '\\ufffd\\ufffd', 'halves the wrong way round'],
    ['\\ud83d\\ud83d\\ude00', '\\ufffd\\ud83d\\ude00', 'a half before a pair'],
    ['\\ud83d\\n\\ude00', '\\ufffd\\n\\ufffd', 'halves apart'],
    ['\\\\\\ud83d\\\\ud83d', '\\\\\\ufffd\\\\ud83d', 'behind escaped backslashes'],
  ])('stores %s as %s (%s), which all JSON functions can read', async (written, stored) => {
    const json = (text: string) => `{ "key${text}":  1.50, "path": "C:\\\\ud83d", "pair": "\\uD83D\\uDE00" }`;
    await write(run(), [{ ...record('1'), data: Buffer.from(json(written)) }]);
    const { rows } = await db.execute(sql`
      select data::text as text, data->>'pair' as pair, data::jsonb->>'path' as path, (select count(*)::int from json_each_text(data)) as keys
      from test_things where user_id = ${source.userId} and id = '1'`);
    expect(rows).toEqual([
      { text: json(stored.replaceAll('\\ufffd', '\ufffd')), pair: '😀', path: 'C:\\ud83d', keys: 3 },
    ]);
  });

  it('replaces NUL and lone surrogates in ids by U+FFFD', async () => {
    const malformed = record('a\u0000b\ud83d');
    expect(await write(run(), [malformed, record('2')])).toMatchObject({ added: 2 });
    expect(await write(run(), [malformed])).toMatchObject({ unchanged: 1 });
    expect(await ids()).toEqual(['2', 'a\ufffdb\ufffd']);
  });

  it('increases the data version with each change only', async () => {
    await write(run(), [record('1')]);
    const first = await version();
    await write(run(), [record('1')]);
    expect(await version()).toBe(first);
    await write(run(), [record('1', 2)]);
    expect(await version()).toBeGreaterThan(first);
  });

  it('does not affect the records of other users', async () => {
    await write(run(), [record('1')]);
    const other = { ...run(), userId: crypto.randomUUID() };
    expect(await write(other, [record('1', 'theirs')])).toMatchObject({ added: 1 });
    expect(await removeRecords(db, { ...other, connectionId: crypto.randomUUID() }, ['1'])).toMatchObject({
      count: 0,
    });
    await deleteRecords(db, { accountId: other.userId, connectionId: null });
    expect(await ids()).toEqual(['1']);
  });
});

describe('a scope', () => {
  it('keeps its records when another scope is listed completely', async () => {
    await write(run('a'), [record('1'), record('2')]);
    await write(run('b'), [record('3'), record('4')]);
    const again = run('a');
    await write(again, [record('2')]);
    expect(await removeUnlisted(db, again)).toMatchObject({ count: 1 });
    expect(await ids()).toEqual(['2', '3', '4']);
  });

  it('keeps a shared record until its last scope removes it', async () => {
    await write(run('a'), [record('1'), record('2')]);
    const second = run('b');
    expect(await write(second, [record('2'), record('3')])).toMatchObject({
      added: 1,
      unchanged: 1,
    });
    expect([await countScope(db, run('a')), await countScope(db, run('b'))]).toEqual([2, 2]);
    expect(await removeRecords(db, run('a'), ['1', '2', 'never'])).toMatchObject({ count: 2 });
    expect(await ids()).toEqual(['2', '3']);
    expect(await removeRecords(db, run('b'), ['2'])).toMatchObject({ count: 1 });
    expect(await ids()).toEqual(['3']);
  });

  it('contains a record once after its removal and return', async () => {
    await write(run(), [record('1')]);
    await removeRecords(db, run(), ['1']);
    await write(run(), [record('1')]);
    await write(run(), [record('1', 2)]);
    expect(await stored()).toMatchObject([{ scopes: ['a'] }]);
  });

  it('is trimmed to its newest records', async () => {
    const many = Array.from({ length: 7 }, (_, index) => record(`${index}`, 1, index));
    await write(run('a'), many);
    await write(run('b'), [many[0] as ConnectorRecord, record('other', 1, -9)]);

    expect(await trimScope(db, run('a'), 3)).toMatchObject({ count: 4 });
    expect(await countScope(db, run('a'))).toBe(3);
    expect(await ids()).toEqual(['0', '4', '5', '6', 'other']);
    expect(await trimScope(db, run('a'), 3)).toMatchObject({ count: 0 });
    expect([await oldestInScope(db, run('a')), await oldestInScope(db, run('b'))]).toEqual(
      [many[4], record('other', 1, -9)].map((one) => one?.occurredAt),
    );
    expect(await oldestInScope(db, run('nobody'))).toBeUndefined();

    await write(run('undated'), [{ ...record('label'), occurredAt: new Date(0) }]);
    expect(await oldestInScope(db, run('undated'))).toBeUndefined();
  });

  it('removes records that a restarted run does not list again', async () => {
    const target = run();
    await write(target, [record('1'), record('2')]);
    expect(await countListed(db, target)).toBe(2);

    const restarted = { ...target, isRestart: true };
    expect(await countListed(db, restarted)).toBe(0);
    // The record was already counted before the restart.
    expect(await write(restarted, [record('1')])).toEqual({ added: 0, updated: 0, unchanged: 0 });
    expect(await removeUnlisted(db, restarted)).toEqual({ count: 1, deleted: 1, added: 1, updated: 0 });
    expect(await ids()).toEqual(['1']);

    await undoSync(db, source, target.syncId);
    expect(await ids()).toEqual([]);
  });
});

describe('removeRecords', () => {
  it('distinguishes records that the run itself added and then removed', async () => {
    await write(run(), [record('kept'), record('changed'), record('shared')]);
    await write(run('b'), [record('shared')]);
    const target = run();
    await write(target, [record('changed', 2), record('shared', 2), record('new')]);
    expect(await removeRecords(db, target, ['kept', 'changed', 'shared', 'new'])).toEqual({
      count: 4,
      deleted: 3,
      added: 1,
      // The record in both scopes is still stored, with the update.
      updated: 1,
    });
  });
});

describe('deleteListedIds', () => {
  it('deletes the ids that a run has listed', async () => {
    await write(run(), [record('1')]);
    const target = run();
    await write(target, [record('1')]);
    expect(await countListed(db, target)).toBe(1);
    await deleteListedIds(db, target.userId, target.syncId);
    expect(await countListed(db, target)).toBe(0);
  });
});

describe('undoSync', () => {
  it('restores values, scopes and the runs that wrote them', async () => {
    await write(run('a'), [record('1'), record('2'), record('3')]);
    await write(run('b'), [record('3'), record('4')]);
    const before = await stored();

    const last = run('a');
    await write(last, [record('1', 'new'), record('4'), record('5')]);
    await write(last, [record('1', 'newer'), record('5', 'changed')]);
    await removeRecords(db, last, ['2']);
    await removeUnlisted(db, last);
    await trimScope(db, last, 1);

    expect(await stored()).not.toEqual(before);

    await undoSync(db, source, last.syncId);
    expect(await stored()).toEqual(before);
  });

  it('undoes runs one after another down to an empty store', async () => {
    const states = [await stored()];
    const runs: WriteTarget[] = [];
    for (let round = 0; round < 5; round++) {
      const target = run(round % 2 === 0 ? 'a' : 'b');
      runs.push(target);
      await write(target, [record('1', round), record(`${round}`, round), record('same')]);
      await removeRecords(db, target, [`${round - 2}`]);
      await trimScope(db, target, 3);
      states.push(await stored());
    }
    for (let round = 4; round >= 0; round--) {
      expect(await stored()).toEqual(states[round + 1]);
      await undoSync(db, source, (runs[round] as WriteTarget).syncId);
      expect(await stored(), `after undoing run ${round}`).toEqual(states[round]);
    }
  });

  it('restores a record that the run removed and added again', async () => {
    await write(run(), [record('1', 'old')]);
    const before = await stored();
    const last = run();
    await removeRecords(db, last, ['1']);
    await write(last, [record('1', 'new')]);
    await undoSync(db, source, last.syncId);
    expect(await stored()).toEqual(before);
  });

  it('ignores a record that the run added and removed', async () => {
    const last = run();
    await write(last, [record('1')]);
    await removeRecords(db, last, ['1']);
    await undoSync(db, source, last.syncId);
    expect(await stored()).toEqual([]);
  });

  it('creates no data version for a run that stored nothing', async () => {
    await undoSync(db, source, run().syncId);
    expect(await dataVersion(db, source)).toEqual({ version: 0, records: 0, extraction: undefined });
  });

  it('is idempotent, increases the version and keeps other runs', async () => {
    await write(run(), [record('1')]);
    const last = run();
    await write(last, [record('2')]);
    const earlier = await version();
    await undoSync(db, source, last.syncId);
    await undoSync(db, source, last.syncId);
    expect(await ids()).toEqual(['1']);
    expect(await version()).toBeGreaterThan(earlier);
  });

  it('deletes the undo log of its run and of no other', async () => {
    const runs = [run(), run()];
    for (const [round, target] of runs.entries())
      await write(target, [record('1', round), record(`of round ${round}`)]);
    await removeRecords(db, runs[0] as WriteTarget, ['of round 0']);
    const logged = async () => {
      const { rows } = await db.execute<{ sync: string }>(sql`
        select distinct sync_id as sync from (select user_id, sync_id from record_undo union all select user_id, sync_id from record_added) as logged
        where user_id = ${source.userId}`);
      return rows.map(({ sync }) => sync);
    };
    expect(await logged()).toHaveLength(2);

    await undoSync(db, source, runs[1]?.syncId ?? '');

    expect(await logged()).toEqual([runs[0]?.syncId]);
  });

  it('restores NUL and odd characters as they were stored', async () => {
    await write(run(), [record('1', 'a\u0000b \ud83d 😀')]);
    const before = await stored();
    const last = run();
    await write(last, [record('1', 'plain')]);
    await undoSync(db, source, last.syncId);
    expect(await stored()).toEqual(before);
  });
});

describe('exampleRecords', () => {
  it('prefers records with many distinct values, then the newest', async () => {
    const of = (one: ConnectorRecord, title: string, total: number, bytes = 0) => ({
      ...one,
      columns: { ...one.columns, title, total, bytes },
    });
    const bare = of(record('9', null, 3), '', 0);
    const rich = ['1', '2'].map((id, minute) => of(record(id, 1, minute), 'Travel', 4, 2));
    const same = of(record('5', 1, 2), 'UNREAD', 4, 4);
    await write(run(), [bare, same, ...rich]);
    const opened = await openRecords(db, setOf(source), { entity: TEST_ENTITY });
    const examples = (limit: number) => exampleRecords(db, opened, { entity: TEST_ENTITY, limit });
    const documents = [rich[1], rich[0], same, bare].map((one) => ({
      account: 'ada',
      ...(one?.data as JsonObject),
    }));
    expect(await examples(1)).toEqual({ results: documents.slice(0, 1), count: 4 });
    expect((await examples(9)).results).toEqual(documents);
  });
});
