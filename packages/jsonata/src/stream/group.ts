import type { Group, Node } from '../compiler/ast.ts';
import { compileIn } from '../compiler/compile-context.ts';
import { checkKey, compileGroup } from '../compiler/group.ts';
import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { setKey } from '../runtime/values.ts';
import type { Planner, Stream, StreamState } from './planner.ts';
import type { Sink } from './sinks.ts';

interface PairPlan {
  readonly key: Code;
  /** The value of a group with one item. */
  readonly single: Code;
  /** The value of a group with several items. */
  readonly stream: Stream;
}

interface GroupPlan {
  readonly pairs: readonly PairPlan[];
  readonly position: number;
  /** The value when there are no items. */
  readonly ofNothing: Code;
}

/** Plans `{key: value}` after the rows. @throws NotStreamableError if a value needs all rows of its group at once */
export function planGroup(group: Group, planner: Planner): (frame: Frame) => GroupSink {
  const { compileContext } = planner;
  const plan: GroupPlan = {
    position: group.position,
    ofNothing: compileGroup(group, compileContext),
    pairs: group.lhs.map(([key, value]: readonly [Node, Node]) => ({
      key: compileIn(compileContext, key),
      single: compileIn(compileContext, value),
      stream: planner.template(value, 'rows'),
    })),
  };
  return (frame) => new GroupSink(plan, frame);
}

/** A group: its only item, or the state of its value. */
interface GroupState {
  readonly pair: number;
  first: unknown;
  state?: StreamState;
  pending: unknown[];
}

/** Groups items by key; stores a state for each group instead of its items. */
export class GroupSink implements Sink {
  readonly #plan: GroupPlan;
  readonly #frame: Frame;
  readonly #groups = Object.create(null) as Record<string, GroupState>;
  #count = 0;

  constructor(plan: GroupPlan, frame: Frame) {
    this.#plan = plan;
    this.#frame = frame;
  }

  add(items: readonly unknown[]): void {
    const { pairs, position } = this.#plan;
    const frame = this.#frame;
    frame.run.budget.spend(items.length);
    this.#count += items.length;
    const touched = new Set<GroupState>();
    for (let i = 0; i < items.length; i++) {
      for (let pair = 0; pair < pairs.length; pair++) {
        const key = (pairs[pair] as PairPlan).key(items[i], frame);
        if (key === undefined) continue;
        checkKey(key, position);
        const group = this.#gather(key, pair, items[i]);
        if (group !== undefined) touched.add(group);
      }
    }
    for (const group of touched) {
      group.state?.push(group.pending);
      group.pending = [];
    }
  }

  /** Adds an item to its group. @returns the group if the item still has to be pushed to its value */
  #gather(key: string, pair: number, item: unknown): GroupState | undefined {
    const group = this.#groups[key];
    if (group === undefined) {
      this.#groups[key] = { pair, first: item, pending: [] };
      return undefined;
    }
    if (group.pair !== pair) throw new JsonataError('D1009', { position: this.#plan.position, value: key });
    if (group.state === undefined) {
      group.state = (this.#plan.pairs[pair] as PairPlan).stream.begin(this.#frame);
      flatten(group.pending, group.first);
      group.first = undefined;
    }
    flatten(group.pending, item);
    return group;
  }

  finish(): unknown {
    const frame = this.#frame;
    if (this.#count === 0) return this.#plan.ofNothing([], frame);
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(this.#groups)) {
      const { pair, first, state } = this.#groups[key] as GroupState;
      const value = state === undefined ? this.#plan.pairs[pair]?.single(first, frame) : state.finish();
      if (value !== undefined) setKey(result, key, frame.run.keep(value));
    }
    return result;
  }
}

function flatten(items: unknown[], item: unknown): void {
  if (!Array.isArray(item)) items.push(item);
  else for (let i = 0; i < item.length; i++) items.push(item[i]);
}
