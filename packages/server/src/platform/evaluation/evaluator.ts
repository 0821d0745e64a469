import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { BOUNDS } from '@datadeck/contract';
import { LIMIT_CODES } from '@datadeck/jsonata';
import { AppError } from '../app-error.ts';
import type { ChildCode } from './child-code.ts';
import type { DataSet } from './data-set.ts';
import { Deadline } from './deadline.ts';
import { startIsolated } from './isolated-process.ts';
import {
  type EvaluationFailure,
  type EvaluationRequest,
  type FromChild,
  LINES_END,
  type ResultFacts,
  SUMMARY_END,
  type ToChild,
  type WrittenLines,
} from './protocol.ts';

/** Heap limit of a child, MB. */
const HEAP_MB = 512;
/** Time after the deadline at which the child is killed, ms; normally the engine's own limit ends the work earlier. */
const GRACE_MS = 100;
/** Share of the remaining time for the engine; the rest is for messages between the processes. */
const ENGINE_TIME_SHARE = 0.95;
const START_TIMEOUT_MS = 30_000;
/** Longest time to write a whole result after its evaluation, ms. */
const WRITE_TIMEOUT_MS = 60_000;
/**
 * Nice values of children, so that the server and the database come first on a busy machine. A starting child has a higher
 * priority, because requests wait for it and its work is bounded.
 */
const NICENESS = { starting: 10, evaluating: 19 } as const;
/** File descriptor of the pipe for rows and results in the child. */
const DATA_FD = 4;

/** Creates the error for a stopped query. @param detail reason, e.g. ` because it used too much memory` */
export function queryTooComplex(detail = '', position: { position?: number } = {}): AppError {
  return new AppError(
    'query-too-complex',
    `The query might be too complex: it was stopped${detail}. Narrow it down, or let a template do the counting.`,
    position,
  );
}

/** Creates the error for a result that is longer than a download may be. */
export function resultTooLong(): AppError {
  return queryTooComplex(` because the result is longer than ${BOUNDS.downloadBytes / 1024 / 1024} MB`);
}

/** Returns a sentence as a clause of another one. */
const clauseOf = (sentence: string) =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');

function errorOf(failure: EvaluationFailure): AppError {
  const detail = failure.position === null ? {} : { position: failure.position };
  // Its message names the faster form of the join.
  if (failure.code === LIMIT_CODES.pairs)
    return new AppError('query-too-complex', `${failure.message}.`, detail);
  if (failure.kind === 'too-complex') return queryTooComplex(` because ${clauseOf(failure.message)}`, detail);
  if (failure.kind === 'unsortable')
    return new AppError('validation-failed', failure.message, { fields: { sort: failure.message } });
  return new AppError(
    failure.kind === 'invalid' ? 'expression-invalid' : 'expression-failed',
    // It may quote a value, and is stored by what is evaluated in the background: the database takes no zero characters.
    failure.message.replaceAll('\0', '\ufffd'),
    detail,
  );
}

type Answer<T extends FromChild['type']> = Extract<FromChild, { type: T }>;
type Pending = { resolve(message: FromChild): void; reject(error: unknown): void };

