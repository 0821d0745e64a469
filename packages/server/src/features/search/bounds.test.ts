import type { ColumnDefinition, ColumnValue } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRODUCT_ENTITIES } from '../../../test-support/product-entities.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { inBulkTransaction } from '../../platform/db/database.ts';
import { createLogger } from '../../platform/log.ts';
import {
  prepareRecordTables,
  type RecordSource,
  recordSetOf,
  withRecordsBefore,
  writeRecords,
} from '../records/index.ts';
import { type SearchedEntity, searchedEntities } from './entry.ts';
import { indexPending } from './index-older-records.ts';
import { pastEntries } from './past-entries.ts';
import { prepareSearch } from './triggers.ts';

const NOW = new Date('2026-11-26T00:00:00Z');
const log = createLogger('silent');

/** A search of the test entity that fails for records with a certain title. */
const FRAGILE = {
  ...TEST_ENTITY,
  search: {
    document: '"note" text',
    texts: { A: 'r.title', B: `(1 / case when d.note = 'bad' then 0 else 1 end)::text` },
    ...{ words: {}, names: {}, states: {} },
    ...{
      person: 'null',
      people: 'array[]::text[]',
      labels: 'r.labels',
      parts: 'r.title',
      excerpt: 'r.title',
    },
  },
} as unknown as SearchedEntity;

const ENTITIES = [...searchedEntities(PRODUCT_ENTITIES as SearchedEntity[]), FRAGILE];

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
  const client = await database.db.$client.connect();
  await prepareRecordTables(client, ENTITIES);
  await prepareSearch(client, ENTITIES);
  client.release();
});
afterAll(() => database?.close());

/** Code points from `first` to `last`, without those that PostgreSQL takes for punctuation. */
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** Alphabets, and after how many characters a blank follows. */
const SCRIPTS: Record<string, { letters: string[]; word: number }> = {
  'Chinese without blanks': { letters: [...range(0x3400, 0x4db5), ...range(0x4e00, 0x9fa5)], word: Infinity },
  'Chinese characters apart': { letters: range(0x4e00, 0x9fa5), word: 1 },
  'Korean without blanks': { letters: range(0xac00, 0xd7a3), word: Infinity },
  'Korean words': { letters: range(0xac00, 0xd7a3), word: 2 },
  'Yi words': { letters: range(0xa000, 0xa48c), word: 2 },
  'Yi letters apart': { letters: [...range(0xa000, 0xa48c), ...range(0x1401, 0x166c)], word: 1 },
  'Thai without blanks': { letters: range(0x0e01, 0x0e2e), word: Infinity },
  'Russian words': { letters: range(0x0430, 0x044f), word: 3 },
  'English words': { letters: range(0x61, 0x7a), word: 3 },
  'emoji without blanks': { letters: range(0x1f300, 0x1f64f), word: Infinity },
  'characters that become several letters': { letters: range(0x3380, 0x33df), word: 20 },
  'characters beyond the basic plane': { letters: range(0x20000, 0x2a6d6), word: 1 },
};

/** Returns texts of a script, in which hardly two pairs of characters are equal. */
function writer({ letters, word }: { letters: string[]; word: number }): (length: number) => string {
  const random = seededRandom(7);
  return (length) => {
    let text = 'и в не на the and of ';
    for (let index = 1; text.length < length; index++)
      text += `${letters[Math.floor(random() * letters.length)]}${index % word === 0 ? ' ' : ''}`;
    return text.slice(0, length).toWellFormed();
  };
}

/** Returns the largest value of a declared column. */
function largestColumn(
  { type, maxLength = 2000 }: ColumnDefinition,
  write: (length: number) => string,
): ColumnValue {
  if (type === 'text') return write(maxLength);
  if (type === 'text[]') return Array.from({ length: 1000 }, () => write(2000));
  if (type === 'boolean') return true;
  return type === 'timestamptz' ? NOW : 1;
}

/** Returns a document with the largest value of each field that the declaration reads. */
function largestDocument({ search }: SearchedEntity, write: (length: number) => string) {
  const members = [...JSON.stringify(search).matchAll(/, '(\w+)'\)/g)].map(([, name = '']) => name);
  const item = () =>
    Object.fromEntries(['name', 'address', ...members].map((name) => [name, write(300)] as const));
  const fields = [...search.document.matchAll(/"(\w+)" (\w+)/g)];
  return Object.fromEntries(
    fields.map(([, name = '', type]) => [
      name,
      type === 'json' ? Array.from({ length: 250 }, item) : write(250_000),
    ]),
  );
}

function newSource(entity: string): RecordSource {
  return { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity };
}

/** Stores records in a run. @returns its id */
async function write(
  source: RecordSource,
  entity: SearchedEntity,
  records: Parameters<typeof testRecord>[0][],
): Promise<string> {
  const target = { ...source, syncId: crypto.randomUUID(), scope: 'a', isRestart: false };
  await inBulkTransaction(database.db, (tx) =>
    writeRecords(tx, target, { entity, records: records.map((one) => ({ columns: {}, ...one })) }),
  );
  return target.syncId;
}

/** Returns the ids that the search finds by the word of their connection. */
async function indexed({ userId, connectionId }: RecordSource): Promise<string[]> {
  const { rows } = await database.db.execute<{ id: string }>(sql`
    select id from search_entries where user_id = ${userId}
      and terms @@ search_lexeme(${`connection:${connectionId}`}, false) order by id`);
  return rows.map(({ id }) => id);
}

