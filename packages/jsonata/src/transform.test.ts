import { describe, expect, it } from 'vitest';
import { compile, JsonataError } from './index.ts';

const input = () => ({
  list: [
    { n: 1, owner: { login: 'ada' } },
    { n: 2, owner: { login: 'bob' } },
  ],
  empty: {},
});

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}

describe('transform operator', () => {
  it.each([
    ['$ ~> |list|{"n": 0}|', { list: [0, 0] }],
    ['list ~> |$$.list|{"n": 0}|', [1, 2]],
    ['list ~> |$$.list[0].owner|{"login": "x"}, "n"|', [1, 2]],
    ['($all := $$; list ~> |$all.list|{"n": 0}|)', [1, 2]],
    ['($f := function(){ $$.list }; list ~> |$f()|{"n": 0}|)', [1, 2]],
    ['($clone := function($x){ $x }; $ ~> |list|{"n": 0}|)', { list: [0, 0] }],
    ['($clone := function($x){ $$ }; $ ~> |list|{"n": 0}|)', { list: [0, 0] }],
    ['$eval("list ~> |$$.list|{\\"n\\": 0}|")', [1, 2]],
    ['list ~> |$given|{"n": 0}|', [1, 2]],
    ['list ~> |$filter($, function($v){ $v.n = 1 })|{"n": 0}|', [0, 2]],
  ])('changes only its copy: %s', (expression, numbers) => {
    const [document, given] = [input(), { n: 7 }];
    freeze(document);
    freeze(given);
    const result = compile(expression).evaluate(document, { given });
    const found = Array.isArray(result) ? result : (result as { list: unknown[] }).list;
    expect(found.map((one) => (one as { n: number }).n)).toEqual(
      Array.isArray(numbers) ? numbers : numbers.list,
    );
    expect(document).toEqual(input());
    expect(given).toEqual({ n: 7 });
  });

  it('uses the result of a $clone that the expression defines', () => {
    expect(compile('($clone := function($x){ 5 }; $ ~> |list|{"n": 0}|)').evaluate(input())).toBe(5);
    expect(compile('($clone := function($x){ null }; $ ~> |list|{"n": 0}|)').evaluate(input())).toBeNull();
    expect(() => compile('($clone := 1; $ ~> |list|{"n": 0}|)').evaluate(input())).toThrow(JsonataError);
  });
});
