import type { Group, Node, PathNode, Stage as Selection, SortNode } from '../compiler/ast.ts';
import { compileIn } from '../compiler/compile-context.ts';
import { compileFilter } from '../compiler/filter.ts';
import { compileSteps } from '../compiler/path.ts';
import { compileOrder } from '../compiler/sort.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { checkRowWise, isCondition, sliceOf } from './analysis.ts';
import { type GroupSink, planGroup } from './group.ts';
import { type Context, NotStreamableError, type Planner } from './planner.ts';
import { ListSink, OrderSink, type Sink, SliceSink } from './sinks.ts';
import { fieldStage, filterStage, SingletonStage, type Stage, StepStage } from './stages.ts';

/** The plan of a path: stages that run row by row, and the sink for their items. */
export interface PathPlan {
  readonly stages: ReadonlyArray<(frame: Frame) => Stage>;
  /** Whether a condition removes items. */
  readonly filters: boolean;
  /** Whether the items are parts of the input. Flags on constructed arrays do not survive a chunk. */
  readonly isSelecting: boolean;
  /** Whether the items are all rows, as the original array. */
  readonly isWhole: boolean;
  /** Whether a single item remains an array; with `wrap`, also if the item is an array. */
  readonly keep: boolean;
  readonly wrap: boolean;
  readonly ending: Ending;
  /** The whole path, if its predicates may return a value although no row has its first field. */
  readonly valueOfNothing: Code | undefined;
}

type Ending =
  | { kind: 'list' }
  | {
      kind: 'rest';
      code: Code;
      sink: MakeSink;
      isBounded: boolean;
      /** Whether the rest uses the path's value, which may be a single item. */
      isOfValue?: boolean;
    }
  | { kind: 'group'; sink: (frame: Frame) => GroupSink };

type MakeSink = (frame: Frame) => Sink & { readonly items: unknown[] };

type PathLike = PathNode | (Node & { type: 'variable' });

/** Plans a path or `$`. @throws NotStreamableError */
export function planPath(node: PathLike, context: Context, planner: Planner): PathPlan {
  checkRowWise(node, planner);
  const isPath = node.type === 'path';
  const all = isPath ? node.steps : [withoutGroup(node)];
  const [first, ...rest] = all as [Node, ...Node[]];
  const source = planSource(first, context, { planner, isAlone: !isPath });
  const steps = source.takesStep ? rest : all;
  const sortAt = steps.findIndex((step) => step.type === 'sort');
  const mapped = source.slice !== undefined ? [] : sortAt < 0 ? steps : steps.slice(0, sortAt);
  const compiled = compileSteps(mapped, planner.compileContext);
  const wrap = isPath && node.keepSingletonArray === true;
  const plan = {
    stages: [...source.stages, ...compiled.map((step) => (frame: Frame) => new StepStage(step, frame))],
    filters: source.filters || mapped.some((step) => (step.stages ?? []).length > 0),
    isSelecting: [first, ...mapped].every(({ type }) => type === 'name' || type === 'variable'),
    isWhole: source.isWhole && rest.length === 0,
    keep: wrap || node.keepArray === true,
    wrap,
    valueOfNothing: source.mayInvent
      ? planner.compileContext.unit.compile(node, planner.compileContext)
      : undefined,
  };
  if (source.slice !== undefined) {
    const remaining = { ...VARIABLE, predicate: source.slice } as Node;
    return {
      ...plan,
      ending: planRest(node, [remaining, ...rest], { sink: sliceSink(source.slice), planner }),
    };
  }
  if (sortAt < 0 && node.group === undefined) return { ...plan, ending: { kind: 'list' } };
  checkSelecting(plan);
  if (sortAt < 0)
    return { ...plan, ending: { kind: 'group', sink: planGroup(node.group as Group, planner) } };
  const sink = orderSink(steps[sortAt] as SortNode, planner);
  return { ...plan, ending: planRest(node, [VARIABLE, ...steps.slice(sortAt)], { sink, planner }) };
}

/** Compiles the steps that run at the end, over the items that the sink has stored. */
function planRest(
  path: PathLike,
  steps: readonly Node[],
  { sink, planner }: { sink: MakeSink | undefined; planner: Planner },
): Ending {
  const { predicate: _, ...bare } = path;
  const isAlone = path.type === 'variable' && steps.length === 1;
  const rest = isAlone ? { ...path, predicate: steps[0]?.predicate } : { ...bare, type: 'path', steps };
  return {
    kind: 'rest',
    code: planner.compileContext.unit.compile(rest as Node, planner.compileContext),
    sink: sink ?? (() => new ListSink()),
    isBounded: sink !== undefined,
  };
}

