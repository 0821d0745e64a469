import type { KeyOrder } from '../runtime/callable.ts';
import type { Node } from './ast.ts';
import { namesBelow } from './path.ts';

/** Recognises a comparator that only compares one key of its two parameters. */
export function keyOrder(body: Node, [left, right]: readonly string[]): KeyOrder | undefined {
  if (left === undefined || right === undefined || left === right) return undefined;
  if (body.type !== 'binary' || (body.value !== '<' && body.value !== '>')) return undefined;
  const sides = { left, right };
  const { lhs, rhs } = body;
  if (lhs.type === 'binary' && lhs.value === '-' && isPlainZero(rhs)) {
    // For example `$l.n - $r.n > 0`.
    const order = comparison({ lhs: lhs.lhs, rhs: lhs.rhs, isGreater: body.value === '>' }, sides);
    return order && { ...order, isDifference: true };
  }
  return comparison({ lhs, rhs, isGreater: body.value === '>' }, sides);
}

function comparison(
  { lhs, rhs, isGreater }: { lhs: Node; rhs: Node; isGreater: boolean },
  { left, right }: { left: string; right: string },
): KeyOrder | undefined {
  const straight = sameNames(namesBelow(lhs, left), namesBelow(rhs, right));
  if (straight !== undefined) return { names: straight, descending: !isGreater, isDifference: false };
  const swapped = sameNames(namesBelow(lhs, right), namesBelow(rhs, left));
  return swapped && { names: swapped, descending: isGreater, isDifference: false };
}

function sameNames(some: string[] | undefined, others: string[] | undefined): string[] | undefined {
  return some !== undefined && some.join('\0') === others?.join('\0') ? some : undefined;
}

function isPlainZero(node: Node): boolean {
  return node.type === 'number' && node.value === 0 && !node.predicate && !node.group;
}
