import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ProviderError, type ProviderFailure } from './provider-error.ts';
import type { PlainError, ThreadMessage } from './task-thread-messages.ts';

/** Nice value added to a thread's priority, so that the main thread's requests come first on a busy machine. */
const NICENESS = 10;

/**
 * Start code of a thread. Lowers its priority first (on Linux pid 0 is the calling thread, elsewhere the process), then
 * enables the process's compile cache, which halves the start time. `enableCompileCache` appends the last folder itself.
 */
const BOOT = `
  const { workerData } = require('node:worker_threads');
  const { getPriority, setPriority } = require('node:os');
  const { enableCompileCache, flushCompileCache } = require('node:module');
  try {
    if (process.platform === 'linux') setPriority(0, Math.min(getPriority(0) + ${NICENESS}, 19));
  } catch {
    // Without permission, threads run at the main thread's priority.
  }
  if (workerData.cache) enableCompileCache(require('node:path').dirname(workerData.cache));
  import(workerData.script).then(() => flushCompileCache());
`;

/** Time after which an idle thread ends, ms; it uses as much memory as a small process. */
const IDLE_MS = 30_000;
/** Size of a thread's young generation, MB, in addition to `heapMb`. */
const YOUNG_MB = 32;

/** A task ends after this many times its `timeoutMs` even if the process had little processor time. */
const MAX_STRETCH = 6;
/** Shortest time until processor time is read again, ms. */
const MIN_RECHECK_MS = 50;

/** Time and memory limits of a thread. */
export interface ThreadLimits {
  /**
   * Longest time a task may take, ms. For threads that send heartbeats: longest time between two of them. On a busy machine
   * the task continues until the process has had this much processor time, for at most `MAX_STRETCH` times as long.
   */
  timeoutMs: number;
  /** Largest JavaScript heap, MB. Buffers are not counted; code in the thread must limit them itself. */
  heapMb: number;
}

/** Thrown, with the failure `malformed`, when a task was ended with its thread at the time or memory limit. */
export class ThreadLimitError extends ProviderError {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super('malformed', `The provider sent data that takes too much ${limit} to read.`);
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
 * A worker thread that parses untrusted content, which keeps the main thread responsive. It runs one task at a time,
 * starts with the first one, ends when idle, and is replaced when it dies or reaches a limit.
 */
export class TaskThread {
  readonly #script: URL;
  readonly #limits: ThreadLimits;
  readonly #queue: Task[] = [];
  #current: Task | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #timeout: NodeJS.Timeout | undefined;

  /** @param script module that calls `serveTasks` */
  constructor(script: URL, limits: ThreadLimits) {
    this.#script = script;
    this.#limits = limits;
  }

  /**
   * Queues one task and returns its result.
   * @param transfer buffers to move to the thread
   * @throws ThreadLimitError, the task's own error, or Error when the thread dies
   */
  run<T>(message: unknown, transfer: readonly ArrayBuffer[] = []): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ message, transfer, resolve: resolve as (answer: unknown) => void, reject });
      this.#runNext();
    });
  }

  /** Ends the thread at once; the current task fails, and waiting tasks get another thread. */
  end(): void {
    if (this.#worker) this.#fail(this.#worker, new Error('the thread was ended'));
  }

  /** Sends the next waiting task to the thread with a timeout, or starts the idle timer. Does nothing during a task. */
  #runNext(): void {
    const task = this.#current ? undefined : this.#queue.shift();
    if (!task) {
      this.#restartIdleTimer();
      return;
    }
    this.#current = task;
    try {
      const worker = this.#ensureWorker();
      worker.ref();
      this.#restartIdleTimer();
      this.#limitTime(worker);
      worker.postMessage(task.message, task.transfer);
    } catch (error) {
      this.#takeCurrent()?.reject(error);
      this.#runNext();
    }
  }

  /** Starts the time limit of the current task, or starts it again after a heartbeat. */
  #limitTime(worker: Worker): void {
    const { timeoutMs } = this.#limits;
    const begun = { at: performance.now(), cpu: process.cpuUsage() };
    const check = () => {
      const { user, system } = process.cpuUsage(begun.cpu);
      const leftMs = timeoutMs - (user + system) / 1000;
      if (leftMs <= 0 || performance.now() - begun.at >= MAX_STRETCH * timeoutMs)
        this.#fail(worker, new ThreadLimitError('time'));
      else this.#timeout = setTimeout(check, Math.max(MIN_RECHECK_MS, leftMs));
    };
    clearTimeout(this.#timeout);
    this.#timeout = setTimeout(check, timeoutMs);
  }

  /** Removes and returns the current task. */
  #takeCurrent(): Task | undefined {
    const task = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timeout);
    this.#worker?.unref();
    return task;
  }

  /** Returns the running worker, else starts one; its messages and its end settle the current task. */
  #ensureWorker(): Worker {
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
        if (this.#current) this.#limitTime(worker);
        return;
      }
      const task = this.#takeCurrent();
      if ('error' in message) task?.reject(errorOf(message.error));
      else task?.resolve(message.answer);
      this.#runNext();
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
    const task = this.#takeCurrent();
    this.#worker = undefined;
    void worker.terminate();
    task?.reject(error);
    this.#runNext();
  }

  /** Stops the idle timer, and starts it again if the thread has no task. */
  #restartIdleTimer(): void {
    clearTimeout(this.#idle);
    if (!this.#worker || this.#current) return;
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }
}

/** Restores an error of the thread: a ProviderError without `fields`, else a SyntaxError or Error with them. */
function errorOf({ name, message, failure, fields }: PlainError): Error {
  if (failure !== undefined) return new ProviderError(failure as ProviderFailure, message);
  const error = name === 'SyntaxError' ? new SyntaxError(message) : new Error(message);
  return Object.assign(error, fields);
}
