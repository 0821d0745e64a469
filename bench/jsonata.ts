/**
 * Times 15 query shapes over 50,000 records like pull requests: a hand-written loop, our engine and the reference.
 * Then shapes that are quadratic in the reference up to 1,000,000 records, a sort of 200,000, and the engine's size.
 * Run by `node bench/jsonata.ts`; `--no-reference` leaves the slow reference out, `--shapes` all but the shapes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
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

/** Rounds of a measurement: each runs every rival once, so that a busy moment of the machine strikes all alike. */
const ROUNDS = 25;

/**
 * CPU milliseconds of each work, the best of several interleaved rounds. CPU time, since other programs may be running;
 * it includes the collector's threads, which are part of the price.
 */
async function bestOf(works: readonly (() => unknown)[], rounds: number): Promise<number[]> {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage();
      const start = performance.now();
      await work();
      const wall = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      least[index] = Math.min(least[index] ?? wall, Math.min(wall, (user + system) / 1000));
    }
  }
  return least;
}

function mean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((s, r) => s + Math.log(r), 0) / ratios.length);
}

async function compareShapes(withReference: boolean): Promise<void> {
  const rows = pulls(COUNT);
  const overHand: number[] = [];
  const overReference: number[] = [];
  const head = ['hand ms', 'ours ms', 'x hand', 'ref ms', 'x faster'].map((each) => each.padStart(10));
  console.log(`${'shape'.padEnd(16)}${head.join('')}`);
  for (const { name, query, byHand, quadratic } of SHAPES) {
    const engine = compile(query);
    const reference = jsonata(query);
    if (JSON.stringify(engine.evaluate(rows)) !== JSON.stringify(byHand(rows)))
      throw new Error(`${name}: results differ`);
    const [hand = 0, ours = 0] = await bestOf([() => byHand(rows), () => engine.evaluate(rows)], ROUNDS);
    overHand.push(ours / hand);
    const columns = [hand.toFixed(2), ours.toFixed(2), (ours / hand).toFixed(2)];
    if (quadratic) columns.push('', 'quadratic');
    else if (withReference) {
      const [theirs = 0] = await bestOf([() => reference.evaluate(rows)], 5);
      overReference.push(theirs / ours);
      columns.push(theirs.toFixed(0), (theirs / ours).toFixed(1));
    }
    console.log(`${name.padEnd(16)}${columns.map((each) => each.padStart(10)).join('')}`);
  }
  console.log(`geometric mean: ${mean(overHand).toFixed(2)} times the hand-written loop (goal: at most 2.5)`);
  if (withReference)
    console.log(
      `geometric mean: ${mean(overReference).toFixed(1)} times faster than the reference (goal: at least 15)`,
    );
}

/** Shapes that are quadratic in the reference, at growing sizes: microseconds a record must stay about the same. */
async function showLinear(): Promise<void> {
  const shapes = [
    ['group', '$' + '{user.login: $sum(additions)}'],
    ['group by two', '$' + '{user.login & base.repo.name: $count($)}'],
    ['distinct', '$count($distinct(title))'],
    ['append', '$count($append(title, user.login))'],
    ['order-by', '$count($^(created_at))'],
    ['order-by two', '$count($^(>comments, created_at))'],
    ['maximum', '$max(additions)'],
  ] as const;
  const sizes = [10_000, 100_000, 1_000_000];
  const all = pulls(1_000_000);
  console.log(
    `\nmicroseconds a record${sizes.map((size) => `${(size / 1000).toFixed(0)} k`.padStart(10)).join('')}`,
  );
  for (const [name, query] of shapes) {
    const engine = compile(query);
    const columns: string[] = [];
    for (const size of sizes) {
      const rows = all.slice(0, size);
      const [ms = 0] = await bestOf([() => engine.evaluate(rows)], size > 500_000 ? 2 : 5);
      columns.push(((ms * 1000) / size).toFixed(2).padStart(10));
    }
    console.log(`${name.padEnd(21)}${columns.join('')}`);
  }
}

/** 200,000 records ordered by one field and by a comparing function, against the built-in sort. */
async function showSort(): Promise<void> {
  const rows = pulls(200_000);
  const byField = compile('$^(created_at)');
  const byFunction = compile('$sort($, function($l, $r){ $l.created_at > $r.created_at })');
  const compare = (a: Pull, b: Pull): number =>
    a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0;
  const works = [() => rows.toSorted(compare), () => byField.evaluate(rows), () => byFunction.evaluate(rows)];
  const [native = 0, field = 0, comparing = 0] = await bestOf(works, 4);
  console.log(
    `\nsort of 200,000 records: Array.prototype.sort ${native.toFixed(0)} ms (goal: under 3 times)`,
  );
  console.log(`  $^(created_at)              ${field.toFixed(0)} ms, ${(field / native).toFixed(2)} times`);
  console.log(
    `  $sort($, function($l, $r))  ${comparing.toFixed(0)} ms, ${(comparing / native).toFixed(2)} times`,
  );
}

/** What the engine adds to a browser that has the reference parser already. */
function showSize(): void {
  const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'engine-size-'));
  const bundle = join(folder, 'engine.js');
  try {
    const options = ['--external', 'jsonata', '--format', 'esm', '--minify', '--file', bundle];
    execFileSync(process.execPath, [
      file('node_modules/rolldown/bin/cli.mjs'),
      file('packages/jsonata/src/index.ts'),
      ...options,
    ]);
    const code = readFileSync(bundle);
    const kb = (bytes: Buffer): string => `${(bytes.length / 1024).toFixed(1)} KB`;
    console.log(
      `\nin the browser, beside the parser: ${kb(gzipSync(code, { level: 9 }))} gzip, ${kb(brotliCompressSync(code))} brotli (goal: at most 40 KB)`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await compareShapes(!process.argv.includes('--no-reference'));
if (!process.argv.includes('--shapes')) {
  await showLinear();
  await showSort();
  showSize();
}
