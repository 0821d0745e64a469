import { compileChain, isInherited, mapChain, SLOW, Tally } from '../runtime/fields.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { collapse, markKept } from '../runtime/sequence.ts';
import type { Node, PathNode } from './ast.ts';
import { isEmpty, itemsOf } from './constructed.ts';
import { compileGroup } from './group.ts';
import { compileIn, type Place } from './place.ts';
import { compileStep, lastItems, lastValue, type Step } from './steps.ts';
import { compileTuplePath } from './tuples.ts';

/** A location path: each step is applied to every item that the step before gave. */
export function compilePath(node: PathNode, place: Place): Code {
  if (node.steps.some((step) => step.tuple)) return compileTuplePath(node, place);
  return compilePlain(node, place);
}

/**
 * A path of names alone, below the context or a variable: its value is settled at once, except where there are arrays.
 * Undefined for any other path.
 */
export function compileNamePath(node: Node, place: Place): Code | undefined {
  const names = namesOf(node);
  if (node.type === 'path' && names !== undefined)
    return compileChain(names, settled(compilePlain(node, place)));
  if (node.type !== 'path' || hasExtras(node) || node.steps.some((step) => step.tuple)) return undefined;
  const [first, ...rest] = node.steps;
  if (first?.type !== 'variable' || rest.length === 0 || hasExtras(first)) return undefined;
  const below = plainNames(rest);
  if (below === undefined) return undefined;
  const general = settled(compilePlain(node, place));
  const start = compileIn(place, first);
  // The chain hands its own input on to the general way, which begins again with the variable.
  const chain = compileChain(below, () => SLOW);
  return (input, frame) => {
    const value = chain(start(input, frame), frame);
    return value === SLOW ? general(input, frame) : value;
  };
}

function settled(code: Code): Code {
  return (input, frame) => collapse(code(input, frame));
}

/** The names of a path that is nothing but names below a variable; none for the variable itself. */
export function namesBelow(node: Node, variable: string): string[] | undefined {
  if (node.type === 'variable') return node.value === variable && !hasExtras(node) ? [] : undefined;
  if (node.type !== 'path' || hasExtras(node) || node.steps.some((step) => step.tuple)) return undefined;
  const [first, ...rest] = node.steps;
  if (first?.type !== 'variable' || first.value !== variable || hasExtras(first)) return undefined;
  return plainNames(rest);
}

/** The names of a path that is nothing but names. */
export function namesOf(node: Node): string[] | undefined {
  if (node.type !== 'path' || hasExtras(node) || node.steps.some((step) => step.tuple)) return undefined;
  return plainNames(node.steps);
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

/** The steps of a path; runs of names become one step. */
export function compileSteps(nodes: readonly Node[], place: Place): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < nodes.length; at++) {
    let end = at;
    while (
      end < nodes.length &&
      plainNames(nodes.slice(end, end + 1)) !== undefined &&
      !nodes[end]?.consarray
    )
      end++;
    const run = nodes.slice(at, end);
    const each = (run.length > 1 ? run : [nodes[at] as Node]).map((step) => compileStep(step, place));
    steps.push(run.length > 1 ? chainStep(plainNames(run) ?? [], each) : (each[0] as Step));
    if (run.length > 1) at = end - 1;
  }
  return steps;
}

/** Several names in one pass where no arrays are met, else one after the other. */
function chainStep(names: readonly string[], each: readonly Step[]): Step {
  const map: Step['map'] = (items, frame, tally) => {
    const found = mapChain(items, names, { budget: frame.run.budget, tally });
    if (found !== undefined) return found;
    let rest = items;
    for (const [index, step] of each.entries()) {
      const isLast = index === each.length - 1;
      rest = step.map(rest, frame, isLast ? tally : new Tally());
      if (rest.length === 0) break;
    }
    return rest;
  };
  return { map, givesSequences: false, isSort: false };
}

function compilePlain(node: PathNode, place: Place): Code {
  const [first] = node.steps;
  const isAbsolute = first?.type === 'variable';
  const constructed = first?.consarray ? compileIn(place, first) : undefined;
  const steps = compileSteps(node.steps, place);
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
