import { describe, expect, it } from 'vitest';
import type { LambdaNode } from './ast.ts';
import { keyOrder } from './key-order.ts';
import { parse } from './parse.ts';

function orderOf(body: string) {
  const { body: parsed } = parse(`function($l, $r){ ${body} }`) as LambdaNode;
  return keyOrder(parsed, ['l', 'r']);
}

describe('keyOrder', () => {
  it.each([
    ['$l > $r', [], false, false],
    ['$l < $r', [], true, false],
    ['$r < $l', [], false, false],
    ['$r > $l', [], true, false],
    ['$l.a.b > $r.a.b', ['a', 'b'], false, false],
    ['$r.a.b > $l.a.b', ['a', 'b'], true, false],
    ['$l.a - $r.a > 0', ['a'], false, true],
    ['$r.a - $l.a > 0', ['a'], true, true],
    ['$l.a - $r.a < 0', ['a'], true, true],
    ['$r - $l < 0', [], false, true],
  ])('finds the key by which %s sorts', (body, names, descending, isDifference) => {
    expect(orderOf(body)).toEqual({ names, descending, isDifference });
  });

  it.each([
    '$l >= $r',
    '$l.a > $r.b',
    '$l.a > $l.a',
    '$l.a[0] > $r.a[0]',
    '$l.a - $r.a > 1',
    '$l.a + $r.a > 0',
    '$l.a - $r.a - 1 > 0',
    '$other > $r',
  ])('finds no single key in %s', (body) => {
    expect(orderOf(body)).toBeUndefined();
  });
});
