import type { ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { AppError } from '../app-error.ts';
import type { ChildCode } from './child-code.ts';
import { Deadline } from './deadline.ts';
import { startIsolated } from './isolated-process.ts';
import type { EvaluationFailure, FromChild, ToChild } from './protocol.ts';

/** Heap limit of a child, MB. */
const HEAP_MB = 640;
/** Time after the deadline at which the child is killed, ms; normally the engine's own limit ends the work earlier. */
const GRACE_MS = 100;
/** Share of the remaining time for the engine; the rest is for messages between the processes. */
const ENGINE_TIME_SHARE = 0.95;
const START_TIMEOUT_MS = 30_000;
/**
 * Nice values of children, so that the server and the database come first on a busy machine. A starting child has a higher
 * priority, because requests wait for it and its work is bounded.
 */
const NICENESS = { starting: 10, evaluating: 19 } as const;
/** File descriptor of the pipe for rows in the child. */
const ROWS_FD = 4;

/** Creates the error for a stopped query. @param detail reason, e.g. ` because it used too much memory` */
export function queryTooComplex(detail = '', position: { position?: number } = {}): AppError {
  return new AppError(
    'query-too-complex',
    `The query might be too complex: it was stopped${detail}. Narrow it down, or let a template do the counting.`,
    position,
  );
}

/** Returns a sentence as a clause of another one. */
const clauseOf = (sentence: string) =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');

/** Thrown for an expression that cannot be streamed because it needs all rows at once; the message says why. */
export class NeedsAllRows extends Error {}

function errorOf(failure: EvaluationFailure): Error {
  if (failure.kind === 'needs-all-rows') return new NeedsAllRows(failure.message);
  const detail = failure.position === null ? {} : { position: failure.position };
  if (failure.kind === 'too-complex') return queryTooComplex(` because ${clauseOf(failure.message)}`, detail);
  return new AppError(
    failure.kind === 'invalid' ? 'expression-invalid' : 'expression-failed',
    failure.message,
    detail,
  );
}

type Pending = { resolve(message: FromChild): void; reject(error: unknown): void };

/** One child process and the row sets it has cached. Handles one request at a time. */
export class Evaluator {
  readonly #child: ChildProcess;
  /** Cached row sets: family by key. */
  readonly keys = new Map<string, string>();
  idleSince = Date.now();
  /** starting -> ready -> dead; accepts requests only when ready. */
  state: 'starting' | 'ready' | 'dead' = 'starting';
  #pending: Pending | undefined;
  #niceness = 0;
  #hasEnough = false;
  readonly #onChange: (evaluator: Evaluator) => void;
  readonly #startTimer: NodeJS.Timeout;

  /** @param onChange called when the process is ready and when it has died */
  constructor(code: ChildCode, onChange: (evaluator: Evaluator) => void) {
    this.#onChange = onChange;
    this.#child = startIsolated(code, [
      `--max-old-space-size=${HEAP_MB}`,
      // Collect garbage in the low-priority main thread.
      '--single-threaded-gc',
      '--v8-pool-size=1',
      '--expose-gc',
      // Switch patterns with excessive backtracking to V8's linear-time engine.
      '--enable-experimental-regexp-engine-on-excessive-backtracks',
    ]);
    this.#lowerPriority(NICENESS.starting);
    this.#startTimer = setTimeout(() => this.kill(), START_TIMEOUT_MS).unref();
    this.#rows.on('error', () => undefined);
    this.#child.on('message', (message: FromChild) => this.#receive(message));
    this.#child.on('exit', () => this.#end());
    this.#child.on('error', () => this.#end());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get #rows(): Writable {
    return this.#child.stdio[ROWS_FD] as Writable;
  }

  #receive(message: FromChild): void {
    if (message.type === 'ready') {
      clearTimeout(this.#startTimer);
      if (this.state !== 'starting') return;
      this.state = 'ready';
      this.#onChange(this);
      return;
    }
    if (message.type === 'enough') {
      this.#hasEnough = true;
      return;
    }
    if (message.type === 'loaded' || message.type === 'begun') {
      for (const key of message.forgotten) this.keys.delete(key);
    }
    const pending = this.#pending;
    this.#pending = undefined;
    if (message.type === 'failure') pending?.reject(errorOf(message.failure));
    else pending?.resolve(message);
  }

  #end(): void {
    if (this.state === 'dead') return;
    this.state = 'dead';
    clearTimeout(this.#startTimer);
    this.#pending?.reject(queryTooComplex(' because it used too much memory or time'));
    this.#pending = undefined;
    this.#onChange(this);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  /** Sends a message and waits for the response; kills the child after `ms`. */
  async #ask(message: ToChild, ms: number): Promise<FromChild> {
    if (this.state !== 'ready') throw queryTooComplex();
    if (message.type !== 'load' && message.type !== 'begin') this.#lowerPriority(NICENESS.evaluating);
    const answer = new Promise<FromChild>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    const timer = setTimeout(() => this.kill(), Math.max(0, ms) + GRACE_MS);
    this.#child.send(message, (error) => {
      if (error) this.#end();
    });
    return answer.finally(() => clearTimeout(timer));
  }

  #lowerPriority(niceness: number): void {
    if (this.#niceness === niceness) return;
    this.#niceness = niceness;
    try {
      if (this.pid !== undefined) setPriority(this.pid, niceness);
    } catch {
      // Without permission, children run at the server's priority.
    }
  }

  /**
   * Sends rows to the child, in the format of `rows.ts`.
   * @param ms longest duration
   */
  async load(set: { key: string; family: string }, pieces: AsyncIterable<Buffer>, ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    const bytes = await this.#writeAll(pieces, ms);
    await this.#ask({ type: 'load', ...set, bytes }, deadline.remainingMs);
    this.keys.set(set.key, set.family);
  }

  /**
   * Streams rows through a chain; the child caches the result while memory allows.
   * @param read reads the rows; not called when the result is cached
   * @param ms longest duration
   * @throws NeedsAllRows when the expression cannot be streamed
   */
  async streamRows(
    message: Extract<ToChild, { type: 'begin' }>,
    read: (ms: number) => AsyncIterable<Buffer>,
    ms: number,
  ): Promise<void> {
    const deadline = new Deadline(ms);
    const begun = await this.#ask(withMargin(message), ms);
    if (begun.type !== 'begun') throw new Error(`unexpected answer ${begun.type}`);
    this.keys.set(message.key, message.family);
    if (begun.isCached) return;
    const bytes = await this.#writeAll(read(deadline.remainingMs), deadline.remainingMs);
    await this.#ask({ type: 'end', id: message.id, bytes }, deadline.remainingMs);
  }

  /**
   * Writes rows to the pipe until all are written or the child needs no more. Kills the child if reading fails, because it
   * then has incomplete rows.
   * @returns the number of bytes written
   */
  async #writeAll(pieces: AsyncIterable<Buffer>, ms: number): Promise<number> {
    let bytes = 0;
    this.#hasEnough = false;
    const timer = setTimeout(() => this.kill(), Math.max(0, ms) + GRACE_MS);
    try {
      for await (const piece of pieces) {
        bytes += piece.length;
        await this.#write(piece);
        if (this.#hasEnough) break;
      }
    } catch (error) {
      this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return bytes;
  }

  /** Writes to the pipe and waits until it is drained, so that rows are not buffered here (backpressure). */
  async #write(piece: Buffer): Promise<void> {
    const gone = ' because reading its rows took too much time or memory';
    if (this.state === 'dead') throw queryTooComplex(gone);
    await new Promise<void>((resolve, reject) => {
      this.#rows.write(piece, (error) => (error ? reject(queryTooComplex(gone)) : resolve()));
    });
  }

  async page(message: Extract<ToChild, { type: 'page' }>): Promise<Extract<FromChild, { type: 'page' }>> {
    const answer = await this.#ask(withMargin(message), message.deadlineMs);
    if (answer.type !== 'page') throw new Error(`unexpected answer ${answer.type}`);
    return answer;
  }

  /** Parses an expression in the child. @param ms longest duration */
  async check(message: Extract<ToChild, { type: 'check' }>, ms: number): Promise<void> {
    await this.#ask(message, ms);
  }

  /** Yields the result's text in chunks, each requested when the previous one was consumed; one deadline for all. */
  async *stream(message: Extract<ToChild, { type: 'stream' }>, deadline: Deadline): AsyncGenerator<string> {
    let answer = await this.#ask(withMargin(message), message.deadlineMs);
    for (;;) {
      if (answer.type !== 'chunk') throw new Error(`unexpected answer ${answer.type}`);
      if (answer.text !== '') yield answer.text;
      if (answer.last) return;
      answer = await this.#ask({ type: 'more', id: message.id }, deadline.remainingMs);
    }
  }
}

function withMargin<M extends { deadlineMs: number }>(message: M): M {
  return { ...message, deadlineMs: Math.max(1, Math.floor(message.deadlineMs * ENGINE_TIME_SHARE)) };
}
