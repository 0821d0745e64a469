import { asJsonataError, type JsonataError } from '../runtime/errors.ts';
import type { Frame } from '../runtime/frame.ts';
import { LIMITS } from '../runtime/limits.ts';
import { markKept, markSequence, wrapInput } from '../runtime/sequence.ts';
import type { GroupSink } from './group.ts';
import type { PathPlan } from './path-plan.ts';
import type { Stream, StreamState } from './planner.ts';
import { ListSink, type Sink } from './sinks.ts';
import type { Stage } from './stages.ts';

/** The state of a path while its rows arrive. */
export class PathState {
  readonly #plan: PathPlan;
  readonly #frame: Frame;
  readonly #stages: readonly Stage[];
  readonly #sink: Sink;
  /** Number of stages that still run. After an error, only earlier stages continue: the engine would report their errors first. */
  #live: number;
  #isSinkLive = true;
  #error: JsonataError | undefined;
  #isFlushed = false;
  /** Number of items that left the stages. */
  count = 0;
  #first: unknown;

  constructor(plan: PathPlan, sink: Sink, frame: Frame) {
    this.#plan = plan;
    this.#frame = frame;
    this.#stages = plan.stages.map((make) => make(frame));
    this.#live = this.#stages.length;
    this.#sink = sink;
  }

  push(rows: readonly unknown[]): void {
    this.#run(rows, 0);
  }

  #run(items: readonly unknown[], from: number): void {
    let at = from;
    let found = items;
    try {
      for (; at < this.#live; at++) found = (this.#stages[at] as Stage).map(found);
      if (this.#live < this.#stages.length || !this.#isSinkLive) return;
      if (this.count === 0) this.#first = found[0];
      this.count += found.length;
      this.#sink.add(found);
    } catch (thrown) {
      const error = asJsonataError(thrown);
      if (LIMITS.has(error.code)) throw error;
      this.#error = error;
      this.#live = at;
      this.#isSinkLive = false;
    }
  }

  /** Ends the stages. @throws JsonataError the error that the engine would report first */
  end(): void {
    if (!this.#isFlushed)
      for (let at = 0; at < this.#live; at++) {
        const rest = this.#stages[at]?.flush?.();
        if (rest !== undefined && rest.length > 0) this.#run(rest, at + 1);
      }
    this.#isFlushed = true;
    if (this.#error !== undefined) throw this.#error;
  }

  /** The only result if it is an array value, not a sequence. */
  get raw(): readonly unknown[] | undefined {
    return this.#stages.at(-1)?.raw;
  }

  /** Whether the value is certain to be a sequence of all items. */
  get isSequence(): boolean {
    return this.count > 1 && this.raw === undefined;
  }

  /** Whether the value is small: one row's array, a single item or undefined. */
  get isSmall(): boolean {
    return this.count < 2 || this.raw !== undefined;
  }

  /** Whether no row has the first field of the path. */
  get isWithoutField(): boolean {
    return this.#plan.valueOfNothing !== undefined && this.#stages[1]?.isEmpty === true;
  }

  /** Returns the value of the path when no row has its first field. */
  valueOfNothing(): unknown {
    return this.#plan.valueOfNothing?.(wrapInput([]), this.#frame);
  }

  /** Returns the value of a path from the items of its last step. `items` is used only if there is more than one. */
  value(items: readonly unknown[]): unknown {
    const { keep, wrap, isWhole } = this.#plan;
    if (this.isWithoutField) return this.valueOfNothing();
    if (isWhole) return this.count === 1 ? [this.#first] : items;
    const { raw } = this;
    if (raw !== undefined) return wrap && this.#stages.at(-1)?.isRawConstructed ? markKept([raw]) : raw;
    if (this.count === 0) return undefined;
    const all = this.count === 1 ? [this.#first] : items.slice();
    if (keep) return markKept(all);
    return this.count === 1 ? this.#first : markSequence(all);
  }
}

/** Compiles the plan of a path whose value is its list of items, its group, or the engine's result of a slice. */
export function pathStream(plan: PathPlan): Stream & { begin(frame: Frame): ListState } {
  return { begin: (frame) => new ListState(plan, frame) };
}

/** The state of a path that is evaluated for its value. */
export class ListState implements StreamState {
  readonly #plan: PathPlan;
  readonly #frame: Frame;
  readonly #sink: Sink;
  readonly #path: PathState;
  #drained = 0;

  constructor(plan: PathPlan, frame: Frame) {
    this.#plan = plan;
    this.#frame = frame;
    this.#sink = plan.ending.kind === 'list' ? new ListSink() : plan.ending.sink(frame);
    this.#path = new PathState(plan, this.#sink, frame);
  }

  push(rows: readonly unknown[]): void {
    this.#path.push(rows);
  }

  /** Removes and returns the items, once the value is certain to be a list. */
  drain(): unknown[] {
    const sink = this.#sink;
    if (!(sink instanceof ListSink) || this.#plan.ending.kind !== 'list' || !this.#path.isSequence) return [];
    const { items } = sink;
    sink.items = [];
    this.#drained += items.length;
    return items;
  }

  finish(): unknown {
    this.#path.end();
    const { ending } = this.#plan;
    const sink = this.#sink;
    if (this.#path.isWithoutField && !(ending.kind === 'rest' && ending.isOfValue))
      return this.#path.valueOfNothing();
    if (ending.kind === 'group') return (sink as GroupSink).finish();
    if (ending.kind === 'rest') {
      const isValue = ending.isOfValue === true && this.#path.isSmall;
      return ending.code(isValue ? this.#path.value([]) : (sink as ListSink).items, this.#frame);
    }
    const { items } = sink as ListSink;
    return this.#drained > 0 ? items : this.#path.value(items);
  }
}
