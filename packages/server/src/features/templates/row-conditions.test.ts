import { compile, JsonataError } from '@datadeck/jsonata';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomQuery } from '../../../test-support/random-query.ts';
import { randomMessage, randomPull } from '../../../test-support/random-records.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY } from '../../../test-support/test-entity.ts';
import { configuredEndpoints, createRegistry } from '../../app/connector-registry.ts';
import { parseConfig } from '../../platform/config/config.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import {
  isRecordOf,
  prepareRecordTables,
  type RecordSource,
  type StoredEntity,
  tableOf,
  writeRecords,
} from '../records/index.ts';
import { parseSmall, rowCondition } from './row-conditions.ts';

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
  const { rows } = await db.execute<{ row: string }>(sql`
    select r.data::text as row from ${tableOf(source)} r where ${isRecordOf(source)} and ${where} order by r.occurred_at desc, r.id desc`);
  return rows.map((found) => JSON.parse(found.row) as unknown);
}

function outcome(query: string, rows: unknown[], bindings: Record<string, unknown>): string {
  try {
    return JSON.stringify(compile(query).evaluate(rows, bindings)) ?? 'nothing';
  } catch (error) {
    if (error instanceof JsonataError) return `${error.code} at ${error.position}`;
    throw error;
  }
}

describe.each([pulls, messages])('rowCondition over random $id', (entity) => {
  it(`does not change the outcome of random queries, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const make = entity === pulls ? randomPull : randomMessage;
    const counts = { pushed: 0, reduced: 0, errors: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const source = { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity: entity.id };
      const records = Array.from({ length: RECORDS }, (_, index) => make(random, index + 1));
      const target = { ...source, scope: 's', syncId: crypto.randomUUID() };
      await inBulkTransaction(db, (tx) => writeRecords(tx, target, { entity, records }));
      const all = await documents(source);
      expect(all).toHaveLength(RECORDS);
      for (let n = 0; n < QUERIES; n++) {
        const query = randomQuery(random, entity.id);
        const condition = conditionOf(query, {}, entity);
        if (condition === undefined) continue;
        const some = await documents(source, condition.where);
        counts.pushed++;
        if (some.length < all.length / 2) counts.reduced++;
        const expected = outcome(query, all, {});
        if (/^[A-Z]\d{4} at/.test(expected)) counts.errors++;
        expect(outcome(query, some, {}), `${query}\n${condition.text}`).toBe(expected);
      }
    }
    const total = ROUNDS * QUERIES;
    console.log(`${entity.id}: of ${total} queries ${JSON.stringify(counts)}`);
    // Checks that the comparison is meaningful: enough queries had a condition, left rows out, or failed.
    expect(counts.pushed).toBeGreaterThan(total * 0.05);
    expect(counts.reduced).toBeGreaterThan(total * 0.02);
    expect(counts.errors).toBeGreaterThan(total * 0.004);
  }, 120_000);
});

/** Returns the condition of an expression. */
function conditionOf(query: string, bindings: Record<string, unknown> = {}, entity: StoredEntity = pulls) {
  const ast = parseSmall(query);
  return ast && rowCondition(ast, bindings, entity);
}

describe('rowCondition', () => {
  const textOf = (query: string, bindings = {}) => conditionOf(query, bindings)?.text;

  it.each([
    ['$[state = "open" and user.login = "ada"].title', 'state = "open" and user.login = "ada"'],
    ['$count($[$contains(title, "fix")])', '$contains(title, "fix")'],
    ['$[state in ["open", "closed"] and $exists(merged_at)]', '(state = "open" or state = "closed")'],
    ['$[state = "open" and $length(title) > 3]', 'state = "open"'],
    ['$[state = "open" and base.repo.id > 100].title', 'state = "open"'],
    [
      '{"open": $count($[state = "open"]), "mine": $[user.login = "ada"]}',
      'state = "open" or user.login = "ada"',
    ],
    ['$[(draft = true and user.id > 1) and draft = false]', 'draft = true'],
    ['$[(draft = true and user.id > 1 or number = 2) and draft = false]', '(draft = true or number = 2)'],
    ['$[draft = true and user.id > 1][draft = false]', 'draft = true'],
    ['$[base.repo.id > 100 and state = "open"].title', undefined],
    ['$[user.login = "ada" or base.repo.id > 100]', undefined],
    ['$count($)', undefined],
  ])('selects for %s: %s', (query, text) => expect(textOf(query)).toBe(text));

  it('uses the values of bound variables', () => {
    expect(textOf('$[created_at >= $since]', { since: '2024-01-01' })).toBe('created_at >= "2024-01-01"');
    expect(textOf('($since := 1; $[number >= $since])', { since: 5 })).toBeUndefined();
  });

  it.each([
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
  ])('is undefined for %s', (query) => expect(textOf(query)).toBeUndefined());
});

const many = (count: number, term: (n: number) => string, operator: string) =>
  `$[${Array.from({ length: count }, (_, n) => term(n)).join(operator)}]`;

describe('rowCondition of large expressions', () => {
  it.each([
    many(300, (n) => `q${n}=1`, ' or '),
    many(300, (n) => `q${n}=1`, ' and '),
    many(100, (n) => `$contains(title, "${n}")`, ' or '),
    `$[title in [${Array.from({ length: 300 }, (_, n) => `"${n}"`).join(',')}]]`,
    `[${Array.from({ length: 100 }, (_, n) => `$[q${n}=1]`).join(',')}]`,
    `$${'[a.b.c=1]'.repeat(100)}`,
    `$[${'(a=1 or '.repeat(100)}b=1${')'.repeat(100)}]`,
    `$[${'(a=1 or (b=2 and '.repeat(50)}c=1${'))'.repeat(50)}]`,
    `${'-'.repeat(1900)}$[title="open"]`,
    `${'['.repeat(900)}$[title="open"]${']'.repeat(900)}`,
  ])('is undefined for many or deep conditions: %.60s', (expression) => {
    expect(conditionOf(expression, {}, TEST_ENTITY)).toBeUndefined();
  });

  it.each(['$[title = "open" and additions > 100]', '$[$contains(title, "x")]'])(
    'is defined for a few conditions: %s',
    (expression) => {
      expect(conditionOf(expression, {}, TEST_ENTITY)).toBeDefined();
    },
  );
});
