import type { ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { AppError } from '../app-error.ts';
import type { ChildCode } from './child-code.ts';
import { Deadline } from './deadline.ts';
import { startIsolated } from './isolated-process.ts';
import type { EvaluationFailure, FromChild, ToChild } from './protocol.ts';

/** Heap of a child, MB. */
const HEAP_MB = 640;
/** Beyond the deadline the child is killed; the engine's own limit should have ended the work before. */
const GRACE_MS = 100;
/** The engine's part of the time that is left; the rest is for the way there and back. */
const ENGINE_TIME_SHARE = 0.95;
const START_TIMEOUT_MS = 30_000;
/**
 * How much lower than the server's and the database's the priority of children is, so that requests come first when the
 * processors are busy. A starting child is waited for, and its work is bounded.
 */
const NICENESS = { starting: 10, evaluating: 19 } as const;
/** Where the pipe for rows stands among the child's files. */
const ROWS_FD = 4;

/** The error for a person whose query was stopped. */
export function queryTooComplex(detail = '', position: { position?: number } = {}): AppError {
  return new AppError(
    'query-too-complex',
    `The query might be too complex: it was stopped${detail}. Narrow it down, or let a template do the counting.`,
    position,
  );
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** The failure of an expression that needs all rows at once; the message says why. */
export class NeedsAllRows extends Error {}

function errorOf(failure: EvaluationFailure): Error {
  if (failure.kind === 'needs-all-rows') return new NeedsAllRows(failure.message);
  const detail = failure.position === null ? {} : { position: failure.position };
  if (failure.kind === 'too-complex') return queryTooComplex(` because ${lowerFirst(failure.message)}`, detail);
  return new AppError(
    failure.kind === 'invalid' ? 'expression-invalid' : 'expression-failed',
    failure.message,
    detail,
  );
}

type Pending = { resolve(message: FromChild): void; reject(error: unknown): void };

/** One child process with what it holds. One request at a time. */
export class Evaluator {
  readonly #child: ChildProcess;
  /** The sets of rows it holds: families by key. */
  readonly keys = new Map<string, string>();
  idleSince = Date.now();
  /** starting -> ready -> dead; only a ready one can be asked. */
  state: 'starting' | 'ready' | 'dead' = 'starting';
  #pending: Pending | undefined;
  #niceness = 0;
  #hasEnough = false;
  readonly #onChange: (evaluator: Evaluator) => void;
  readonly #startTimer: NodeJS.Timeout;

  /** @param onChange called when it is ready, and when it has died */
  constructor(code: ChildCode, onChange: (evaluator: Evaluator) => void) {
    this.#onChange = onChange;
    this.#child = startIsolated(code, [
      `--max-old-space-size=${HEAP_MB}`,
      // The collector works in the thread that stands back.
      '--single-threaded-gc',
      '--v8-pool-size=1',
      '--expose-gc',
      // Patterns that backtrack too often go on in V8's linear-time engine.
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

  /** Sends a message and waits for the answer; kills the child when the time is over. */
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
      // Where the system does not allow it, children compete with the server.
    }
  }

  /**
   * Hands rows over, in the pieces of `rows.ts`.
   * @param ms how long it may take
   */
  async load(set: { key: string; family: string }, pieces: AsyncIterable<Buffer>, ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    const bytes = await this.#writeAll(pieces, ms);
    await this.#ask({ type: 'load', ...set, bytes }, deadline.remainingMs);
    this.keys.set(set.key, set.family);
  }

  /**
   * Streams rows through a chain; its result is held then, as long as there is room.
   * @param read reads the rows; not called when the result is held already
   * @param ms how long it may take
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
   * Writes rows to the pipe, one piece at a time, until the child has enough. A child that has got only some of them is of
   * no more use.
   * @returns how many bytes were written
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

  /** Writes to the pipe and waits until it wants more, so that rows never pile up here. */
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

  /** Parses an expression. @param ms how long it may take */
  async check(message: Extract<ToChild, { type: 'check' }>, ms: number): Promise<void> {
    await this.#ask(message, ms);
  }

  /** The result's text in chunks; the child makes the next one when this one was taken. All of them have one deadline. */
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
