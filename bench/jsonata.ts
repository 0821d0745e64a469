/**
 * Times 15 query shapes over 50,000 records like pull requests: a hand-written loop, our engine and the reference.
 * Run by `node bench/jsonata.ts`; `--no-reference` leaves the slow reference out. Milliseconds are the best of several.
 */
import jsonata from 'jsonata';
import { compile } from '../packages/jsonata/src/index.ts';

interface Pull {
  number: number;
  title: string;
  state: 'open' | 'closed';
  draft: boolean;
  user: { login: string; id: number };
  labels: { name: string; color: string }[];
  created_at: string;
  merged_at: string | null;
  additions: number;
  deletions: number;
  comments: number;
  base: { ref: string; repo: { name: string; stars: number } };
}

interface Shape {
  readonly name: string;
  readonly query: string;
  readonly byHand: (rows: Pull[]) => unknown;
  /** The reference takes quadratic time: it is run on fewer records and left out of the mean. */
  readonly quadratic?: true;
}

const COUNT = 50_000;
const REPEATS = 7;

function pulls(count: number): Pull[] {
  const labels = ['bug', 'docs', 'feature', 'ci', 'good first issue'];
  let seed = 42;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 4_294_967_296) * limit);
  };
  return Array.from({ length: count }, (_, i) => {
    const created = Date.UTC(2024, 0, 1) + below(600) * 86_400_000 + below(86_400_000);
    const closed = below(3) > 0;
    return {
      number: i + 1,
      title: `Change ${below(100_000)} of module ${below(50)}`,
      state: closed ? 'closed' : 'open',
      draft: below(10) === 0,
      user: { login: `user${below(500)}`, id: below(500) },
      labels: Array.from({ length: below(4) }, () => ({ name: labels[below(5)] ?? 'bug', color: 'fff' })),
      created_at: new Date(created).toISOString(),
      merged_at: closed && below(4) > 0 ? new Date(created + below(30) * 86_400_000).toISOString() : null,
      additions: below(2000),
      deletions: below(800),
      comments: below(30),
      base: {
        ref: below(5) === 0 ? 'develop' : 'main',
        repo: { name: `repo${below(20)}`, stars: below(1000) },
      },
    };
  });
}

function groupBy<T>(
  rows: readonly Pull[],
  key: (row: Pull) => string,
  make: (group: Pull[]) => T,
): Record<string, T> {
  const groups = new Map<string, Pull[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return Object.fromEntries([...groups].map(([each, group]) => [each, make(group)]));
}

const sum = (rows: readonly Pull[], of: (row: Pull) => number): number => {
  let total = 0;
  for (const row of rows) total += of(row);
  return total;
};

const SHAPES: readonly Shape[] = [
  { name: 'field', query: 'title', byHand: (rows) => rows.map((r) => r.title) },
  { name: 'deep field', query: 'base.repo.name', byHand: (rows) => rows.map((r) => r.base.repo.name) },
  {
    name: 'list field',
    query: 'labels.name',
    byHand: (rows) => rows.flatMap((r) => r.labels.map((l) => l.name)),
  },
  { name: 'equals', query: '$[state = "open"]', byHand: (rows) => rows.filter((r) => r.state === 'open') },
  {
    name: 'and, compare',
    query: '$[state = "closed" and additions > 1000].number',
    byHand: (rows) => rows.filter((r) => r.state === 'closed' && r.additions > 1000).map((r) => r.number),
  },
  {
    name: 'in list',
    query: '$["bug" in labels.name].number',
    byHand: (rows) => rows.filter((r) => r.labels.some((l) => l.name === 'bug')).map((r) => r.number),
  },
  { name: 'count', query: '$count($[draft])', byHand: (rows) => rows.filter((r) => r.draft).length },
  {
    name: 'sum of product',
    query: '$sum($.(additions - deletions))',
    byHand: (rows) => sum(rows, (r) => r.additions - r.deletions),
  },
  {
    name: 'maximum',
    query: '$max(additions)',
    byHand: (rows) => rows.reduce((m, r) => Math.max(m, r.additions), 0),
  },
  {
    name: 'object',
    query: '$.{"n": number, "who": user.login, "size": additions + deletions}',
    byHand: (rows) => rows.map((r) => ({ n: r.number, who: r.user.login, size: r.additions + r.deletions })),
  },
  {
    name: 'text',
    query: '$.(user.login & "#" & $string(number))',
    byHand: (rows) => rows.map((r) => `${r.user.login}#${r.number}`),
  },
  {
    name: 'contains',
    query: '$[$contains(title, "module 7")].number',
    byHand: (rows) => rows.filter((r) => r.title.includes('module 7')).map((r) => r.number),
  },
  {
    name: 'filter, map',
    query: '$map($filter($, function($p){ $p.comments > 20 }), function($p){ $p.title })',
    byHand: (rows) => rows.filter((r) => r.comments > 20).map((r) => r.title),
  },
  {
    name: 'group',
    query: '$' + '{user.login: $sum(additions)}',
    byHand: (rows) =>
      groupBy(
        rows,
        (r) => r.user.login,
        (g) => sum(g, (r) => r.additions),
      ),
    quadratic: true,
  },
  {
    name: 'sort',
    query: '$^(>created_at).number',
    byHand: (rows) =>
      rows
        .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0))
        .map((r) => r.number),
    quadratic: true,
  },
];

async function best(repeats: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    await work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const rows = pulls(COUNT);
const withReference = !process.argv.includes('--no-reference');
const overHand: number[] = [];
const overReference: number[] = [];
console.log(
  `${'shape'.padEnd(16)}${'hand ms'.padStart(9)}${'ours ms'.padStart(9)}${'x hand'.padStart(8)}${'ref ms'.padStart(10)}${'x faster'.padStart(10)}`,
);
for (const { name, query, byHand, quadratic } of SHAPES) {
  const engine = compile(query);
  if (JSON.stringify(engine.evaluate(rows)) !== JSON.stringify(byHand(rows)))
    throw new Error(`${name}: results differ`);
  const hand = await best(REPEATS * 2, () => byHand(rows));
  const ours = await best(REPEATS * 2, () => engine.evaluate(rows));
  overHand.push(ours / hand);
  let columns = `${name.padEnd(16)}${hand.toFixed(2).padStart(9)}${ours.toFixed(2).padStart(9)}${(ours / hand).toFixed(2).padStart(8)}`;
  if (withReference && !quadratic) {
    const reference = jsonata(query);
    const theirs = await best(2, () => reference.evaluate(rows));
    overReference.push(theirs / ours);
    columns += `${theirs.toFixed(0).padStart(10)}${(theirs / ours).toFixed(1).padStart(10)}`;
  } else if (quadratic) columns += '  quadratic'.padStart(20);
  console.log(columns);
}
const mean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((s, r) => s + Math.log(r), 0) / ratios.length);
console.log(`geometric mean: ${mean(overHand).toFixed(2)} times the hand-written loop (goal: at most 2.5)`);
if (withReference)
  console.log(
    `geometric mean: ${mean(overReference).toFixed(1)} times faster than the reference (goal: at least 15)`,
  );
