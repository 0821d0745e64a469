import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ProviderError, type ProviderFailure } from './provider-error.ts';
import type { PlainError, ThreadMessage } from './task-thread-messages.ts';

/** How much lower than the main thread's the priority of a thread is: when the processors are busy, requests come first. */
const NICENESS = 10;

/**
 * Lowers the priority of the thread before it loads anything (on Linux 0 names the calling thread alone, elsewhere the
 * whole process), and gives it the process's cache of compiled modules, which threads do not share by themselves: it is
 * ready in half the time, and does not load what strips types. The cache adds the last part of the folder's name itself.
 */
const BOOT = `
  const { workerData } = require('node:worker_threads');
  const { getPriority, setPriority } = require('node:os');
  const { enableCompileCache, flushCompileCache } = require('node:module');
  try {
    if (process.platform === 'linux') setPriority(0, Math.min(getPriority(0) + ${NICENESS}, 19));
  } catch {
    // Where the system does not allow it, threads compete with the main thread.
  }
  if (workerData.cache) enableCompileCache(require('node:path').dirname(workerData.cache));
  import(workerData.script).then(() => flushCompileCache());
`;

/** A thread without work ends after this time; its memory is that of a small process. */
const IDLE_MS = 30_000;
/** Size of the newest objects of a thread, MB: the rest of its heap is `heapMb`. */
const YOUNG_MB = 32;

/** Limits of a thread's work. */
export interface ThreadLimits {
  /** Longest time a task may take, ms; of a thread that sends heartbeats, longest time between two of them. */
  timeoutMs: number;
  /** Largest heap of JavaScript objects, MB. Buffers do not count: code in the thread must limit them itself. */
  heapMb: number;
}

/** Thrown when a task was ended with its thread because it took too much time or memory. */
export class ThreadLimitError extends ProviderError {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super('malformed', `The provider sent something that takes too much ${limit} to read.`);
    this.name = 'ThreadLimitError';
    this.limit = limit;
  }
}

interface Task {
  message: unknown;
  transfer: readonly ArrayBuffer[];
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * A worker thread that parses and transforms content from outside, so that the process has time for its requests. It runs
 * one task at a time, starts with the first one, ends when idle, and is replaced when it dies or reaches a limit.
 */
export class TaskThread {
  readonly #script: URL;
  readonly #limits: ThreadLimits;
  readonly #queue: Task[] = [];
  #current: Task | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #timeout: NodeJS.Timeout | undefined;

  /** @param script calls `serveTasks` */
  constructor(script: URL, limits: ThreadLimits) {
    this.#script = script;
    this.#limits = limits;
  }

  /**
   * Runs one task after those before it.
   * @param transfer memory that goes along @throws ThreadLimitError, what the task throws, Error when the thread dies
   */
  run<T>(message: unknown, transfer: readonly ArrayBuffer[] = []): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ message, transfer, resolve: resolve as (answer: unknown) => void, reject });
      this.#next();
    });
  }

  /** Ends the thread at once; the current task fails. */
  end(): void {
    if (this.#worker) this.#fail(this.#worker, new Error('the thread was ended'));
  }

  #next(): void {
    const task = this.#current ? undefined : this.#queue.shift();
    if (!task) {
      this.#settleIdle();
      return;
    }
    this.#current = task;
    const worker = this.#start();
    worker.ref();
    this.#settleIdle();
    this.#timeout = setTimeout(
      () => this.#fail(worker, new ThreadLimitError('time')),
      this.#limits.timeoutMs,
    );
    try {
      worker.postMessage(task.message, task.transfer);
    } catch (error) {
      this.#finish()?.reject(error);
      this.#next();
    }
  }

  /** Takes the current task away. */
  #finish(): Task | undefined {
    const task = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timeout);
    this.#worker?.unref();
    return task;
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(BOOT, {
      eval: true,
      workerData: { script: this.#script.href, cache: getCompileCacheDir() },
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.unref();
    worker.on('message', (message: ThreadMessage) => {
      if (this.#worker !== worker) return;
      if ('alive' in message) {
        if (this.#current) this.#timeout?.refresh();
        return;
      }
      const task = this.#finish();
      if ('error' in message) task?.reject(errorOf(message.error));
      else task?.resolve(message.answer);
      this.#next();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(worker, isMemory ? new ThreadLimitError('memory') : error);
    });
    worker.on('exit', () => this.#fail(worker, new Error('the thread ended')));
    this.#worker = worker;
    return worker;
  }

  /** Ends a thread and its current task; waiting tasks get another thread. */
  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    const task = this.#finish();
    this.#worker = undefined;
    void worker.terminate();
    task?.reject(error);
    this.#next();
  }

  #settleIdle(): void {
    clearTimeout(this.#idle);
    if (!this.#worker || this.#current) return;
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }
}

function errorOf({ name, message, failure, fields }: PlainError): Error {
  if (failure !== undefined) return new ProviderError(failure as ProviderFailure, message);
  const error = name === 'SyntaxError' ? new SyntaxError(message) : new Error(message);
  return Object.assign(error, fields);
}
