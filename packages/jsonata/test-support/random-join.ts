import type { Random } from './random.ts';

/** Lists that a join reads as `$a`, `$b` and `$c`, and the expression over them. */
export interface RandomJoin {
  readonly expression: string;
  readonly lists: Readonly<Record<'a' | 'b' | 'c', readonly unknown[]>>;
}

const KEYS = [
  1,
  2,
  3,
  '1',
  '2',
  'x',
  'X',
  '',
  true,
  null,
  2.5,
  [1, 2],
  [2, 1],
  { p: 1, q: [2] },
  { q: [2], p: 1 },
  0,
  false,
  'true',
  'null',
  1e308,
  [],
  [1],
  [[1]],
  {},
  '__proto__',
  'constructor',
  '\0number1',
];
const TEXTS = ['x', 'X', 'abc', '', 'x y'];

function randomItem(random: Random, keys: readonly unknown[]): unknown {
  if (random.chance(0.02)) return random.pick([7, 'x', null, []]);
  const item: Record<string, unknown> = { n: random.below(5), t: random.pick(TEXTS) };
  if (random.chance(0.9)) item.k = random.pick(keys);
  if (random.chance(0.7)) item.o = { k: random.pick(keys), l: random.many(0, 3, () => random.pick(keys)) };
  if (random.chance(0.03)) item.n = random.pick(['3', null, undefined]);
  if (random.chance(0.03)) item.t = 5;
  return item;
}

/** Returns a list that is often long enough to be indexed, with many equal keys or few. */
function randomList(random: Random): unknown[] {
  const simple = random.chance(0.6);
  const keys = simple ? Array.from({ length: 2 + random.below(20) }, (_, key) => key) : KEYS;
  return random.many(0, 26, () => randomItem(random, keys));
}

/** Returns a field of a variable, or a value computed from one. */
function side(random: Random, variable: string): string {
  return random.pick([
    `$${variable}.k`,
    `$${variable}.k`,
    `$${variable}.k`,
    `$${variable}.o.k`,
    `$${variable}.n`,
    `$${variable}.t`,
    `$lowercase($${variable}.t)`,
    `($${variable}.t ~> $uppercase())`,
    `$string($${variable}.k)`,
    `($${variable}.n + 1)`,
    `$${variable}.o.l`,
    `$${variable}.o.l[0]`,
    `$${variable}`,
  ]);
}

function condition(random: Random, mine: string, others: readonly string[]): string {
  const other = random.pick(others);
  const equality = random.chance(0.5)
    ? `${side(random, mine)} = ${side(random, other)}`
    : `${side(random, other)} = ${side(random, mine)}`;
  const more = (): string =>
    random.pick([
      `$${mine}.n < $${other}.n`,
      `$${mine}.n >= $${other}.n`,
      `$${mine}.t != $${other}.t`,
      `$${mine}.k = $${other}.k`,
      `$${mine}.n = 1`,
      `$${mine}.k in $${other}.o.l`,
      `$exists($${other}.o)`,
      `$${mine}.n`,
      'k = n',
      'false',
    ]);
  return random.pick([
    () => equality,
    () => equality,
    () => equality,
    () => `${equality} and ${more()}`,
    () => `${more()} and ${equality}`,
    () => `${equality} and ${equality} and ${more()}`,
    () => `${more()} and ${more()}`,
    () => `${equality} or ${more()}`,
    () => more(),
  ])();
}

/** Returns what follows a join: positions, an order, a grouping, or an object for each pair. */
function tail(random: Random, [x, y]: readonly [string, string]): string {
  return random.pick([
    `.{"x": $${x}.n, "y": $${y}}`,
    `.{"x": $${x}.n, "y": $${y}}`,
    `.[$${x}.n, $${y}.k]`,
    `.$${y}.t`,
    `[0].$${y}`,
    `[[1..3]].{"x": $${x}, "y": $${y}.n}`,
    `[$${y}.n > 1].$${y}.n`,
    `^(>$${y}.n, $${x}.t).{"x": $${x}.n, "y": $${y}.n}`,
    `{$string($${x}.n): $${y}.n}`,
    `#$i.{"i": $i, "y": $${y}.k}`,
  ]);
}

function joinOfTwo(random: Random): string {
  const lists = random.pick([
    (at: string) => `$a@$x.$b@$y${at}`,
    (at: string) => `$a@$x.$b@$y${at}`,
    (at: string) => `$$.(a@$x.b@$y${at}`,
    (at: string) => `a@$x.b@$y${at}`,
    (at: string) => `a@$x.$$.b@$y${at}`,
    (at: string) => `$a@$x[$x.n > 0].$b@$y${at}`,
  ]);
  const number = random.chance(0.15) ? '#$j' : '';
  const by = number !== '' && random.chance(0.3) ? ' and $j < 9' : '';
  const text = lists(`${number}[${condition(random, 'y', ['x'])}${by}]${tail(random, ['x', 'y'])}`);
  return text.startsWith('$$.(') ? `${text})` : text;
}

function joinOfThree(random: Random): string {
  const first = condition(random, 'y', ['x']);
  const second = condition(random, 'z', ['x', 'y']);
  return `$a@$x.$b@$y[${first}].$c@$z[${second}]${tail(
    random,
    random.pick([
      ['x', 'z'],
      ['y', 'z'],
    ]),
  )}`;
}

function loop(random: Random): string {
  const other = side(random, 'x').replace(/^\$x$/, '$x.k');
  const own = random.pick(['k', 'k', 'o.k', 'n', 't', '$lowercase(t)', '$.k', 'o.l']);
  const more = random.pick(['', '', ' and n > 1', ' and t != $x.t', ' and $exists(o)']);
  const filter = random.chance(0.5) ? `${own} = ${other}${more}` : `${other} = ${own}${more}`;
  return random.pick([
    `$a.($x := $; $b[${filter}].n)`,
    `$a@$x.{"n": $count($b[${filter}]), "k": k}`,
    `$map($a, function($x){ $b[${filter}] })`,
    `$a@$x[$count($$.b[${filter}]) = 0].$x.n`,
    `($l := $b{$string(k): $}; $a.{"k": k, "found": $lookup($l, $string(k)).n})`,
    '$a[k in $b.k].n',
    '$a[$not(k in $b.o.k)].k',
    '$a[o.k in $b.k].{"n": n}',
    '($l := $b.o.l; $a.(k in $l))',
    '$a.($x := $; $c[k in $b.k and n = $x.n].t)',
  ]);
}

/** Returns a random join of lists of records, by the operators of the language. */
export function randomJoin(random: Random): RandomJoin {
  const expression = random.pick([joinOfTwo, joinOfTwo, joinOfTwo, joinOfThree, loop, loop])(random);
  return { expression, lists: { a: randomList(random), b: randomList(random), c: randomList(random) } };
}

/** Removes items from the lists as long as a join still fails. @returns the smallest failing join that was found */
export async function shrink(
  join: RandomJoin,
  fails: (smaller: RandomJoin) => Promise<boolean>,
): Promise<RandomJoin> {
  let smallest = join;
  for (const name of ['a', 'b', 'c'] as const) {
    for (let at = 0; at < smallest.lists[name].length; ) {
      const smaller = {
        ...smallest,
        lists: { ...smallest.lists, [name]: smallest.lists[name].toSpliced(at, 1) },
      };
      if (await fails(smaller)) smallest = smaller;
      else at++;
    }
  }
  return smallest;
}