describe('the words of a record', () => {
  const entities = ENTITIES.filter((entity) => entity !== FRAGILE);
  // Each script with an entity and each entity with a script; in the second tier each with all (BOUNDS=all).
  const scripts = Object.keys(SCRIPTS).length;
  const isTried = (entity: number, script: number) =>
    process.env.BOUNDS === 'all' || script === entity % scripts || script % entities.length === entity;
  const cases = entities.flatMap((entity, place) =>
    Object.entries(SCRIPTS)
      .filter((_, script) => isTried(place, script))
      .map(([script, letters]) => [entity.id, script, { entity, letters }] as const),
  );

  it.each(cases)('of %s fit in the index when all texts are largest (%s)', async (id, _, of) => {
    const { entity, letters } = of;
    const text = writer(letters);
    const source = newSource(id);
    const columns = Object.entries(entity.table.columns).map(
      ([name, column]) => [name, largestColumn(column, text)] as const,
    );
    const data = largestDocument(entity, text);
    const record = { occurredAt: NOW, columns: Object.fromEntries(columns) };
    await write(source, entity, [
      { id: 'largest', ...record, data },
      { id: 'largest HTML', ...record, data: { ...data, text: '' } },
    ]);
    expect(await indexed(source)).toEqual(['largest', 'largest HTML']);
  });
});

describe('a record that cannot be indexed', () => {
  const thing = (id: string, note: string) =>
    testRecord({ id, occurredAt: NOW, data: { note }, columns: { title: note, labels: [] } });
  const names = Array.from({ length: 20 }, (_, index) => `thing-${String(index).padStart(2, '0')}`);
  const without = (...bad: string[]) => names.filter((name) => !bad.includes(name));
  const stored = async ({ userId }: RecordSource) =>
    (await database.db.execute(sql`select id from test_things where user_id = ${userId}`)).rows.length;

  it('is stored, and the others of its page are found', async () => {
    const source = newSource(TEST_ENTITY.id);
    const notes = (bad: string[]) => names.map((name) => thing(name, bad.includes(name) ? 'bad' : name));
    await write(source, FRAGILE, notes(['thing-03', 'thing-19']));
    expect(await stored(source)).toBe(20);
    expect(await indexed(source)).toEqual(without('thing-03', 'thing-19'));

    // A changed record is not found by its earlier words.
    await write(source, FRAGILE, notes(['thing-07']));
    expect(await indexed(source)).toEqual(without('thing-07'));
  });

  it('is not found as it was before a run, and the others are', async () => {
    const source = newSource(TEST_ENTITY.id);
    await write(source, FRAGILE, [
      thing('thing-00', 'bad'),
      thing('thing-01', 'good'),
      thing('thing-02', 'kept'),
    ]);
    const run = await write(source, FRAGILE, [thing('thing-00', 'new'), thing('thing-01', 'bad')]);
    expect(await indexed(source)).toEqual(['thing-00', 'thing-02']);
    const set = recordSetOf(source.userId, TEST_ENTITY, [{ ...source, account: 'ada' }]);
    const runs = sql`select ${run}::uuid as id, ${source.connectionId}::uuid as connection_id, 1 as number`;
    const before = { entity: TEST_ENTITY.id, runs, derived: pastEntries(FRAGILE) };
    const { rows } = await database.db.execute<{ id: string; terms: string }>(
      withRecordsBefore(
        set,
        [before],
        sql`select id, terms::text from search_entries where user_id = ${source.userId} order by id`,
      ),
    );
    expect(rows.map(({ id, terms }) => [id, /good|kept|new|bad/.exec(terms)?.[0]])).toEqual([
      ['thing-01', 'good'],
      ['thing-02', 'kept'],
    ]);
  });

  /** Stores a record of each name for new sources, and forgets that they are indexed. */
  async function storePending(count: number): Promise<RecordSource[]> {
    const sources = Array.from({ length: count }, () => newSource(TEST_ENTITY.id));
    for (const source of sources) {
      const { userId, connectionId, entity } = source;
      await write(
        source,
        FRAGILE,
        names.map((name) => thing(name, name === 'thing-05' ? 'bad' : name)),
      );
      await database.db.execute(sql`delete from search_entries where user_id = ${userId}`);
      await database.db.execute(
        sql`insert into search_pending (user_id, connection_id, entity) values (${userId}, ${connectionId}, ${entity})`,
      );
    }
    return sources;
  }

  it('does not stop the index of its source or of others', async () => {
    const sources = await storePending(2);
    await indexPending({ db: database.db, log }, ENTITIES);
    for (const source of sources) expect(await indexed(source)).toEqual(without('thing-05'));
  });

  it.each([0, 1, 2])('does not stop the index of others when source %i fails', async (position) => {
    const sources = (await storePending(3)).sort((a, b) => (a.userId < b.userId ? -1 : 1));
    const failing = sources[position]?.userId;
    await database.db.execute(
      sql`create or replace function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await database.db.execute(
      sql.raw(
        `create or replace trigger refuse before delete on search_pending for each row when (old.user_id = '${failing}') execute function refuse()`,
      ),
    );
    await expect(indexPending({ db: database.db, log }, ENTITIES)).rejects.toThrow(failing);
    for (const source of sources)
      expect(await indexed(source)).toEqual(source.userId === failing ? [] : without('thing-05'));

    await database.db.execute(sql`drop trigger refuse on search_pending`);
    await indexPending({ db: database.db, log }, ENTITIES);
    for (const source of sources) expect(await indexed(source)).toEqual(without('thing-05'));
  });
});
