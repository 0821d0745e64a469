import { isInherited, readChain, SLOW, Tally } from '../runtime/fields.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import type { PathNode } from './ast.ts';
import { compileGroup } from './group.ts';
import { compileIn, type Place } from './place.ts';
import { compileStep, lastItems, lastValue, type Step } from './steps.ts';
import { compileTuplePath } from './tuples.ts';

/** A location path: each step is applied to every item that the step before gave. */
export function compilePath(node: PathNode, place: Place): Code {
  if (node.steps.some((step) => step.tuple)) return compileTuplePath(node, place);
  const path = compilePlain(node, place);
  const names = plainNames(node);
  if (names === undefined) return path;
  return (input, frame) => {
    if (typeof input !== 'object' || input === null) return undefined;
    if (!Array.isArray(input)) {
      const value = readChain(input, names);
      if (value !== SLOW) return value;
    }
    return path(input, frame);
  };
}

/** The names of a path that consists of nothing else. */
function plainNames(node: PathNode): string[] | undefined {
  if (node.group !== undefined || node.keepSingletonArray || node.keepArray) return undefined;
  const names: string[] = [];
  for (const step of node.steps) {
    if (step.type !== 'name' || step.stages || step.predicate || step.group || step.keepArray)
      return undefined;
    if (isInherited(step.value)) return undefined;
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
    for (let i = 0; i < steps.length; i++) {
      items =
        i === 0 && constructed !== undefined
          ? (constructed(items, frame) as unknown[])
          : (steps[i] as Step).map(items, frame, new Tally());
      if (items.length === 0) return group === undefined ? undefined : group(items, frame);
    }
    if (constructed !== undefined && steps.length === 0) return finish(constructed(items, frame), frame);
    if (group !== undefined) return group(lastItems(final, items, frame), frame);
    return lastValue(final, items, { frame, keep, wrap });
  };

  /** The value of a path whose only step is an array written out. */
  function finish(value: unknown, frame: Frame): unknown {
    return group === undefined ? value : group(value, frame);
  }
}
