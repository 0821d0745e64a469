import { builtin } from '../functions/library.ts';
import { apply, type Callable, Native } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import type { Budget } from '../runtime/limits.ts';
import { compileSignature } from '../runtime/signature.ts';
import { isFunction, isObject, setKey } from '../runtime/values.ts';
import { childrenOf, type Node, type TransformNode } from './ast.ts';
import { compileIn, type Place } from './place.ts';
import { compileVariable, inOwnFrame } from './variables.ts';

const signature = compileSignature('<(oa):o>');

/** Whether a pattern names nothing but what it is evaluated on: it cannot match anything outside of the copy. */
function staysInside(node: Node): boolean {
  if (['function', 'partial', 'lambda', 'apply', 'bind', 'transform', 'parent'].includes(node.type))
    return false;
  if (node.type === 'variable' && node.value !== '') return false;
  return node.focus === undefined && node.index === undefined && childrenOf(node).every(staysInside);
}

/** The objects and arrays that a copy consists of. */
function partsOf(copy: unknown, budget: Budget): Set<object> {
  const parts = new Set<object>();
  const open = [copy];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || parts.has(value)) continue;
    budget.spend(1);
    parts.add(value);
    for (const inner of Object.values(value)) open.push(inner);
  }
  return parts;
}

/**
 * `| pattern | update, delete |`: a function that gives a changed copy of its argument. Nothing else is changed, whatever
 * the pattern or a `$clone` of the expression's own gives: the input belongs to later evaluations too.
 */
export function compileTransform(node: TransformNode, place: Place): Code {
  const nodes =
    node.delete === undefined ? [node.pattern, node.update] : [node.pattern, node.update, node.delete];
  const clone = compileVariable('clone', place);
  const ownClone = builtin('clone') as Callable;
  const change = inOwnFrame(nodes, place, (inner) => compileChange(node, inner));
  return (input, frame) =>
    new Native(1, signature, ([value], site) => {
      if (value === undefined) return undefined;
      const cloneFunction = clone(input, frame);
      if (!isFunction(cloneFunction)) throw new JsonataError('T2013', { position: node.position });
      const given = apply(cloneFunction, [value], { input: null, frame, depth: site.depth });
      const isOwn = cloneFunction === ownClone || typeof given !== 'object' || given === null;
      const copy = isOwn ? given : apply(ownClone, [given], { input: null, frame, depth: site.depth });
      change(copy, frame);
      return copy;
    });
}

function compileChange(node: TransformNode, place: Place): Code {
  const pattern = compileIn(place, node.pattern);
  const update = compileIn(place, node.update);
  const remove = node.delete && compileIn(place, node.delete);
  const isInside = staysInside(node.pattern);
  return (copy, frame) => {
    const matches = pattern(copy, frame);
    if (matches === undefined) return;
    const parts = isInside ? undefined : partsOf(copy, frame.run.budget);
    for (const match of Array.isArray(matches) ? matches : [matches]) {
      frame.run.budget.spend(1);
      if (parts && !parts.has(match as object)) continue;
      applyUpdate(match, update(match, frame), { frame, position: node.update.position });
      if (remove !== undefined) applyDelete(match, remove(match, frame), node.delete?.position);
    }
  };
}

function applyUpdate(
  match: unknown,
  update: unknown,
  at: { frame: Frame; position: number | undefined },
): void {
  if (update === undefined) return;
  if (!isObject(update)) throw new JsonataError('T2011', { position: at.position, value: update });
  if (typeof match !== 'object' || match === null) return;
  for (const key of Object.keys(update)) {
    setKey(match as Record<string, unknown>, key, at.frame.run.keep(update[key]));
  }
}

function applyDelete(match: unknown, names: unknown, position: number | undefined): void {
  if (names === undefined) return;
  const list: unknown[] = Array.isArray(names) ? names : [names];
  for (const name of list) {
    if (typeof name !== 'string') throw new JsonataError('T2012', { position, value: names });
  }
  if (typeof match !== 'object' || match === null) return;
  for (const name of list) Reflect.deleteProperty(match, name as string);
}
