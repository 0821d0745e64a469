import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { compile, type JsonataError, planStream, type StreamPlan } from '../index.ts';

interface Row {
  n: number;
  state: string;
  additions: number;
  user: { login: string };
}

function rowsFrom(first: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const n = first + index;
    return {
      n,
      state: n % 3 === 0 ? 'open' : 'closed',
      additions: (n * 7919) % 1000,
      user: { login: `u${n % 7}` },
    };
  });
}

function planOf(expression: string, bindings: Record<string, unknown> = {}): StreamPlan {
  const { plan } = planStream(expression, { bindings });
  if (plan === undefined) throw new Error(`not streamed: ${expression}`);
  return plan;
}

const STREAMED = [
  '$count($)',
  '$sum(additions)',
  '$distinct(user.login)',
  '$[state = "open"]^(>additions)[[0..9]]',
  '$[state = "open"].{"n": n, "who": user.login}',
  '$ {user.login: {"count": $count($), "most": $max(additions)}}',
  '{"open": $count($[state = "open"]), "share": $count($[state = "open"]) / $count($)}',
  '$[-1].n',
  '($[state = "open"].n)[[0..3]]',
  '($open := $count($[state = "open"]); $open > 10 ? "many" : "few")',
  '$join($distinct(user.login)^($), ", ")',
  '$[n >= $since].n',
];

describe('planStream', () => {
  it.each(STREAMED)('streams %s', (expression) => {
    const rows = rowsFrom(0, 100);
    const plan = planOf(expression, { since: 90 });
    for (let at = 0; at < rows.length; at += 9) plan.push(rows.slice(at, at + 9));
    expect(plan.finish()).toEqual(compile(expression).evaluate(rows, { since: 90 }));
  });

  // @covers 17.streamed-expression-holds
  it.each([
    ['$sort(additions)', /takes all rows at once/],
    ['$^(additions)', /Sorting needs all rows/],
    ['$[n]', /select by position/],
    ['$.(n / $count($$))', /`\$\$` refers to all rows/],
    ['$#$i[$i < 3]', /need all rows/],
    ['$eval("n")', /\$eval/],
    ['($x := 3; $[n > $x])', /\$x is computed by the expression itself/],
    ['$.{"n": n}^(n)[0]', /construct new values afterwards/],
    ['$reduce($, function($a, $b){ $a })', /takes all rows at once/],
  ])('returns a reason not to stream %s', (expression, reason) => {
    expect(planStream(expression)).toEqual({ reason: expect.stringMatching(reason) });
  });

  it('refuses an aggregate that a variable hides', () => {
    expect(planStream('$sum(n)', { bindings: { sum: 1 } })).toHaveProperty('reason');
  });

  it('drains the items of a list once there are two', () => {
    const plan = planOf('$[state = "open"].n');
    plan.push(rowsFrom(0, 3));
    expect(plan.drain()).toEqual([]);
    plan.push(rowsFrom(3, 6));
    expect(plan.drain()).toEqual([0, 3, 6]);
    plan.push(rowsFrom(9, 1));
    expect(plan.finish()).toEqual([9]);
  });

  // @covers 17.expression-over-rows
  it('reports the error of the earliest step at the end, like the engine', () => {
    const rows = [
      { a: 1, b: 'x' },
      { a: 1, b: 1 },
      { a: 'x', b: 1 },
    ];
    const expression = '$[a > 0].(b * 2)';
    const plan = planOf(expression);
    for (const row of rows) plan.push([row]);
    const errorOf = (work: () => unknown) => {
      try {
        return work();
      } catch (thrown) {
        const { code, position, message } = thrown as JsonataError;
        return { code, position, message };
      }
    };

    const expected = errorOf(() => compile(expression).evaluate(rows));

    expect(expected).toMatchObject({ code: 'T2009' });
    expect(errorOf(() => plan.finish())).toEqual(expected);
  });

  it('fails as soon as a limit is exceeded', () => {
    const { plan } = planStream('$sum(n)', { limits: { steps: 1000 } });
    expect(() => plan?.push(rowsFrom(0, 100_000))).toThrow(/more than 1000 steps/);
  });

  it('reports a limit that a later key of an order reaches', () => {
    const { plan } = planStream('$^(state, $sum([1..1000000]))[0]', { limits: { steps: 1000 } });
    expect(() => plan?.push(rowsFrom(0, 10))).toThrow(/more than 1000 steps/);
  });

  // @covers 17.streamed-expression-holds
  it.each([
    ['$count($[state = "open"])', 0],
    ['$sum(additions)', 0],
    ['$distinct(user.login)', 0],
    ['$[[0..9]]', 10],
    ['$[-3]', 3],
    ['$[state = "open"]^(>additions)[[0..9]]', 300],
    ['$ {user.login: $sum(additions)}', 0],
    ['$[state = "open"]', 1],
  ])('holds no more rows than %s needs', async (expression, most) => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const plan = planOf(expression);
    const refs: WeakRef<Row>[] = [];
    for (let at = 0; at < 60_000; at += 1000) {
      const rows = rowsFrom(at, 1000);
      for (const row of rows) refs.push(new WeakRef(row));
      plan.push(rows);
      plan.drain();
    }
    // A WeakRef that was read in this turn of the event loop keeps its target until the turn ends.
    await new Promise((resolve) => setTimeout(resolve, 0));
    gc();
    expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThanOrEqual(most + 1000);

    plan.finish();
  });
});
