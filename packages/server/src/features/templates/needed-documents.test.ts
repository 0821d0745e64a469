import { compile, compileRowFilter, JsonataError, rowFields } from '@datadeck/jsonata';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomQuery } from '../../../test-support/random-query.ts';
import { pick, type Random, randomMessage, randomPull } from '../../../test-support/random-records.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { configuredEndpoints, createRegistry } from '../../app/connector-registry.ts';
import { parseConfig } from '../../platform/config/config.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import {
  documentOf,
  isRecordIn,
  prepareRecordTables,
  type RecordSet,
  recordSetOf,
  type StoredEntity,
  tableOf,
  writeRecords,
} from '../records/index.ts';
import { neededDocuments } from './needed-documents.ts';
import { parseSmall } from './row-conditions.ts';
import { columnProjection, fieldProjection } from './row-fields.ts';
import { rowSlice } from './row-slice.ts';

const SEED = Number(process.env.PUSH_DOWN_SEED ?? 20_261_121);
const ROUNDS = 2;
const RECORDS = 60;
const QUERIES = Number(process.env.PUSH_DOWN_QUERIES ?? 150);
const ORDER = sql`r.occurred_at desc, r.id desc, r.connection_id desc`;
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

async function read(select: ReturnType<typeof sql>): Promise<unknown[]> {
  const { rows } = await db.execute<{ row: string }>(select);
  return rows.map((found) => JSON.parse(found.row) as unknown);
}

const DOCUMENT = sql`r.data::text`;
const rowsOf = (set: RecordSet, row = documentOf(set)) =>
  read(sql`select ${row} as row from ${tableOf(set)} r where ${isRecordIn(set)} order by ${ORDER}`);

function outcome(query: string, rows: unknown[], bindings: Record<string, unknown> = {}): string {
  try {
    return JSON.stringify(compile(query).evaluate(rows, bindings)) ?? 'nothing';
  } catch (error) {
    // Which values that cannot be sorted meet first depends on the other rows.
    if (error instanceof JsonataError) return `${error.code?.replace('T2007', 'T2008')} at ${error.position}`;
    throw error;
  }
}

/** Stores random records of a new user with one or two accounts, which share some ids. */
async function fill(entity: StoredEntity, random: Random, names: readonly string[]): Promise<RecordSet> {
  const make = entity.id === pulls.id ? randomPull : randomMessage;
  const userId = crypto.randomUUID();
  const accounts = names.map((account) => ({ connectionId: crypto.randomUUID(), account }));
  for (const [place, { connectionId }] of accounts.entries()) {
    const records = Array.from({ length: RECORDS / names.length }, (_, index) =>
      make(random, index + 1 + place * 10),
    );
    const target = { userId, connectionId, entity: entity.id, scope: 's', syncId: crypto.randomUUID() };
    await inBulkTransaction(db, (tx) => writeRecords(tx, target, { entity, records }));
  }
  return recordSetOf(userId, entity, accounts);
}

/** Expressions that people write, beside random ones. */
const TYPICAL: Readonly<Record<string, readonly string[]>> = {
  'gh-pulls': [
    ...['$count($)', '$count($[state = "open"])', '$sum(number)', '$distinct(user.login)'],
    ...['$max($.created_at)', '$count($distinct(title))', '$[state = "closed"].user.login'],
    ...['$[number > 3 and draft].title', '$average($[draft = true].number)'],
    '$sum($[user.login = "ada"].additions) / $count($)',
    '$ {user.login: {"count": $count($), "additions": $sum(additions)}}',
    '$.{"number": number, "labels": labels.name, "who": user.login}',
    '$map($, function($r) { $r.title & $r.user.login })',
    ...['$[account = "ada"].title', '$count($[account != "ada"])', '$ {account: $count($)}', '$.accounts'],
  ],
  'gmail-messages': [
    ...['$count($)', '$sum(size)', '$distinct(from.name)', '$[from.name = "Ada"].subject'],
    ...['$distinct(labelIds)', '$count($["UNREAD" in labelIds])', '$max(date)', '$[size > 5].labelIds'],
    ...[
      '$join(threadId, ",")',
      '$ {from.address: $count($)}',
      '$^(date).{"s": subject, "n": $length(subject)}',
    ],
  ],
};

