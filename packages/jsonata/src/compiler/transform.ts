import { builtin } from '../functions/library.ts';
import { apply, type Callable, Native } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import type { Budget } from '../runtime/limits.ts';
import { compileSignature } from '../runtime/signature.ts';
import { isFunction, isObject, setKey } from '../runtime/values.ts';
import { childrenOf, type Node, type TransformNode } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { compileVariable, inOwnFrame } from './variables.ts';

const signature = compileSignature('<(oa):o>');

/** Returns whether a pattern can only match parts of the value that it is evaluated on. */
function staysInside(node: Node): boolean {
  if (['function', 'partial', 'lambda', 'apply', 'bind', 'transform', 'parent'].includes(node.type))
    return false;
  if (node.type === 'variable' && node.value !== '') return false;
  return node.focus === undefined && node.index === undefined && childrenOf(node).every(staysInside);
}

/** Returns all objects and arrays of a copy. */
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
 * Compiles `| pattern | update, delete |`: a function that returns a changed copy of its argument. Only the copy is
 * changed, even if the pattern or a user-defined `$clone` returns other values, because the input is reused.
 */
export function compileTransform(node: TransformNode, context: CompileContext): Code {
  const nodes =
    node.delete === undefined ? [node.pattern, node.update] : [node.pattern, node.update, node.delete];
  const clone = compileVariable('clone', context);
  const ownClone = builtin('clone') as Callable;
  const change = inOwnFrame(nodes, context, (inner) => compileChange(node, inner));
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

function compileChange(node: TransformNode, context: CompileContext): Code {
  const pattern = compileIn(context, node.pattern);
  const update = compileIn(context, node.update);
  const remove = node.delete && compileIn(context, node.delete);
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
