import { compileChain, isInherited, SLOW, Tally } from '../runtime/fields.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { markKept } from '../runtime/sequence.ts';
import type { Node, PathNode } from './ast.ts';
import { isEmpty, itemsOf } from './constructed.ts';
import { compileGroup } from './group.ts';
import { compileIn, type Place } from './place.ts';
import { compileStep, lastItems, lastValue, type Step } from './steps.ts';
import { compileTuplePath } from './tuples.ts';

/** A location path: each step is applied to every item that the step before gave. */
export function compilePath(node: PathNode, place: Place): Code {
  if (node.steps.some((step) => step.tuple)) return compileTuplePath(node, place);
  const path = compilePlain(node, place);
  const [first, ...rest] = node.steps;
  if (hasExtras(node) || first === undefined) return path;
  if (first.type === 'variable' && rest.length > 0 && !hasExtras(first)) {
    const names = plainNames(rest);
    return names === undefined ? path : chainFrom(compileIn(place, first), names, path);
  }
  const names = plainNames(node.steps);
  return names === undefined ? path : chainFrom(undefined, names, path);
}

/** A path of names alone, below the context or a variable; the general way takes over where there are arrays. */
function chainFrom(start: Code | undefined, names: readonly string[], path: Code): Code {
  const chain = compileChain(names);
  if (start === undefined) {
    return (input, frame) => {
      const value = chain(input);
      return value === SLOW ? path(input, frame) : value;
    };
  }
  return (input, frame) => {
    const value = chain(start(input, frame));
    return value === SLOW ? path(input, frame) : value;
  };
}

/** Whether anything but the name of a step matters. */
function hasExtras(node: Node): boolean {
  if (node.type === 'path' && node.keepSingletonArray) return true;
  return Boolean(node.stages ?? node.predicate ?? node.group) || node.keepArray === true;
}

/** The names of steps that are nothing else. */
function plainNames(steps: readonly Node[]): string[] | undefined {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'name' || hasExtras(step) || isInherited(step.value)) return undefined;
    names.push(step.value);
  }
  return names;
}

function compilePlain(node: PathNode, place: Place): Code {
  const [first] = node.steps;
  const isAbsolute = first?.type === 'variable';
  const constructed = first?.consarray ? compileIn(place, first) : undefined;
  const steps = node.steps.map((step) => compileStep(step, place));
  const final = steps.pop() as Step;
  const wrap = node.keepSingletonArray === true;
  const keep = wrap || node.keepArray === true;
  const group = node.group && compileGroup(node.group, place);

  return (input, frame) => {
    let items: readonly unknown[] = Array.isArray(input) && !isAbsolute ? input : [input];
    let start = 0;
    if (constructed !== undefined && steps.length > 0) {
      const value = constructed(items, frame);
      if (isEmpty(value)) return finish(value, frame);
      items = itemsOf(value);
      start = 1;
    }
    for (let i = start; i < steps.length; i++) {
      items = (steps[i] as Step).map(items, frame, new Tally());
      if (items.length === 0) return group === undefined ? undefined : group(items, frame);
    }
    if (constructed !== undefined && steps.length === 0) return finish(constructed(items, frame), frame);
    if (group !== undefined) return group(lastItems(final, items, frame), frame);
    return lastValue(final, items, { frame, keep, wrap });
  };

  /** The value of a path whose only step is an array written out. */
  function finish(value: unknown, frame: Frame): unknown {
    if (group !== undefined) return group(value === undefined ? [] : value, frame);
    return wrap && Array.isArray(value) ? markKept([value]) : value;
  }
}