/** One child process and the set of rows that it keeps. Handles one request at a time. */
export class Evaluator {
  readonly #child: ChildProcess;
  /** The rows that it keeps. */
  rows: { key: string; family: string } | undefined;
  idleSince = Date.now();
  /** starting -> ready -> dead; accepts requests only when ready. */
  state: 'starting' | 'ready' | 'dead' = 'starting';
  #pending: Pending | undefined;
  #niceness = 0;
  readonly #chunks: AsyncIterator<Buffer>;
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
    this.#data.on('error', () => undefined);
    this.#chunks = this.#data[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#child.on('message', (message: FromChild) => this.#receive(message));
    this.#child.on('exit', () => this.#end());
    this.#child.on('error', () => this.#end());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get #data(): Socket {
    return this.#child.stdio[DATA_FD] as Socket;
  }

  #receive(message: FromChild): void {
    if (message.type === 'ready') {
      clearTimeout(this.#startTimer);
      if (this.state !== 'starting') return;
      this.state = 'ready';
      this.#onChange(this);
      return;
    }
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(message);
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

  /** Sends a message and waits for the answer; kills the child after `ms`. @throws AppError for a failure */
  async #ask<T extends FromChild['type']>(message: ToChild, type: T, ms: number): Promise<Answer<T>> {
    if (this.state !== 'ready') throw queryTooComplex();
    const answered = new Promise<FromChild>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    const timer = setTimeout(() => this.kill(), Math.max(0, ms) + GRACE_MS);
    this.#child.send(message, (error) => {
      if (error) this.#end();
    });
    const answer = await answered.finally(() => clearTimeout(timer));
    if (answer.type === 'failure') throw errorOf(answer.failure);
    if (answer.type !== type) throw new Error(`unexpected answer ${answer.type}`);
    return answer as Answer<T>;
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
   * Sends a set of rows to the child, which then keeps them instead of others.
   * @param ms longest duration
   */
  async load(set: DataSet, ms: number): Promise<void> {
    const { key, family, lists = [set] } = set;
    const deadline = new Deadline(ms);
    this.rows = undefined;
    for (const [list, one] of lists.entries()) {
      if (one.filter) await this.#ask({ type: 'filter', ...one.filter }, 'filtering', deadline.remainingMs);
      const bytes = await this.#writeAll(one.read(deadline.remainingMs), deadline.remainingMs);
      const isLast = list === lists.length - 1;
      await this.#ask({ type: 'load', key, bytes, list, isLast }, 'loaded', deadline.remainingMs);
    }
    this.rows = { key, family };
  }

  /**
   * Writes rows to the pipe. Kills the child if reading fails, because it then has incomplete rows.
   * @returns the number of bytes written
   */
  async #writeAll(pieces: AsyncIterable<Buffer>, ms: number): Promise<number> {
    let bytes = 0;
    const timer = setTimeout(() => this.kill(), Math.max(0, ms) + GRACE_MS);
    try {
      for await (const piece of pieces) {
        bytes += piece.length;
        await this.#write(piece);
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
      this.#data.write(piece, (error) => (error ? reject(queryTooComplex(gone)) : resolve()));
    });
  }

  /** Parses an expression in the child. @param ms longest duration */
  async check(expression: string, ms: number): Promise<void> {
    await this.#ask({ type: 'check', expression }, 'checked', ms);
  }

  /**
   * Evaluates a chain over the loaded rows and receives the written part of the result.
   * @param write stores a chunk of lines; the child waits for it
   * @throws AppError expression-invalid, expression-failed, query-too-complex
   */
  async run(
    request: EvaluationRequest,
    write: (chunk: Buffer) => Promise<void>,
  ): Promise<ResultFacts & WrittenLines> {
    this.#lowerPriority(NICENESS.evaluating);
    const engineMs = Math.max(1, Math.floor(request.deadlineMs * ENGINE_TIME_SHARE));
    const facts = await this.#ask(
      { type: 'run', ...request, deadlineMs: engineMs },
      'evaluated',
      request.deadlineMs,
    );
    const timer = setTimeout(() => this.kill(), WRITE_TIMEOUT_MS);
    try {
      return { ...facts, ...(await this.#receiveLines(write)) };
    } catch (error) {
      // What is left of this result would be taken for the next one.
      this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Receives lines up to the NUL that ends them, and what the child reports of them after it. */
  async #receiveLines(write: (chunk: Buffer) => Promise<void>): Promise<WrittenLines> {
    const summary: Buffer[] = [];
    for (;;) {
      const chunk = await this.#nextChunk();
      const end = summary.length > 0 ? 0 : chunk.indexOf(LINES_END);
      if (end !== 0) await write(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      summary.push(summary.length > 0 ? chunk : chunk.subarray(end + 1));
      if (chunk.at(-1) === SUMMARY_END) return JSON.parse(Buffer.concat(summary).toString()) as WrittenLines;
    }
  }

  async #nextChunk(): Promise<Buffer> {
    const next = await this.#chunks.next().catch(() => undefined);
    if (!next || next.done) throw queryTooComplex(' because its result used too much memory or time');
    return next.value;
  }
}
