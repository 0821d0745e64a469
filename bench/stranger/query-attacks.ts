import { HOSTILE_EXPRESSIONS } from '../../packages/server/test-support/hostile-expressions.ts';
import { type Attack, query, send, storeView, type Target } from './attack.ts';

const ENDLESS = '($f := function(){ $f() }; $f())';
const VIEWS = '/api/data/views';
const QUERIES = '/api/data/jnata-queries';

/** Calls of everybody: the signed-in user of the attack, and demo users. */
const everybody = ({ user, demos }: Target) => [user, ...demos];

function anyOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

/** `$[q0=1 or q1=1 …]` as long as wanted. */
function conditions(length: number): string {
  const parts: string[] = [];
  for (let size = 3, n = 0; size < length - 12; n++)
    size += (parts[parts.push(`q${n}=1`) - 1]?.length ?? 0) + 4;
  return `$[${parts.join(' or ')}]`;
}

/** Results of some kilobytes of expression and gigabytes of text. */
const BOMBS = [
  `$[0]${'.{"a":$,"b":$}'.repeat(17)}`,
  '($o:={$pad("x",4900000,"x"):1};[1..300].$o)',
  '[1..300].$pad("x",4900000,"x")',
];

const NESTED: readonly (readonly [open: string, end: string])[] = [
  ['a[', ''],
  ['(', ''],
  ['[', ']'],
  ['{"a":', '}'],
  ['-', '1'],
  ['$f(', ')'],
  ['function($x){', '}'],
  ['a ? ', ''],
  ['a.b~>', 'c'],
  ['a^(', ')'],
  ['"a"&', '"a"'],
];

/** Nested expressions that still fit the maximum length. */
function nestedExpressions(length: number): string[] {
  return NESTED.flatMap(([open, end]) => {
    const times = Math.floor(length / (open.length + end.length)) - 1;
    return [open.repeat(Math.floor(length / open.length) - 1), `${open.repeat(times)}1${end.repeat(times)}`];
  });
}

async function downloadBombs(target: Target): Promise<void> {
  const ids: string[] = [];
  for (const jsonNataQuery of BOMBS) {
    const id = await storeView(target, { jsonNataQuery });
    if (id !== undefined) ids.push(id);
  }
  for (const reading of ['leave', 'hold', 'all'] as const) {
    const paths = ids.flatMap((id) => [
      ...['ndjson', 'json', 'csv'].map((format) => `${VIEWS}/download/${id}?format=${format}`),
      `${VIEWS}/aggregate/${id}?page=1`,
    ]);
    await Promise.all(paths.map((path) => send(target, { path, token: target.user, reading })));
  }
  for (const id of ids) await send(target, { method: 'DELETE', path: `${VIEWS}/${id}`, token: target.user });
}

async function chainViews(target: Target): Promise<void> {
  const parameters = Array.from({ length: 10 }, (_, n) => ({
    name: `p${n}`,
    type: 'text',
    default: 'x'.repeat(500),
  }));
  let basedOn: string | undefined;
  const ids: string[] = [];
  for (let count = 0; count < 240 && !target.signal.aborted; count++) {
    const base = basedOn === undefined ? {} : { templateKey: null, basedOn };
    const id = await storeView(target, { ...base, parameters, jsonNataQuery: '$'.padEnd(1500) });
    if (id !== undefined) ids.push(id);
    else if (basedOn === undefined) break;
    basedOn = id;
  }
  for (let count = 0; count < 40; count++) {
    await Promise.all(Array.from({ length: 5 }, () => send(target, { path: VIEWS, token: target.user })));
    if (target.signal.aborted) break;
  }
  for (const id of ids) await send(target, { path: `${VIEWS}/aggregate/${id}?page=1`, token: target.user });
}

async function storeQueries(target: Target): Promise<void> {
  const store = (jsonNataQuery: string) =>
    send(target, { method: 'POST', path: QUERIES, token: target.user, body: { title: 'q', jsonNataQuery } });
  await Promise.all(Array.from({ length: 10 }, () => store(`"${'x'.repeat(1_000_000)}"`)));
  await Promise.all(Array.from({ length: 100 }, () => store(`"${'x'.repeat(1490)}"`)));
  for (let page = 1; page < 5; page++)
    await Promise.all(
      Array.from({ length: 20 }, () => send(target, { path: `${QUERIES}?page=${page}`, token: target.user })),
    );
}

async function nestExpressions(target: Target): Promise<void> {
  for (const expression of nestedExpressions(10_000))
    await query(target, anyOf(everybody(target)), expression);
  for (const jsonNataQuery of nestedExpressions(1500)) {
    const stored = { title: 'q', jsonNataQuery };
    await send(target, { method: 'POST', path: QUERIES, token: target.user, body: stored });
    await storeView(target, { jsonNataQuery });
  }
}

/** Attacks by expressions, views and saved queries. */
export const QUERY_ATTACKS: readonly Attack[] = [
  { name: 'download-bombs', run: downloadBombs },
  {
    name: 'demo-queries',
    atOnce: 8,
    run: async (target) => {
      await Promise.all(target.demos.map((demo) => query(target, demo, ENDLESS)));
    },
  },
  {
    name: 'conditions',
    atOnce: 6,
    run: async (target) => {
      await query(target, anyOf(everybody(target)), conditions(4000));
      await query(target, anyOf(everybody(target)), conditions(10_000));
    },
  },
  { name: 'chained-views', run: chainViews },
  { name: 'saved-queries', run: storeQueries },
  { name: 'nested-expressions', atOnce: 2, run: nestExpressions },
  {
    name: 'hostile-expressions',
    atOnce: 4,
    run: async (target) => {
      await query(target, anyOf(everybody(target)), anyOf(HOSTILE_EXPRESSIONS));
    },
  },
];
