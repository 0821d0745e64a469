import type { ConnectorRecord } from '@datadeck/connectors';
import { pullRecord } from '@datadeck/connectors/github';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick, type Random, randomMessage } from '../../../test-support/random-records.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { appErrorOf } from '../../platform/app-error.ts';
import { inBulkTransaction } from '../../platform/db/database.ts';
import { listShownConnections } from '../connections/index.ts';
import { writeRecords } from '../records/index.ts';
import type { Base } from './graph.ts';
import { planOf } from './plan.ts';
import type { ViewRow } from './to-response.ts';

const SEED = Number(process.env.PUSH_DOWN_SEED ?? 20_261_129);
const JOINS = Number(process.env.PUSH_DOWN_QUERIES ?? 250);
const RECORDS = 60;
const ADA = 'ada.nowak@sandbox.example';

/** Values of a field, with which the other list may be compared. */
const VALUES: readonly unknown[] = [
  ...['Fix bug', 'Fix bug', 'Hello', 'Größe', 'GRÖSSE', '', '10', 't1', 't2', 'Ada', 'ada@example.org', 'm3'],
  ...[null, 0, 10, 2000, -0, 1e21, 2.5, true, false, [], ['Hello'], ['t1', 't2'], {}, { t1: 't1' }],
  ...['x'.repeat(2000), 'x'.repeat(2001), '\ud83d lone', '\u0000', '\ud83d\ude00', '2024-06-01T00:00:00Z'],
];

const PULLS: Base = {
  provider: 'github',
  entity: 'gh-pulls',
  templateKey: 'pulls-all',
  search: null,
  basedOn: null,
};
const MAILS: Base = {
  provider: 'google',
  entity: 'gmail-messages',
  templateKey: 'messages-all',
  search: null,
  basedOn: null,
};
/** Fields that columns copy, and others. */
const FIELDS = {
  pulls: [
    'title',
    'title',
    'user.login',
    'state',
    'number',
    'additions',
    'created_at',
    'draft',
    'labels.name',
    'body',
  ],
  mails: ['subject', 'subject', 'from.name', 'from.address', 'threadId', 'size', 'date', 'labelIds', 'id'],
} as const;

let server: TestServer;
let ada: Client;
let userId: string;

function randomPull(random: Random, id: number) {
  const value = () => pick(random, VALUES);
  const raw = {
    ...{
      id,
      number: value(),
      title: value(),
      state: value(),
      draft: value(),
      additions: value(),
      body: value(),
    },
    ...{
      created_at: value(),
      user: random() < 0.1 ? value() : { login: value() },
      labels: [{ name: value() }],
    },
  };
  for (const name of ['title', 'number', 'user'] as const)
    if (random() < 0.08) Reflect.deleteProperty(raw, name);
  const text = JSON.stringify(raw);
  return { ...pullRecord(JSON.parse(text), 'a/b'), data: Buffer.from(text) };
}

/** Stores random records in all accounts of a provider; some ids are in several accounts. */
async function fill(random: Random, base: Base, make: (random: Random, id: number) => ConnectorRecord) {
  const { context, registry } = server.product;
  const entity = registry.entity(base.provider, base.entity);
  const accounts = await listShownConnections(context.db, userId, { provider: base.provider, account: '' });
  for (const [place, { id }] of accounts.entries()) {
    const records = Array.from({ length: RECORDS }, (_, index) => make(random, index + 1 + place * 40));
    const target = { userId, connectionId: id, entity: entity.id, scope: 's', syncId: crypto.randomUUID() };
    await inBulkTransaction(context.db, (tx) => writeRecords(tx, target, { entity, records }));
  }
  return accounts.length;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('google', 'jonas.weber@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  const { rows } = await server.product.context.db.$client.query<{ user_id: string }>(
    "select user_id from connections where provider = 'github'",
  );
  userId = rows[0]?.user_id ?? '';
}, 120_000);
afterAll(() => server?.remove());

type Named = Base & { name: string };

/** Evaluates an expression over bases. @param minRows from which lists are selected by keys */
async function outcomeOf(expression: string, bases: readonly Named[], minRows: number, asOf?: string) {
  const { context, registry } = server.product;
  const view = { id: 'view', provider: bases[0]?.provider, expression, bases } as unknown as ViewRow;
  const asked = { userId, bindings: { who: 'Fix bug' }, urgency: 'saved' as const };
  const { rows, family, plan } = await planOf(context, registry, {
    ...{ ...asked, account: undefined, views: [view], asOf, minRows },
  });
  const { key } = rows.set;
  try {
    // The whole result as one text.
    const evaluation = { ...asked, rows: rows.set, plan, chain: ['$string($)'] };
    const page = await context.evaluation.page(evaluation, { offset: 0, limit: 1 });
    return { family, key, read: page.rows, result: page.text };
  } catch (error) {
    const { code, message } = appErrorOf(error) ?? (error as Error & { code?: string });
    return { family, key, read: undefined, result: `${code}: ${message}` };
  }
}

