import { describe, expect, it } from 'vitest';
import { agree, byEngine, byReference, type Outcome } from '../test-support/outcome.ts';
import { Random } from '../test-support/random.ts';
import { type RandomJoin, randomJoin, shrink } from '../test-support/random-join.ts';
import { compile, JsonataError } from './index.ts';

const SEED = Number(process.env.JOINS_SEED ?? 20261128);
const COUNT = Number(process.env.JOINS_COUNT ?? 1500);

async function outcomesOf({ expression, lists }: RandomJoin): Promise<[expected: Outcome, actual: Outcome]> {
  const text = JSON.stringify(lists);
  const copy = () => JSON.parse(text) as Record<string, unknown>;
  return [await byReference(expression, copy(), copy()), byEngine(expression, JSON.parse(text), copy())];
}

const isTimeout = (outcome: Outcome) => outcome.kind === 'error' && outcome.code === 'D1012';

/** Lists of `count` items, whose field `ref` refers to the `id` of another one. */
function items(count: number): { id: number; ref: number; at: number }[] {
  return Array.from({ length: count }, (_, id) => ({ id, ref: (id * 7919) % count, at: id % 10 }));
}

function codeOf(expression: string, bindings: Record<string, unknown>, pairs: number): string {
  try {
    compile(expression, { pairs }).evaluate(null, bindings);
    return 'none';
  } catch (error) {
    return (error as JsonataError).code;
  }
}

describe('a join', () => {
  it(`selects what the reference selects, ${COUNT} random joins, seed ${SEED}`, {
    timeout: 600_000,
  }, async () => {
    const random = new Random(SEED);
    const counts = { values: 0, nothing: 0, errors: 0, crashes: 0, timeouts: 0 };
    for (let i = 0; i < COUNT; i++) {
      const join = randomJoin(random);
      const [expected, actual] = await outcomesOf(join);
      if (isTimeout(expected)) {
        counts.timeouts++;
        continue;
      }
      if (expected.kind === 'error') counts[expected.code === undefined ? 'crashes' : 'errors']++;
      else counts[expected.value === undefined ? 'nothing' : 'values']++;
      if (agree(expected, actual)) continue;
      const smallest = await shrink(join, async (smaller) => {
        const [theirs, ours] = await outcomesOf(smaller);
        return !isTimeout(theirs) && !agree(theirs, ours);
      });
      const [theirs, ours] = await outcomesOf(smallest);
      expect({ ...smallest, outcome: ours }).toEqual({ ...smallest, outcome: theirs });
    }
    console.log(JSON.stringify(counts));
    expect(counts.values).toBeGreaterThan(COUNT / 3);
    expect(counts.errors).toBeGreaterThan(COUNT / 100);
    expect(counts.crashes + counts.timeouts).toBeLessThan(COUNT / 50);
  });

  it.each([
    '$count($a@$x.$b@$y[$y.id = $x.ref])',
    '$count($a@$x.$b@$y[$x.ref = $y.id and $y.at >= 0])',
    '$count(a@$x.b@$y[$y.id = $x.ref])',
    '$count($a@$x.$b@$y[$y.id = $x.ref].$c@$z[$z.id = $y.ref and $z.at = $z.id % 10])',
    '$sum($a.($x := $; $count($b[id = $x.ref])))',
    '$sum($map($a, function($x){ $count($b[id = $x.ref]) }))',
    '$count($a[ref in $b.id])',
    '($byId := $b{$string(id): $}; $count($a[$exists($lookup($byId, $string(ref)))]))',
  ])('reads each item of long lists a few times only: %s', (expression) => {
    const lists = { a: items(5000), b: items(5000), c: items(5000) };
    // The nested loop needs 25,000,000 steps.
    const query = compile(expression, { steps: 600_000 });
    expect(query.evaluate(lists, lists)).toBe(5000);
  });

  it('is refused before it compares more pairs than the limit, with the faster form', () => {
    const lists = { a: items(1000), b: items(1000) };
    const slow = '$count($a@$x.$b@$y[$y.at > $x.at])';
    expect(codeOf(slow, lists, 1_000_000)).toBe('none');
    expect(codeOf(slow, lists, 999_999)).toBe('L1007');
    expect(codeOf('$count($a@$x.$b@$y[$y.id = $x.ref])', lists, 2000)).toBe('none');
    expect(codeOf('$count($a@$x.$b@$y[$y.at = $x.at])', lists, 90_000)).toBe('L1007');
    expect(codeOf('$count($a@$x.$b@$y)', lists, 999_999)).toBe('L1007');
    try {
      compile(slow, { pairs: 999_999 }).evaluate(null, lists);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JsonataError);
      expect((error as JsonataError).message).toBe(
        'This join would compare 1000000 pairs of items. Begin the condition after "$y" with an equality of a field of ' +
          'each list, as in $a@$x.$b@$y[$y.id = $x.ref], or group one list, $byRef := $b{ref: $}, and read $lookup($byRef, id)',
      );
    }
  });

  it('evaluates a condition by functions that the caller binds', () => {
    const calls: unknown[] = [];
    const lowercase = (text: unknown) => calls.push(text);
    const a = items(20);
    compile('$a@$x.$b@$y[$lowercase($y.id) = $x.id]').evaluate(null, { a, b: a, lowercase });
    expect(calls).toHaveLength(400);
  });
});
