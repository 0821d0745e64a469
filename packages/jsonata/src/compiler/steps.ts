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
import { type CompileContext, compileIn } from './compile-context.ts';
import { compileStage, type Filter, itemAt, literalIndex } from './filter.ts';
import { compileSort } from './sort.ts';

/** A step of a path, which maps items to the items of the next step. */
export interface Step {
  /** Maps the items. The result may be an array of the input itself, so callers must not change it. */
  map(items: readonly unknown[], frame: Frame, tally: Tally): readonly unknown[];
  /** Whether an array that the step returns for one item is always a sequence, never an array value. */
  readonly returnsSequences: boolean;
  readonly isSort: boolean;
}

/** Compiles one step of a path without tuples. */
export function compileStep(node: Node, context: CompileContext): Step {
  if (node.type === 'sort') return sortStep(node, context);
  if (node.type === 'name' && node.stages === undefined && !hasExtras(node)) return fieldStep(node.value);
  const value = isPlainName(node) ? compileField(node.value) : compileIn(context, node);
  const last = node.stages?.at(-1);
  const index = last?.type === 'filter' ? literalIndex(last.expr) : undefined;
  const stages = filters(index === undefined ? node.stages : node.stages?.slice(0, -1), context);
  const returnsSequences = stages.length > 0 && index === undefined;
  const general = { value, stages, index, fresh: returnsSequences };
  return {
    map: (items, frame, tally) => mapGeneral(items, frame, { ...general, tally }),
    returnsSequences,
    isSort: false,
  };
}

function isPlainName(node: Node): node is Node & { type: 'name' } {
  return node.type === 'name' && !hasExtras(node);
}

function hasExtras(node: Node): boolean {
  return node.predicate !== undefined || node.group !== undefined || node.keepArray === true;
}

function filters(all: readonly Stage[] | undefined, context: CompileContext): Filter[] {
  const stages: Filter[] = [];
  for (const stage of all ?? []) if (stage.type === 'filter') stages.push(compileStage(stage.expr, context));
  return stages;
}

function fieldStep(name: string): Step {
  const checked = isInherited(name);
  return {
    map: (items, frame, tally) => mapField(items, name, { budget: frame.run.budget, tally, checked }),
    returnsSequences: false,
    isSort: false,
  };
}

interface General {
  readonly value: Code;
  readonly stages: readonly Filter[];
  /** The literal index, if the last stage is one. */
  readonly index: number | undefined;
  readonly tally: Tally;
  /** Whether the stages return a new array that may be passed on. */
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

function sortStep(node: Node & { type: 'sort' }, context: CompileContext): Step {
  const sort = compileSort(node, context);
  const stages = filters(node.stages, context);
  return {
    map: (items, frame) => {
      let sorted: readonly unknown[] = sort(items, frame);
      for (const stage of stages) sorted = stage(sorted, frame);
      return sorted;
    },
    returnsSequences: stages.length > 0,
    isSort: true,
  };
}

/** Returns the value of a path: the result of its last step, collapsed unless `keep` is set. */
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

/** Returns all items of the last step, for a grouping after it. */
export function lastItems(step: Step, items: readonly unknown[], frame: Frame): readonly unknown[] {
  const tally = new Tally();
  const found = step.map(items, frame, tally);
  return rawArray(step, tally) ?? found;
}

/** Returns an array that is the only result of the last step and is therefore an array value. */
export function rawArray(step: Step, tally: Tally): unknown[] | undefined {
  if (tally.count !== 1 || step.returnsSequences || !Array.isArray(tally.first)) return undefined;
  return isSequence(tally.first) ? undefined : tally.first;
}

/** Returns a copy if the array belongs to an existing value, or else the array itself. */
function own(found: readonly unknown[], tally: Tally): unknown[] {
  return found === tally.first || isFlagged(found as unknown[]) ? found.slice() : (found as unknown[]);
}

function sortedValue(step: Step, sorted: readonly unknown[], keep: boolean): unknown {
  if (sorted.length > 1 && !step.returnsSequences) return sorted;
  if (sorted.length === 0) return undefined;
  if (keep) return markKept(sorted.slice());
  return sorted.length === 1 ? sorted[0] : markSequence(sorted.slice());
}
