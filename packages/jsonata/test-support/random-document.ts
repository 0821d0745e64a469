import type { Random } from './random.ts';

/** Field names that documents and expressions share, so that expressions match something. */
export const NAMES = ['a', 'b', 'c', 'd', 'list', 'rows', 'name', 'n'] as const;

const TEXTS = ['', 'x', 'open', 'closed', 'abc def', '12', '-3.5', 'Zürich', 'a,b,c', '2024-02-29T12:30:00Z'];
const NUMBERS = [0, 1, 2, 3, -1, 10, 2.5, -0.75, 100, 1e6, 1234.5678];

/** Returns a random JSON document. */
export function randomDocument(random: Random, depth = 4): unknown {
  if (depth > 0 && random.chance(0.7)) {
    return random.chance(0.65) ? randomObject(random, depth) : randomArray(random, depth);
  }
  return randomScalar(random);
}

export function randomScalar(random: Random): unknown {
  const kind = random.below(10);
  if (kind < 4) return random.pick(NUMBERS);
  if (kind < 8) return random.pick(TEXTS);
  return random.pick([true, false, null]);
}

function randomObject(random: Random, depth: number): unknown {
  const object: Record<string, unknown> = {};
  for (const name of random.many(0, 5, () => random.pick(NAMES)))
    object[name] = randomDocument(random, depth - 1);
  if (random.chance(0.5)) object.rows = rows(random);
  return object;
}

function randomArray(random: Random, depth: number): unknown {
  if (random.chance(0.3)) return rows(random);
  if (random.chance(0.3)) return random.many(0, 5, () => random.pick(NUMBERS));
  return random.many(0, 4, () => randomDocument(random, depth - 1));
}

/** Returns objects with similar fields, like records. */
function rows(random: Random): unknown {
  return random.many(0, 5, () => ({
    n: random.pick(NUMBERS),
    name: random.pick(TEXTS),
    a: random.chance(0.2) ? undefined : random.pick(['p', 'q', 'r']),
    list: random.many(0, 3, () => random.pick(TEXTS)),
    b: { c: random.pick(NUMBERS), d: random.many(0, 2, () => ({ n: random.pick(NUMBERS) })) },
  }));
}
