import { type ConnectorRecord, parseElements, SharedParts, type SharedPiece } from '@datadeck/connectors';
import { compile, JsonataError } from '@datadeck/jsonata';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, inBulkTransaction } from '../../../platform/db/pool.ts';
import { readDocuments } from '../../../testing/read-documents.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { keepParts, overRecords, type RecordSource, writeRecords } from '../../records/index.ts';
import { pushDown } from './index.ts';
import { randomQuery } from './random-query.ts';
import { randomMessage, randomPull } from './random-records.ts';

const ORDER = sql.raw('occurred_at desc, external_id desc');
const SEED = Number(process.env.PUSH_DOWN_SEED ?? 20_261_121);
const ROUNDS = 4;
const RECORDS = 60;
const QUERIES = Number(process.env.PUSH_DOWN_QUERIES ?? 600);

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());

/** All documents, as the database puts them together. */
async function allOf(source: RecordSource): Promise<unknown[]> {
  const { rows } = await db.execute<{ row: string }>(
    overRecords(source, sql`select document as row from r order by ${ORDER}`),
  );
  return rows.map(({ row }) => JSON.parse(row) as unknown);
}

/** Records as a page brings them, with what they share. */
async function onOnePage(records: ConnectorRecord[]): Promise<ConnectorRecord[]> {
  const texts = records.map(({ data }) => (Buffer.isBuffer(data) ? data.toString() : JSON.stringify(data)));
  const page = Buffer.from(`[${texts.join(',')}]`);
  let place = 0;
  const read = (_: unknown, data: Buffer, shared: readonly SharedPiece[]): ConnectorRecord => ({
    ...(records[place++] as ConnectorRecord),
    data,
    shared,
  });
  return (await parseElements(page, read, new SharedParts())) ?? [];
}

function outcome(query: string, rows: unknown[], bindings: Record<string, unknown>): string {
  try {
    return JSON.stringify(compile(query).evaluate(rows, bindings)) ?? 'nothing';
  } catch (error) {
    if (error instanceof JsonataError) return `${error.code} at ${error.position}`;
    throw error;
  }
}

describe.each(['gh-pulls', 'gmail-messages'])('random queries over random %s', (entity) => {
  test(`have the same outcome with and without the database's part, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const make = entity === 'gh-pulls' ? randomPull : randomMessage;
    const counts = { pushed: 0, spared: 0, errors: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const source = { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity };
      const made = Array.from({ length: RECORDS }, (_, index) => make(random, index + 1));
      const records = entity === 'gh-pulls' ? await onOnePage(made) : made;
      const target = { ...source, scope: 's', syncId: crypto.randomUUID() };
      await keepParts(db, target, records, sql`select 1`);
      await inBulkTransaction(db, (tx) => writeRecords(tx, target, records));
      const all = await allOf(source);
      expect(all).toHaveLength(RECORDS);
      for (let n = 0; n < QUERIES; n++) {
        const query = randomQuery(random, entity);
        const down = pushDown(
          query,
          {},
          { entity, order: ORDER, isShared: entity === 'gh-pulls' && n % 3 === 0 },
        );
        if (down === undefined) continue;
        const some = await readDocuments(db, source, down.rows);
        counts.pushed++;
        if (some.length < all.length / 2) counts.spared++;
        const expected = outcome(query, all, {});
        if (/^[A-Z]\d{4} at/.test(expected)) counts.errors++;
        expect(outcome(query, some, {}), `${query}\n${down.text}`).toBe(expected);
      }
    }
    const total = ROUNDS * QUERIES;
    console.log(`${entity}: of ${total} queries ${JSON.stringify(counts)}`);
    // Enough of them were pushed down, left rows out, and failed, for the sameness to mean something.
    expect(counts.pushed).toBeGreaterThan(total * 0.5);
    expect(counts.spared).toBeGreaterThan(total * 0.1);
    expect(counts.errors).toBeGreaterThan(total * 0.01);
  }, 120_000);
});

describe('what is pushed down', () => {
  const textOf = (query: string, bindings = {}, isShared = false) =>
    pushDown(query, bindings, { entity: 'gh-pulls', order: ORDER, isShared })?.text;

  test.each([
    ['$[state = "open" and additions > 100].title', 'state = "open" and additions > 100'],
    ['$[user.login = "ada" or "bug" in labels.name]', 'user.login = "ada" or "bug" in labels.name'],
    ['$count($[$contains(title, "fix")])', '$contains(title, "fix")'],
    [
      '$[state in ["open", "closed"] and $exists(merged_at)]',
      '(state = "open" or state = "closed") and $exists(merged_at)',
    ],
    ['$^(>created_at)[[0..9]].title', 'first 10 by created_at, descending'],
    ['$count($)', '$count($)'],
    ['$[state = "open" and $length(title) > 3]', 'state = "open"'],
    [
      '{"open": $count($[state = "open"]), "mine": $[user.login = "ada"]}',
      'state = "open" or user.login = "ada"',
    ],
  ])('%s', (query, text) => expect(textOf(query)).toBe(text));

  test.each([
    ['$[state = "open" and additions > 100].title', 'state = "open"'],
    ['$[additions > 100 and state = "open"].title', undefined],
    ['$[user.login = "ada" or state = "open"]', 'user.login = "ada" or state = "open"'],
    ['$[user.login = "ada" or additions > 100]', undefined],
    ['$count($[additions > 100])', undefined],
    ['$^(>created_at)[[0..9]].title', 'first 10 by created_at, descending'],
    ['$count($)', '$count($)'],
  ])('of documents that share parts: %s', (query, text) => expect(textOf(query, {}, true)).toBe(text));

  test('a variable that the caller binds is a value', () => {
    expect(textOf('$[created_at >= $since]', { since: '2024-01-01' })).toBe('created_at >= "2024-01-01"');
    expect(textOf('($since := 1; $[additions >= $since])', { since: 5 })).toBeUndefined();
  });

  test.each([
    'title',
    '$',
    '$[0]',
    '$[$length(title) > 3 and state = "open"]',
    '$[state = "open"].($count($$))',
    '$[state = "open"] & $string()',
    '$eval("$")[state = "open"]',
    '$[state = "open"].%',
    '$#$i[state = "open"]',
    '($count := function($x){ $x }; $count($))',
    '$^(title)[0]',
    '$^(created_at)[-1]',
    '$map($, function($r){ $r.title })',
    '$[state = "open"',
  ])('not: %s', (query) => expect(textOf(query)).toBeUndefined());
});
