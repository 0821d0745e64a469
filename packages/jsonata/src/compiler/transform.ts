import { apply, Native } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { compileSignature } from '../runtime/signature.ts';
import { isFunction, isObject, setKey } from '../runtime/values.ts';
import type { TransformNode } from './ast.ts';
import { compileIn, type Place } from './place.ts';
import { compileVariable, inOwnFrame } from './variables.ts';

const signature = compileSignature('<(oa):o>');

/** `| pattern | update, delete |`: a function that gives a changed copy of its argument. */
export function compileTransform(node: TransformNode, place: Place): Code {
  const nodes =
    node.delete === undefined ? [node.pattern, node.update] : [node.pattern, node.update, node.delete];
  const clone = compileVariable('clone', place);
  const change = inOwnFrame(nodes, place, (inner) => compileChange(node, inner));
  return (input, frame) =>
    new Native(1, signature, ([value], site) => {
      if (value === undefined) return undefined;
      const cloneFunction = clone(input, frame);
      if (!isFunction(cloneFunction)) throw new JsonataError('T2013', { position: node.position });
      const copy = apply(cloneFunction, [value], { input: null, frame, depth: site.depth });
      change(copy, frame);
      return copy;
    });
}

function compileChange(node: TransformNode, place: Place): Code {
  const pattern = compileIn(place, node.pattern);
  const update = compileIn(place, node.update);
  const remove = node.delete && compileIn(place, node.delete);
  return (copy, frame) => {
    const matches = pattern(copy, frame);
    if (matches === undefined) return;
    for (const match of Array.isArray(matches) ? matches : [matches]) {
      frame.run.budget.spend(1);
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
