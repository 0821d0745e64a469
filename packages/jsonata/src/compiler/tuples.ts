import { Tally } from '../runtime/fields.ts';
import { type Code, type Frame, NOTHING, Scope } from '../runtime/frame.ts';
import { collapseItems, markKept, markSequence } from '../runtime/sequence.ts';
import type { Node, PathNode, Stage } from './ast.ts';
import { type CompileContext, compileIn, compileIndexed, within } from './compile-context.ts';
import { isEmpty, itemsOf } from './constructed.ts';
import { compilePredicate, itemAt, literalIndex, timesSelected } from './filter.ts';
import { compileGroup } from './group.ts';
import { compileJoin, independenceOf } from './join.ts';
import { compileOrder, pick } from './sort.ts';
import { compileStep, type Step } from './steps.ts';
import { frameOf, type Tuple, TupleStream } from './tuple.ts';
import { compileTupleGroup } from './tuple-group.ts';
import { inOwnFrame } from './variables.ts';

type TupleStep = (tuples: Tuple[], frame: Frame) => Tuple[];
/** Joins tuples with the items of a step; undefined if only the nested loop does. */
type TupleJoin = (tuples: Tuple[], frame: Frame) => Tuple[] | undefined;

/** Compiles a path with `@`, `#` or `%`. From the first step that needs it, each item is a tuple with its variables. */
export function compileTuplePath(node: PathNode, context: CompileContext): Code {
  const scope = new Scope(context.scope, ['@']);
  context.unit.tupleScopes.set(node, scope);
  const start = node.steps.findIndex((step) => step.tuple);
  const [first] = node.steps;
  const isAbsolute = first?.type === 'variable';
  const constructed = first?.consarray ? compileIn(context, first) : undefined;
  const plain = node.steps.slice(0, start).map((step) => compileStep(step, context));
  const inner = within(context, scope);
  const steps = node.steps.slice(start).map((step, index) => compileTupleStep(step, inner, index === 0));
  const group = node.group && compileTupleGroup(node.group, inner);
  const emptyGroup = node.group && compileGroup(node.group, context);

  return (input, frame) => {
    let items: readonly unknown[] = Array.isArray(input) && !isAbsolute ? input : [input];
    let skip = 0;
    if (constructed !== undefined) {
      const value = constructed(items, frame);
      if (start > 0 && isEmpty(value)) return emptyGroup === undefined ? value : emptyGroup([], frame);
      items = itemsOf(value);
      skip = 1;
    }
    for (let i = skip; i < plain.length; i++) {
      if (items.length === 0) break;
      items = (plain[i] as Step).map(items, frame, new Tally());
    }
    if (items.length === 0 && start > skip) return emptyGroup?.([], frame);
    let tuples: Tuple[] = items.map((item) => [item]);
    for (let i = start === 0 ? skip : 0; i < steps.length; i++)
      tuples = (steps[i] as TupleStep)(tuples, frame);
    if (group !== undefined) return group(tuples, frame);
    if (node.tuple) return new TupleStream(tuples);
    const found = tuples.map((tuple) => tuple[0]);
    if (node.keepSingletonArray || node.keepArray) return found.length === 0 ? undefined : markKept(found);
    return collapseItems(found);
  };
}

function compileTupleStep(node: Node, context: CompileContext, isFirst: boolean): TupleStep {
  if (node.type === 'sort') return compileSortStep(node, context, isFirst);
  const { scope } = context;
  const step = withoutStages(node);
  const bound = new Set(scope.names);
  context.unit.streamWanted.add(step);
  const value = inOwnFrame([node], context, (inner) => compileIn(inner, step));
  const nested = context.unit.tupleScopes.get(innermost(node));
  const nestedSlots = nested?.names.map((name) => scope.declare(name));
  const focus = node.focus === undefined ? -1 : scope.declare(node.focus);
  const index = node.index === undefined ? -1 : scope.declare(node.index);
  const ancestor = node.ancestor === undefined ? -1 : scope.declare(node.ancestor.label);
  const stages = compileStages(node.stages ?? [], context);
  const slots = { focus, index, bound };
  const isIndependent = node.focus !== undefined && independenceOf(step, bound)?.usesContext === false;
  const join =
    nestedSlots || ancestor >= 0 ? undefined : compileJoinStep(node, { step, value, ...slots }, context);

  return (tuples, frame) => {
    const { budget } = frame.run;
    const joined = tuples.length > 1 ? join?.(tuples, frame) : undefined;
    if (joined !== undefined) return joined;
    const results: Tuple[] = [];
    let isChecked = !isIndependent;
    for (const tuple of tuples) {
      const result = value(tuple[0], frameOf(tuple, scope, frame));
      if (result === undefined) continue;
      if (result instanceof TupleStream) {
        for (const each of result.tuples) results.push(merge(tuple, each, nestedSlots ?? []));
        budget.spendItems(result.tuples.length);
        continue;
      }
      const found = Array.isArray(result) ? result : [result];
      if (!isChecked) {
        isChecked = true;
        budget.checkPairs(tuples.length * found.length, { token: `$${node.focus}`, position: node.position });
      }
      budget.spendItems(
        results.length + found.length > budget.limits.sequenceLength ? Infinity : found.length,
      );
      for (let i = 0; i < found.length; i++) {
        const next = tuple.slice();
        if (focus < 0) next[0] = found[i];
        else next[focus] = orNothing(found[i]);
        if (index >= 0) next[index] = i;
        if (ancestor >= 0) next[ancestor] = orNothing(tuple[0]);
        results.push(next);
      }
    }
    return stages(results, frame);
  };
}

