import { compileField, isInherited, mapField, Tally } from '../runtime/fields.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import {
  flattenInto,
  isConstructed,
  isFlagged,
  isSequence,
  markKept,
  markSequence,
} from '../runtime/sequence.ts';
import type { Node, Stage } from './ast.ts';
import { compileStage, type Filter, itemAt, literalIndex } from './filter.ts';
import { compileIn, type Place } from './place.ts';
import { compileSort } from './sort.ts';

/** One step of a path: from the items so far to the items that follow. */
export interface Step {
  /** The result may be an array of the input itself: it must not be changed. */
  map(items: readonly unknown[], frame: Frame, tally: Tally): readonly unknown[];
  /** Whether an array that the step gives for one item is a sequence, and so never a value of its own. */
  readonly givesSequences: boolean;
  readonly isSort: boolean;
}

/** Compiles one step of a path without tuples. */
export function compileStep(node: Node, place: Place): Step {
  if (node.type === 'sort') return sortStep(node, place);
  if (node.type === 'name' && node.stages === undefined && !hasExtras(node)) return fieldStep(node.value);
  const value = isPlainName(node) ? compileField(node.value) : compileIn(place, node);
  const last = node.stages?.at(-1);
  const index = last?.type === 'filter' ? literalIndex(last.expr) : undefined;
  const stages = filters(index === undefined ? node.stages : node.stages?.slice(0, -1), place);
  const givesSequences = stages.length > 0 && index === undefined;
  const general = { value, stages, index, fresh: givesSequences };
  return {
    map: (items, frame, tally) => mapGeneral(items, frame, { ...general, tally }),
    givesSequences,
    isSort: false,
  };
}

function isPlainName(node: Node): node is Node & { type: 'name' } {
  return node.type === 'name' && !hasExtras(node);
}

function hasExtras(node: Node): boolean {
  return node.predicate !== undefined || node.group !== undefined || node.keepArray === true;
}

function filters(all: readonly Stage[] | undefined, place: Place): Filter[] {
  const stages: Filter[] = [];
  for (const stage of all ?? []) if (stage.type === 'filter') stages.push(compileStage(stage.expr, place));
  return stages;
}

function fieldStep(name: string): Step {
  const checked = isInherited(name);
  return {
    map: (items, frame, tally) => mapField(items, name, { budget: frame.run.budget, tally, checked }),
    givesSequences: false,
    isSort: false,
  };
}

interface General {
  readonly value: Code;
  readonly stages: readonly Filter[];
  /** A literal index as the last stage. */
  readonly index: number | undefined;
  readonly tally: Tally;
  /** The array that the stages give is new and may be handed on. */
  readonly fresh: boolean;
}

function mapGeneral(items: readonly unknown[], frame: Frame, step: General): readonly unknown[] {
  const { value, stages, index, tally } = step;
  const { budget } = frame.run;
  const longest = budget.limits.sequenceLength;
  budget.spend(items.length);
  const results: unknown[] = [];
  const staged = stages.length > 0;
  for (let i = 0; i < items.length; i++) {
    let result = value(items[i], frame);
    if (staged) for (let s = 0; s < stages.length; s++) result = (stages[s] as Filter)(result, frame);
    if (index !== undefined) {
      result = itemAt(result, index);
      if (result === undefined) tally.count++;
    }
    if (result === undefined) continue;
    if (tally.count++ === 0) tally.first = result;
    if (typeof result !== 'object' || result === null) {
      results.push(result);
      continue;
    }
    if (!Array.isArray(result)) {
      results.push(result);
      continue;
    }
    if (items.length === 1 && (step.fresh || !isFlagged(result))) return result;
    flattenInto(results, result);
    if (results.length > longest) budget.spendItems(results.length);
  }
  return results;
}

function sortStep(node: Node & { type: 'sort' }, place: Place): Step {
  const sort = compileSort(node, place);
  const stages = filters(node.stages, place);
  return {
    map: (items, frame) => {
      let sorted: readonly unknown[] = sort(items, frame);
      for (const stage of stages) sorted = stage(sorted, frame);
      return sorted;
    },
    givesSequences: stages.length > 0,
    isSort: true,
  };
}

/** The value of a path: the result of its last step, collapsed unless `keep`. */
export function lastValue(
  step: Step,
  items: readonly unknown[],
  at: { frame: Frame; keep: boolean; wrap: boolean },
): unknown {
  const tally = new Tally();
  const found = step.map(items, at.frame, tally);
  if (step.isSort) return sortedValue(step, found, at.keep);
  const raw = rawArray(step, tally);
  if (raw !== undefined) return at.wrap && isConstructed(raw) ? markKept([raw]) : raw;
  if (found.length === 0) return undefined;
  if (at.keep) return markKept(own(found, tally));
  return found.length === 1 ? found[0] : markSequence(own(found, tally));
}

/** All items of the last step, for a grouping that follows it. */
export function lastItems(step: Step, items: readonly unknown[], frame: Frame): readonly unknown[] {
  const tally = new Tally();
  const found = step.map(items, frame, tally);
  return rawArray(step, tally) ?? found;
}

/** An array that is the only result of the last step is a value of its own. */
export function rawArray(step: Step, tally: Tally): unknown[] | undefined {
  if (tally.count !== 1 || step.givesSequences || !Array.isArray(tally.first)) return undefined;
  return isSequence(tally.first) ? undefined : tally.first;
}

/** A copy where the array is one that existed before. */
function own(found: readonly unknown[], tally: Tally): unknown[] {
  return found === tally.first || isFlagged(found as unknown[]) ? found.slice() : (found as unknown[]);
}

function sortedValue(step: Step, sorted: readonly unknown[], keep: boolean): unknown {
  if (sorted.length > 1 && !step.givesSequences) return sorted;
  if (sorted.length === 0) return undefined;
  if (keep) return markKept(sorted.slice());
  return sorted.length === 1 ? sorted[0] : markSequence(sorted.slice());
}
