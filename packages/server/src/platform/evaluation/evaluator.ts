import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../app-error.ts';
import type { EvaluationFailure, FromChild, ToChild } from './protocol.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const REPOSITORY = dirname(dirname(dirname(dirname(dirname(dirname(CHILD))))));
/** Heap of a child, MB. */
const HEAP_MB = 768;
/** Beyond the deadline the child is killed; the engine's own limit should have ended the work before. */
const GRACE_MS = 250;
const LOAD_TIMEOUT_MS = 120_000;

/** The error for a person whose query was stopped. */
export function tooComplex(detail = ''): AppError {
  return new AppError(
    'query-too-complex',
    `The query might be too complex: it was stopped${detail}. Narrow it down, or let a template do the counting.`,
  );
}

function errorOf(failure: EvaluationFailure): AppError {
  const detail = failure.position === null ? {} : { position: failure.position };
  if (failure.kind === 'too-complex') return tooComplex(`, because: ${failure.message}`);
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
  readonly keys = new Set<string>();
  busy = false;
  idleSince = Date.now();
  dead = false;
  #pending: Pending | undefined;

  constructor() {
    const readable = [
      `${REPOSITORY}/packages/*`,
      `${REPOSITORY}/node_modules/*`,
      `${REPOSITORY}/package.json`,
    ];
    this.#child = fork(CHILD, [], {
      execArgv: [
        '--permission',
        ...readable.map((path) => `--allow-fs-read=${path}`),
        `--max-old-space-size=${HEAP_MB}`,
        '--no-warnings',
      ],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message: FromChild) => this.#receive(message));
    this.#child.on('exit', () => this.#end());
    this.#child.on('error', () => this.#end());
  }

  #receive(message: FromChild): void {
    if (message.type === 'ready') return;
    if (message.type === 'loaded') {
      this.keys.add(message.key);
      for (const key of message.forgotten) this.keys.delete(key);
    }
    const pending = this.#pending;
    this.#pending = undefined;
    if (message.type === 'failure') pending?.reject(errorOf(message.failure));
    else pending?.resolve(message);
  }

  #end(): void {
    this.dead = true;
    this.#pending?.reject(tooComplex(' when it used too much memory or time'));
    this.#pending = undefined;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  /** Sends a message and waits for the answer; kills the child past the deadline. */
  async #ask(message: ToChild, deadlineMs: number): Promise<FromChild> {
    if (this.dead) throw tooComplex();
    const answer = new Promise<FromChild>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    const timer = setTimeout(() => this.kill(), deadlineMs + GRACE_MS);
    this.#child.send(message, (error) => {
      if (error) this.#end();
    });
    return answer.finally(() => clearTimeout(timer));
  }

  /** Hands rows over, as the pieces of the text of one JSON array. */
  async load(key: string, pieces: AsyncIterable<string>): Promise<void> {
    for await (const text of pieces) await this.#post({ type: 'load', key, text, last: false });
    await this.#ask({ type: 'load', key, text: '', last: true }, LOAD_TIMEOUT_MS);
  }

  #post(message: ToChild): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.dead) reject(tooComplex(' when it used too much memory'));
      else
        this.#child.send(message, (error) =>
          error ? reject(tooComplex(' when it used too much memory')) : resolve(),
        );
    });
  }

  async page(message: Extract<ToChild, { type: 'page' }>): Promise<Extract<FromChild, { type: 'page' }>> {
    const answer = await this.#ask(message, message.deadlineMs);
    if (answer.type !== 'page') throw new Error(`unexpected answer ${answer.type}`);
    return answer;
  }

  /** The result's text in chunks; the child makes the next one when this one was taken. */
  async *stream(message: Extract<ToChild, { type: 'stream' }>): AsyncGenerator<string> {
    let answer = await this.#ask(message, message.deadlineMs);
    for (;;) {
      if (answer.type !== 'chunk') throw new Error(`unexpected answer ${answer.type}`);
      if (answer.text !== '') yield answer.text;
      if (answer.last) return;
      answer = await this.#ask({ type: 'more', id: message.id }, message.deadlineMs);
    }
  }
}