/** Compiles a step with `@` whose first stage joins its items with the tuples; undefined for other steps. */
function compileJoinStep(
  node: Node,
  at: { step: Node; value: Code; focus: number; index: number; bound: ReadonlySet<string> },
  context: CompileContext,
): TupleJoin | undefined {
  const [first, ...rest] = node.stages ?? [];
  if (node.focus === undefined || first?.type !== 'filter') return undefined;
  const { step, value, bound } = at;
  const focus = { name: node.focus, slot: at.focus };
  const index = { name: node.index, slot: at.index };
  return compileIndexed<TupleJoin>(context, () => {
    const join = compileJoin({ step, value, focus, index, bound }, first.expr, context);
    if (join === undefined) return undefined;
    const later = compileStages(rest, context);
    return (tuples, frame) => {
      const joined = join(tuples, frame);
      return joined && later(joined, frame);
    };
  });
}

function orNothing(value: unknown): unknown {
  return value === undefined ? NOTHING : value;
}

function merge(tuple: Tuple, nested: Tuple, slots: readonly number[]): Tuple {
  const merged = tuple.slice();
  for (let i = 0; i < nested.length; i++) {
    if (i === 0 || nested[i] !== undefined) merged[slots[i] as number] = nested[i];
  }
  return merged;
}

/** Returns the step without its stages. In a tuple stream, stages apply to the whole stream, not to each item's results. */
function withoutStages(node: Node): Node {
  if (node.stages === undefined) return node;
  const { stages, ...rest } = node;
  return rest as Node;
}

/** Returns the expression that determines a block's value, through nested blocks. */
function innermost(node: Node): Node {
  const last = node.type === 'block' ? node.expressions.at(-1) : undefined;
  return last === undefined ? node : innermost(last);
}

function compileSortStep(
  node: Node & { type: 'sort' },
  context: CompileContext,
  isFirst: boolean,
): TupleStep {
  const { scope } = context;
  const order = compileOrder(node, context);
  const index = node.index === undefined || !isFirst ? -1 : scope.declare(node.index);
  const stages = compileStages(node.stages ?? [], context);
  return (tuples, frame) => {
    const at = { frame, frameOf: (item: number) => frameOf(tuples[item] as Tuple, scope, frame) };
    const sorted =
      tuples.length < 2
        ? tuples
        : pick(
            tuples,
            order(tuples.length, (item) => tuples[item]?.[0], at),
          );
    if (index >= 0) {
      sorted.forEach((tuple, i) => {
        tuple[index] = i;
      });
    }
    return stages(sorted, frame);
  };
}

/** Compiles predicates on the stream, and positions that `#` binds after them. */
function compileStages(stages: readonly Stage[], context: CompileContext): TupleStep {
  const steps = stages.map((stage) =>
    stage.type === 'filter' ? compileTupleFilter(stage.expr, context) : compileIndex(stage.value, context),
  );
  return (tuples, frame) => steps.reduce((current, step) => step(current, frame), tuples);
}

function compileIndex(name: string, { scope }: CompileContext): TupleStep {
  const slot = scope.declare(name);
  return (tuples) => {
    tuples.forEach((tuple, index) => {
      tuple[slot] = index;
    });
    return tuples;
  };
}

function compileTupleFilter(predicate: Node, context: CompileContext): TupleStep {
  const index = literalIndex(predicate);
  if (index !== undefined) {
    return (tuples) => {
      const tuple = itemAt(tuples, index) as Tuple | undefined;
      return tuple === undefined ? [] : [tuple];
    };
  }
  const { scope } = context;
  const test = inOwnFrame([predicate], context, (inner) => compileIn(inner, predicate));
  return (tuples, frame) => {
    frame.run.budget.spend(tuples.length);
    return tuples.flatMap((tuple, i) => {
      const answer = test(tuple[0], frameOf(tuple, scope, frame));
      const times = answer === undefined ? 0 : timesSelected(answer, i, tuples.length);
      return times === 1 ? [tuple] : Array.from({ length: times }, () => tuple);
    });
  };
}

/** Compiles a predicate after a block that returns a tuple stream; it sees the tuples' variables. Undefined for other nodes. */
export function compileStreamPredicate(
  node: Node,
  predicate: Node,
  { value, context }: { value: Code; context: CompileContext },
): Code | undefined {
  const nested = context.unit.tupleScopes.get(innermost(node));
  if (node.type !== 'block' || nested === undefined) return undefined;
  const scope = new Scope(context.scope, ['@']);
  for (const name of nested.names) scope.declare(name);
  const filter = compileTupleFilter(predicate, within(context, scope));
  const plain = compilePredicate(predicate, (input) => input, context);
  const isWanted = context.unit.streamWanted.has(node);
  return (input, frame) => {
    const stream = value(input, frame);
    if (!(stream instanceof TupleStream)) return plain(stream, frame);
    const tuples = filter(stream.tuples, frame);
    return isWanted ? new TupleStream(tuples) : markSequence(tuples.map((tuple) => tuple[0]));
  };
}
