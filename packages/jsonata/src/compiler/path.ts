import { compileChain, isInherited, mapChain, SLOW, Tally } from '../runtime/fields.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { collapse, markKept } from '../runtime/sequence.ts';
import type { Node, PathNode } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { isEmpty, itemsOf } from './constructed.ts';
import { compileGroup } from './group.ts';
import { compileStep, lastItems, lastValue, type Step } from './steps.ts';
import { compileTuplePath } from './tuples.ts';

/** Compiles a path; one with bindings (`@`, `#`, `%`) is evaluated on tuples. */
export function compilePath(node: PathNode, context: CompileContext): Code {
  if (node.steps.some((step) => step.tuple)) return compileTuplePath(node, context);
  return compileItemPath(node, context);
}

/**
 * Compiles a path that consists only of names, below the context or a variable, to direct field reads; arrays use the
 * general code. Returns undefined for other paths.
 */
export function compileNamePath(node: Node, context: CompileContext): Code | undefined {
  const names = namesOf(node);
  if (node.type === 'path' && names !== undefined)
    return compileChain(names, collapsed(compileItemPath(node, context)));
  if (node.type !== 'path' || hasExtras(node) || node.steps.some((step) => step.tuple)) return undefined;
  const [first, ...rest] = node.steps;
  if (first?.type !== 'variable' || rest.length === 0 || hasExtras(first)) return undefined;
  const below = plainNames(rest);
  if (below === undefined) return undefined;
  const general = collapsed(compileItemPath(node, context));
  const start = compileIn(context, first);
  // On arrays, continue with the general code, which starts again from the variable.
  const chain = compileChain(below, () => SLOW);
  return (input, frame) => {
    const value = chain(start(input, frame), frame);
    return value === SLOW ? general(input, frame) : value;
  };
}

/** Wraps code so that its result is collapsed. */
function collapsed(code: Code): Code {
  return (input, frame) => collapse(code(input, frame));
}

/** Returns the names of a path that consists only of names below a variable; empty for the variable itself. */
export function namesBelow(node: Node, variable: string): string[] | undefined {
  if (node.type === 'variable') return node.value === variable && !hasExtras(node) ? [] : undefined;
  if (node.type !== 'path' || hasExtras(node) || node.steps.some((step) => step.tuple)) return undefined;
  const [first, ...rest] = node.steps;
  if (first?.type !== 'variable' || first.value !== variable || hasExtras(first)) return undefined;
  return plainNames(rest);
}

/** Returns the names of a path that consists only of names, `['a', 'b']` for `a.b`; undefined for other nodes. */
export function namesOf(node: Node): string[] | undefined {
  if (node.type !== 'path' || hasExtras(node) || node.steps.some((step) => step.tuple)) return undefined;
  return plainNames(node.steps);
}

/** Returns whether a step or path has more than names: predicates, grouping, or `[]`, which keeps single-item arrays. */
function hasExtras(node: Node): boolean {
  if (node.type === 'path' && node.keepSingletonArray) return true;
  return Boolean(node.stages ?? node.predicate ?? node.group) || node.keepArray === true;
}

/** Returns the names of steps that are only names; undefined if one is not, or is inherited by objects like `toString`. */
function plainNames(steps: readonly Node[]): string[] | undefined {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'name' || hasExtras(step) || isInherited(step.value)) return undefined;
    names.push(step.value);
  }
  return names;
}

/** Compiles the steps of a path; consecutive names become one step. */
export function compileSteps(nodes: readonly Node[], context: CompileContext): Step[] {
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
    const each = (run.length > 1 ? run : [nodes[at] as Node]).map((step) => compileStep(step, context));
    steps.push(run.length > 1 ? chainStep(plainNames(run) ?? [], each) : (each[0] as Step));
    if (run.length > 1) at = end - 1;
  }
  return steps;
}

/** Reads several names in one pass if there are no arrays, or else one after the other. */
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
  return { map, returnsSequences: false, isSort: false };
}

/** Compiles a path without bindings or tuples: each step maps the items of the previous step, and the result is grouped. */
function compileItemPath(node: PathNode, context: CompileContext): Code {
  const [first] = node.steps;
  const isAbsolute = first?.type === 'variable';
  const constructed = first?.consarray ? compileIn(context, first) : undefined;
  const steps = compileSteps(node.steps, context);
  const final = steps.pop() as Step;
  const wrap = node.keepSingletonArray === true;
  const keep = wrap || node.keepArray === true;
  const group = node.group && compileGroup(node.group, context);

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

  /** Returns the value of a path whose only step is an array constructor. */
  function finish(value: unknown, frame: Frame): unknown {
    if (group !== undefined) return group(value === undefined ? [] : value, frame);
    return wrap && Array.isArray(value) ? markKept([value]) : value;
  }
}
