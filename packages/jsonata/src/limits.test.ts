import { describe, expect, it } from 'vitest';
import { compile, DEFAULT_LIMITS, FUNCTIONS, JsonataError, LIMIT_CODES, type Limits } from './index.ts';

function codeOf(expression: string, limits: Partial<Limits> = {}, input: unknown = {}): string {
  try {
    return `value ${JSON.stringify(compile(expression, limits).evaluate(input))}`;
  } catch (thrown) {
    if (thrown instanceof JsonataError) return thrown.code;
    throw thrown;
  }
}

describe('compile', () => {
  it('has an error code of its own for each limit', () => {
    expect(new Set(Object.values(LIMIT_CODES)).size).toBe(Object.keys(LIMIT_CODES).length);
    expect(Object.keys(LIMIT_CODES)).toEqual(expect.arrayContaining(Object.keys(DEFAULT_LIMITS)));
  });

  it.each<[keyof Limits, number, within: string, beyond: string]>([
    ['steps', 1000, '$sum([1..200])', '$sum([1..2000])'],
    [
      'depth',
      50,
      '($f := function($n){ $n = 0 ? 0 : 1 + $f($n - 1) }; $f(5))',
      '($f := function($n){ 1 + $f($n) }; $f(1))',
    ],
    ['sequenceLength', 100, '[1..100] ~> $count()', '[1..101] ~> $count()'],
    ['stringLength', 100, '$length($pad("", 50))', '$pad("", 101)'],
    ['resultSize', 10, '[1..9].($ & "")', '[1..11]'],
  ])('fails only beyond the limit %s', (name, most, within, beyond) => {
    expect(codeOf(within, { [name]: most })).toMatch(/^value/);
    expect(codeOf(beyond, { [name]: most })).toBe(LIMIT_CODES[name]);
  });

  it.each([
    '$length($)',
    '$trim($)',
    '$uppercase($)',
    '$contains($, "b")',
    '$substringBefore($, "b")',
    '$base64encode($)',
    '$encodeUrl($)',
    '$number($)',
  ])('counts steps for reading a long text: %s', (call) => {
    const text = 'a'.repeat(100_000);
    const often = `$map([1..50], function(){ $$ ~> function($t){ ${call.replace('$)', '$t)').replace('$,', '$t,')} } })`;
    const limits = { steps: 20_000 };
    expect(codeOf(often, limits, 'a'.repeat(10))).not.toBe(LIMIT_CODES.steps);
    expect(codeOf(often, limits, text)).toMatch(/^(L1001|D3030)$/);
  });

  it.each([
    '$formatInteger(1, $p)',
    '$parseInteger("1", $p)',
    '$formatNumber(1, $p)',
    '$formatNumber(1, "0", {"digit": $p})',
    '$fromMillis(0, $p)',
    '$fromMillis(0, "[Y]", $p)',
    '$toMillis("1", $p)',
    '$now($p)',
  ])('refuses an overlong picture: %s', (call) => {
    const picture = `($p := $pad("", 3000, "0,"); ${call})`;
    expect(codeOf(picture)).toBe(LIMIT_CODES.stringLength);
  });

  it('stops counting a result at the time limit', () => {
    const doubling = '$reduce([1..60], function($s, $i){ {"a": $s, "b": $s} }, 1)';
    const most = { resultSize: Number.MAX_SAFE_INTEGER, timeMs: 100 };
    expect(codeOf(doubling, most)).toBe(LIMIT_CODES.timeMs);
  });

  describe('result size', () => {
    const SMALL = { resultSize: 100_000 };

    it('counts the names of members', () => {
      expect(codeOf('($o := {$pad("x", 400000, "x"): 1}; [1..30].$o)', SMALL)).toBe(LIMIT_CODES.resultSize);
      expect(codeOf('[1..30].{$pad("x", 400000, "x"): 1}', SMALL)).toBe(LIMIT_CODES.resultSize);
    });

    it.each([
      `$[0]${'.{"a": $, "b": $}'.repeat(17)}`,
      `$${'.[$, $]'.repeat(17)}`,
      `$${'.([$, $])'.repeat(17)}`,
      `$[0]${'.(true ? {"a": $, "b": $})'.repeat(17)}`,
    ])('counts values that a path multiplies: %s', (expression) => {
      expect(codeOf(expression, SMALL, [{ n: 1 }, { n: 2 }])).toBe(LIMIT_CODES.resultSize);
    });

    it.each([
      '$',
      '$.n',
      '$[n > 0]',
      '$.{"n": n, "m": m, "twice": n}',
      '$^(n)',
      '$sort(n)',
      '$[n > 0].{"all": $}',
    ])('does not count selected input: %s', (expression) => {
      const rows = Array.from({ length: 60_000 }, (_, n) => ({ n, m: n }));
      expect(codeOf(expression, SMALL, rows)).toMatch(/^value/);
    });
  });

  it('stops an endless recursion at the time limit', () => {
    expect(codeOf('($f := function(){ $f() }; $f())', { timeMs: 50, steps: Number.MAX_SAFE_INTEGER })).toBe(
      'D1012',
    );
  });

  it('returns plain results, equal to their JSON and structured clone', () => {
    const input = {
      rows: [
        { a: [1, 2], b: 'x' },
        { a: [3, 4], b: 'y' },
      ],
    };
    for (const expression of [
      'rows.a',
      'rows.{"k": a, "m": [a[]]}',
      'rows{b: a}',
      'rows.[a, b]',
      '$map(rows, function($r){ $r.a })',
    ]) {
      const result = compile(expression).evaluate(input);
      expect(structuredClone(result)).toStrictEqual(result);
      expect(JSON.parse(JSON.stringify(result))).toStrictEqual(result);
      expect(Reflect.ownKeys(result as object).filter((key) => typeof key === 'symbol')).toEqual([]);
    }
    expect(Reflect.ownKeys(input.rows[0]?.a ?? [])).toEqual(['0', '1', 'length']);
  });

  it('treats names of the prototype as plain names', () => {
    expect(codeOf('__proto__')).toBe('value undefined');
    expect(codeOf('constructor.constructor')).toBe('value undefined');
    expect(codeOf('"x".constructor')).toBe('value undefined');
    expect(codeOf('function(){1}.arity')).toBe('value undefined');
    expect(codeOf('$lookup($, "toString")')).toBe('value undefined');
    expect(codeOf('constructor', {}, { constructor: 1 })).toBe('value 1');
    const made = compile('$merge([{"__proto__": {"polluted": 1}}, $spread({"__proto__": 2})])').evaluate({});
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.keys(made as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('reports errors with position, token, value and message', () => {
    try {
      compile('  1 + "x"').evaluate({});
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'T2002', position: 5, token: '+', value: 'x' });
      expect((thrown as Error).message).toBe('The right side of "+" must be a number');
    }
  });

  it('documents every built-in function', () => {
    expect(FUNCTIONS).toHaveLength(65);
    for (const { name, signature, summary } of FUNCTIONS) {
      expect(codeOf(`$type($${name})`)).toBe('value "function"');
      expect(signature).toMatch(/^<.*>$/);
      expect(summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('accepts a regular expression on the left of ?: and ??', () => {
    expect(codeOf('$match("abc", /b/).match ?? "none"')).toBe('value "b"');
    expect(codeOf('$match("abc", /b/).match ?: "none"')).toBe('value "b"');
    expect(codeOf('$match("abc", /x/).match ?? "none"')).toBe('value "none"');
  });
});