/** Returns a sink for an order with a slice; undefined without a slice. */
function orderSink(sort: SortNode, { compileContext }: Planner): MakeSink | undefined {
  const [stage] = sort.stages ?? [];
  const count = stage?.type === 'filter' ? sliceOf(stage) : undefined;
  if (count === undefined) return undefined;
  const sorter = compileOrder(sort, compileContext);
  const keys = sort.terms.map((term) => compileIn(compileContext, term.expression));
  return (frame) => new OrderSink(count, { sorter, keys }, frame);
}

function sliceSink([stage]: readonly Selection[]): MakeSink {
  const count = stage?.type === 'filter' ? sliceOf(stage) : undefined;
  return () => new SliceSink(count ?? 0);
}

/** Plans `(path)[slice]`; undefined if the predicate is not a slice. @param inner the plan of the path, a list */
export function planSlice(node: Node, inner: PathPlan, planner: Planner): PathPlan | undefined {
  const { predicate = [], group, keepArray } = node;
  const [stage] = predicate;
  if (stage?.type !== 'filter' || sliceOf(stage) === undefined) return undefined;
  const extras = { ...(group && { group }), ...(keepArray && { keepArray }) };
  const code = planner.compileContext.unit.compile(
    { ...VARIABLE, predicate, ...extras } as Node,
    planner.compileContext,
  );
  return {
    ...inner,
    ending: { kind: 'rest', code, sink: sliceSink(predicate), isBounded: true, isOfValue: true },
  };
}

const VARIABLE = { type: 'variable', value: '' } as Node;

function withoutGroup(node: Node): Node {
  const { group: _, ...rest } = node;
  return rest as Node;
}

/** Checks that items may be evaluated again. @throws NotStreamableError if they are not parts of the input */
export function checkSelecting({ isSelecting }: Pick<PathPlan, 'isSelecting'>): void {
  if (!isSelecting)
    throw new NotStreamableError(
      'Sort, group or combine the rows first, and construct new values afterwards.',
    );
}

interface Source {
  readonly stages: ReadonlyArray<(frame: Frame) => Stage>;
  readonly filters: boolean;
  readonly isWhole: boolean;
  /** Whether it replaces the first step. */
  readonly takesStep: boolean;
  /** A slice and the predicates after it. */
  readonly slice?: readonly Selection[] | undefined;
  /** Whether a predicate may return a value for no items. */
  readonly mayInvent: boolean;
}

/** Plans the first step: all rows, a selection of them, or a field of all of them. */
function planSource(
  first: Node,
  context: Context,
  { planner, isAlone }: { planner: Planner; isAlone: boolean },
): Source {
  const isInput = first.type === 'variable' && first.value === '';
  if (first.type === 'variable' && !isInput) throw new NotStreamableError('It does not begin with the rows.');
  if (!isInput && context === 'rows')
    return { stages: [], filters: false, isWhole: false, takesStep: false, mayInvent: false };
  if (first.keepArray && !isAlone) throw new NotStreamableError('`[]` after the rows needs all of them.');
  const singleton = () => new SingletonStage();
  if (isInput) {
    const { stages, slice } = planSelections(first.predicate ?? [], planner);
    const filters = stages.length > 0;
    const all = filters && slice === undefined && !isAlone ? [...stages, singleton] : stages;
    return {
      stages: all,
      filters,
      isWhole: !filters && slice === undefined,
      takesStep: true,
      slice,
      mayInvent: false,
    };
  }
  if (first.type !== 'name' || first.predicate || first.group || first.keepArray)
    throw new NotStreamableError('It does not begin with the rows (`$`) or with one of their fields.');
  const { stages, slice } = planSelections(first.stages ?? [], planner);
  const field = (frame: Frame) => fieldStage(first.value, frame);
  return {
    stages: [field, singleton, ...stages],
    filters: stages.length > 0,
    isWhole: false,
    takesStep: true,
    slice,
    mayInvent: (first.stages ?? []).length > 0,
  };
}

/** Plans predicates over all rows: conditions, optionally followed by a slice. */
function planSelections(
  selections: readonly Selection[],
  planner: Planner,
): { stages: Array<(frame: Frame) => Stage>; slice: readonly Selection[] | undefined } {
  const stages: Array<(frame: Frame) => Stage> = [];
  for (const [index, selection] of selections.entries()) {
    if (selection.type !== 'filter') throw new NotStreamableError('`#` needs all rows at once.');
    if (sliceOf(selection) !== undefined) return { stages, slice: selections.slice(index) };
    if (!isCondition(selection.expr, planner))
      throw new NotStreamableError(
        'A predicate that is not a comparison may select by position. Compare with a value, such as `[draft = true]`.',
      );
    const filter = compileFilter(selection.expr, planner.compileContext);
    stages.push((frame) => filterStage(filter, frame));
  }
  return { stages, slice: undefined };
}
