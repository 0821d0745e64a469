import { compile, JsonataError } from '@datadeck/jsonata';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configuredEndpoints, createRegistry } from '../../../app/connector-registry.ts';
import { parseConfig } from '../../../platform/config/config.ts';
import { type Database, inBulkTransaction } from '../../../platform/db/pool.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import {
  ofSource,
  prepareRecordTables,
  type RecordSource,
  tableOf,
  writeRecords,
} from '../../records/index.ts';
import { pushDown } from './index.ts';
import { randomQuery } from './random-query.ts';
import { randomMessage, randomPull } from './random-records.ts';

const SEED = Number(process.env.PUSH_DOWN_SEED ?? 20_261_121);
const ROUNDS = 4;
const RECORDS = 60;
const QUERIES = Number(process.env.PUSH_DOWN_QUERIES ?? 600);
const registry = createRegistry(configuredEndpoints(parseConfig({})));
const pulls = registry.entity('github', 'gh-pulls');
const messages = registry.entity('google', 'gmail-messages');

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
  const client = await db.$client.connect();
  await prepareRecordTables(client, [pulls, messages]);
  client.release();
});
afterAll(() => close?.());

/** Reads the documents that a condition selects. */
async function documents(source: RecordSource, where = sql`true`): Promise<unknown[]> {
  const { rows } = await db.execute<{ data: unknown }>(sql`
    select r.data from ${tableOf(source)} r where ${ofSource(source)} and ${where} order by r.occurred_at desc, r.id desc`);
  return rows.map(({ data }) => data);
}

function outcome(query: string, rows: unknown[], bindings: Record<string, unknown>): string {
  try {
    return JSON.stringify(compile(query).evaluate(rows, bindings)) ?? 'nothing';
  } catch (error) {
    if (error instanceof JsonataError) return `${error.code} at ${error.position}`;
    throw error;
  }
}

describe.each([pulls, messages])('random queries over random $id', (entity) => {
  test(`have the same outcome with and without the condition, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const make = entity === pulls ? randomPull : randomMessage;
    const counts = { pushed: 0, spared: 0, errors: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const source = { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity: entity.id };
      const records = Array.from({ length: RECORDS }, (_, index) => make(random, index + 1));
      const target = { ...source, scope: 's', syncId: crypto.randomUUID() };
      await inBulkTransaction(db, (tx) => writeRecords(tx, target, { entity, records }));
      const all = await documents(source);
      expect(all).toHaveLength(RECORDS);
      for (let n = 0; n < QUERIES; n++) {
        const query = randomQuery(random, entity.id);
        const down = pushDown(query, {}, entity);
        if (down === undefined) continue;
        const some = await documents(source, down.where);
        counts.pushed++;
        if (some.length < all.length / 2) counts.spared++;
        const expected = outcome(query, all, {});
        if (/^[A-Z]\d{4} at/.test(expected)) counts.errors++;
        expect(outcome(query, some, {}), `${query}\n${down.text}`).toBe(expected);
      }
    }
    const total = ROUNDS * QUERIES;
    console.log(`${entity.id}: of ${total} queries ${JSON.stringify(counts)}`);
    // Enough of them were pushed down, left rows out, and failed, for the sameness to mean something.
    expect(counts.pushed).toBeGreaterThan(total * 0.05);
    expect(counts.spared).toBeGreaterThan(total * 0.02);
    expect(counts.errors).toBeGreaterThan(total * 0.004);
  }, 120_000);
});

describe('what is pushed down', () => {
  const textOf = (query: string, bindings = {}) => pushDown(query, bindings, pulls)?.text;

  test.each([
    ['$[state = "open" and user.login = "ada"].title', 'state = "open" and user.login = "ada"'],
    ['$count($[$contains(title, "fix")])', '$contains(title, "fix")'],
    ['$[state in ["open", "closed"] and $exists(merged_at)]', '(state = "open" or state = "closed")'],
    ['$[state = "open" and $length(title) > 3]', 'state = "open"'],
    ['$[state = "open" and base.repo.id > 100].title', 'state = "open"'],
    [
      '{"open": $count($[state = "open"]), "mine": $[user.login = "ada"]}',
      'state = "open" or user.login = "ada"',
    ],
    ['$[base.repo.id > 100 and state = "open"].title', undefined],
    ['$[user.login = "ada" or base.repo.id > 100]', undefined],
    ['$count($)', undefined],
  ])('%s', (query, text) => expect(textOf(query)).toBe(text));

  test('a variable that the caller binds is a value', () => {
    expect(textOf('$[created_at >= $since]', { since: '2024-01-01' })).toBe('created_at >= "2024-01-01"');
    expect(textOf('($since := 1; $[number >= $since])', { since: 5 })).toBeUndefined();
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