/** Returns a query over the first rows, in the order of a column or of the rows. */
function sliceQuery(random: Random, entity: string): string {
  const column = pick(
    random,
    entity === 'gh-pulls'
      ? ['number', 'created_at', 'merged_at', 'additions', 'title']
      : ['date', 'size', 'subject'],
  );
  const n = Math.floor(random() * 8);
  const slice = pick(random, [
    `[${n}]`,
    `[[0..${n}]]`,
    `[[${n}..${n + 3}]]`,
    `[[1, ${n}]]`,
    '[-1]',
    `[${n}.5]`,
  ]);
  const order = pick(random, [
    '',
    `^(${column})`,
    `^(>${column})`,
    `^(${column}, id)`,
    `^(>$number(${column}))`,
  ]);
  const rest = pick(random, [
    '',
    '.id',
    '.{"a": id, "b": user.login}',
    '[0]',
    '{id: $count($)}',
    '.%',
    '.($count($$))',
  ]);
  return `$${order}${slice}${rest}`;
}

describe.each([
  { id: 'gh-pulls', entity: pulls, accounts: ['ada'] },
  { id: 'gh-pulls', entity: pulls, accounts: ['ada', 'jonas'] },
  { id: 'gmail-messages', entity: messages, accounts: ['ada'] },
  { id: 'gmail-messages', entity: messages, accounts: ['ada', 'jonas'] },
])('the documents of $id in $accounts that an expression needs', ({ entity, accounts }) => {
  it(`give the same outcome as all of them, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const counts = { columns: 0, fields: 0, slices: 0, fewer: 0, filters: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const set = await fill(entity, random, accounts);
      const all = await rowsOf(set);
      const from = sql`from ${tableOf(set)} r where ${isRecordIn(set)}`;
      const queries = [
        ...(TYPICAL[entity.id] ?? []),
        ...Array.from({ length: QUERIES }, (_, n) =>
          n % 2 === 0 ? randomQuery(random, entity.id) : sliceQuery(random, entity.id),
        ),
      ];
      for (const query of queries) {
        const expected = outcome(query, all);
        const { select } = await neededDocuments(db, set, {
          ...{ entity, expression: query, bindings: {}, order: ORDER },
          ...{ searched: undefined, records: RECORDS, version: round },
        });
        const some = await read(select);
        if (some.length < all.length) counts.fewer++;
        expect(outcome(query, some), query).toBe(expected);
        const ast = parseSmall(query);
        if (ast && rowSlice(ast, entity, { rows: from, order: ORDER })) counts.slices++;
        const fields = ast && rowFields(ast);
        if (fields && columnProjection(fields, entity, DOCUMENT)) counts.columns++;
        if (fields) {
          counts.fields++;
          expect(outcome(query, await rowsOf(set, fieldProjection(fields, set).row)), query).toBe(expected);
        }
        const filter = ast && compileRowFilter(query);
        if (filter) {
          counts.filters++;
          expect(outcome(query, [...filter(all)]), query).toBe(expected);
        }
      }
    }
    console.log(`${entity.id}: ${JSON.stringify(counts)}`);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(ROUNDS * 10);
  }, 120_000);
});

describe('the columns that an expression reads', () => {
  const isProjected = (query: string) => {
    const fields = rowFields(parseSmall(query) ?? { type: 'value', value: null });
    return fields !== undefined && columnProjection(fields, pulls, DOCUMENT) !== undefined;
  };

  const typical = (TYPICAL['gh-pulls'] ?? []).filter((query) => !/labels|account/.test(query));
  it.each(typical)('are enough for %s', (query) => expect(isProjected(query)).toBe(true));

  it.each([
    '$',
    '$.labels.name',
    'body',
    '$sum(number).$$',
    '$map($, $string)',
    '$[0]',
    '$sort($, $f)',
    '$keys(user)',
  ])('are not enough for %s', (query) => expect(isProjected(query)).toBe(false));
});

describe('the name of needed documents', () => {
  it('differs for other rows of the same source', async () => {
    const account = { connectionId: crypto.randomUUID(), account: 'ada' };
    const set = recordSetOf(crypto.randomUUID(), pulls, [account]);
    const queries = [
      '$',
      '$count($)',
      '[1..3]',
      '$sum(number)',
      '$.body',
      '$[state = "open"]',
      '$[[0..3]]',
      '$[[0..4]]',
    ];
    const names = queries.map(async (expression) => {
      const request = { entity: pulls, expression, bindings: {}, order: ORDER, searched: undefined };
      return (await neededDocuments(db, set, { ...request, records: 1, version: 1 })).name;
    });
    // Neither of the two reads a field, and `$.body` reads whole documents as `$` does.
    expect(new Set(await Promise.all(names)).size).toBe(queries.length - 2);
  });
});