function randomExpression(random: Random, big: 'pulls' | 'mails'): string {
  const small = big === 'pulls' ? 'mails' : 'pulls';
  const mine = () => pick(random, FIELDS[big]);
  const side = (item: string) => {
    const field = pick(random, FIELDS[small]);
    return pick(random, [
      ...[`${item}.${field}`, `${item}.${field}`, `${item}.${field}`, `$lowercase(${item}.title)`],
      ...[`("" & ${item}.${field})`, `$number(${item}.${field})`, '$who', '"10"', '10', 'null'],
    ]);
  };
  const more = pick(random, ['', '', ' and size > 5', ' and $length(title) > 2', ' and $exists(labels)']);
  const plain = (item: string) =>
    random() < 0.5 ? `${mine()} = ${side(item)}${more}` : `${side(item)} = ${mine()}${more}`;
  const later = pick(random, ['', '', `^(>id)[0]`, '[[1..3]]', '[0]']);
  const focused = `$b.${mine()} = ${side('$a')}${more.replace(/(size|title|labels)/, '$b.$1')}`;
  return pick(random, [
    () => `$${small}@$a.$${big}@$b[${focused}]${later}.{"a": $a.id, "b": $b.id, "c": $b.${mine()}}`,
    () => `$${small}@$a[id != "m1"].$${big}@$b[${focused}].$b.id`,
    () => `$${small}.($a := $; {"a": id, "n": $count($${big}[${plain('$a')}]${later})})`,
    () => `$map($${small}, function($a) { $${big}[${plain('$a')}]${later}.id })`,
    () => `$${big}[${mine()} in $${small}.${pick(random, FIELDS[small])}${more}]${later}.id`,
    () => `$count($${big}[${mine()} = $who${more}])`,
    () => `[$${big}[${mine()} = ${side(`$${small}[0]`)}].id, $${big}[${mine()} in $${small}.id].id]`,
  ])();
}

describe('a base that is joined by an equality', () => {
  it(`returns the same result when its rows are selected by keys, seed ${SEED}`, {
    timeout: 300_000,
  }, async () => {
    const random = seededRandom(SEED);
    expect(await fill(random, MAILS, randomMessage)).toBe(2);
    expect(await fill(random, PULLS, randomPull)).toBe(1);
    const counts = { pushed: 0, reduced: 0, errors: 0, nothing: 0 };
    for (let n = 0; n < JOINS; n++) {
      const big = pick(random, ['pulls', 'mails'] as const);
      const search = random() < 0.2 ? pick(random, ['bug', 'subject:hello', 'is:unread']) : null;
      const bases: Named[] = [
        { ...PULLS, name: 'pulls', search: big === 'pulls' && search === 'bug' ? search : null },
        { ...MAILS, name: 'mails', search: big === 'mails' ? search : null },
      ];
      if (random() < 0.5) bases.reverse();
      const expression = randomExpression(random, big);
      const whole = await outcomeOf(expression, bases, Number.POSITIVE_INFINITY);
      const pushed = await outcomeOf(expression, bases, 0);
      expect({ expression, result: pushed.result }).toEqual({ expression, result: whole.result });
      expect(pushed.family).toBe(whole.family);
      if (pushed.key === whole.key) continue;
      counts.pushed++;
      if (pushed.read !== undefined && whole.read !== undefined && pushed.read < whole.read) counts.reduced++;
      if (pushed.read === undefined) counts.errors++;
      if (pushed.result === '[]') counts.nothing++;
    }
    console.log(JSON.stringify(counts));
    expect(counts.pushed).toBeGreaterThan(JOINS / 3);
    expect(counts.reduced).toBeGreaterThan(JOINS / 5);
  });

  it('returns the same result as of a run', async () => {
    const repository = { owner: 'ada-nowak', repo: 'dotfiles' };
    const sync = async () => (await awaitEnd(ada, (await startSync(ada, 'gh-pulls', repository))._id))._id;
    const run = await sync();
    const { github } = server.control;
    const [number = 0] = github.pullNumbers('ada-nowak/dotfiles');
    github.removePull('ada-nowak/dotfiles', number);
    github.insertPull('ada-nowak/dotfiles');
    await sync();
    const bases = [
      { ...PULLS, templateKey: 'pulls-by-author', name: 'authors' },
      { ...PULLS, name: 'pulls' },
    ];
    const expression =
      '$authors@$a.$pulls@$p[$p.user.login = $a.author].{"author": $a.author, "number": $p.number}';
    const results: string[] = [];
    for (const asOf of [run, undefined]) {
      const [whole, pushed] = [
        await outcomeOf(expression, bases, Number.POSITIVE_INFINITY, asOf),
        await outcomeOf(expression, bases, 0, asOf),
      ];
      expect(pushed.result).toBe(whole.result);
      expect(pushed.key).not.toBe(whole.key);
      results.push(whole.result);
    }
    expect(results[0]).not.toBe(results[1]);
    expect(results[0]).toContain('number');
  });
});
