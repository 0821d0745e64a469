import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ConnectorRecord } from './connector.ts';
import type { Json } from './json.ts';
import type { PageAnswer, PageTask, PlacedPage, ReadEnd, RecordHead } from './page-thread-messages.ts';
import { ProviderError, type ProviderFailure } from './provider-error.ts';
import { SharedPart, type SharedPiece } from './shared-parts.ts';

/**
 * Begins a thread with the process's cache of compiled modules, which threads do not share by themselves: it is ready in
 * half the time, and does not load what strips types. The folder's last part is added anew.
 */
const BOOT = `
  const { workerData } = require('node:worker_threads');
  const { enableCompileCache, flushCompileCache } = require('node:module');
  if (workerData.cache) enableCompileCache(require('node:path').dirname(workerData.cache));
  import(workerData.script).then(() => flushCompileCache());
`;

/** Without a read for so long the thread ends; its memory is that of a small process. */
const IDLE_MS = 30_000;

interface Pending {
  resolve(answer: PageAnswer): void;
  reject(error: unknown): void;
}

/** A page's records, with the memory that their data are slices of. */
export interface ReadPage {
  records: ConnectorRecord[];
  body: Buffer;
}

/**
 * A thread that reads large pages, so that the process has time for its requests meanwhile. It runs while there are
 * reads, and is started anew when it died.
 */
export class PageThread {
  readonly #script: URL;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #reads = 0;
  #tasks = 0;
  #idle: NodeJS.Timeout | undefined;
  #lastRead = 0;

  /** @param script calls `servePages` */
  constructor(script: URL) {
    this.#script = script;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Begins a read: its pages share what they hold in common. It must be closed. */
  open(): PageReader {
    clearTimeout(this.#idle);
    this.#reads++;
    this.#start();
    return new PageReader(this, ++this.#lastRead);
  }

  /** @internal */
  send(task: Omit<PageTask, 'task'>): Promise<PageAnswer> {
    return new Promise((resolve, reject) => {
      const worker = this.#start();
      const number = ++this.#tasks;
      worker.postMessage({ ...task, task: number } satisfies PageTask, [task.body]);
      this.#pending.set(number, { resolve, reject });
      worker.ref();
    });
  }

  /** @internal */
  end(read: number): void {
    this.#worker?.postMessage({ endOf: read } satisfies ReadEnd);
    if (--this.#reads > 0) return;
    this.#idle = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    }, IDLE_MS).unref();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const workerData = { script: this.#script.href, cache: getCompileCacheDir() };
    const worker = new Worker(BOOT, { eval: true, workerData });
    worker.unref();
    worker.on('message', (answer: PageAnswer) => {
      this.#pending.get(answer.task)?.resolve(answer);
      this.#pending.delete(answer.task);
      if (this.#pending.size === 0) worker.unref();
    });
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, new Error('the thread ended')));
    this.#worker = worker;
    return worker;
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** Reads the pages of one read, one after the other. */
export class PageReader {
  readonly #thread: PageThread;
  readonly #number: number;
  readonly #parts = new Map<number, SharedPart>();

  constructor(thread: PageThread, number: number) {
    this.#thread = thread;
    this.#number = number;
  }

  /**
   * Reads a page whose memory nobody else uses: it is another buffer afterwards.
   * @returns undefined when the JSON is something else than a list @throws ProviderError, SyntaxError for what is no JSON
   */
  async read(json: Buffer<ArrayBuffer>, context: Json): Promise<ReadPage | undefined> {
    const { buffer, byteOffset: from, length } = json;
    const task = { read: this.#number, body: buffer, from, to: from + length, context };
    const { outcome, body } = await this.#thread.send(task);
    if ('error' in outcome) throw errorOf(outcome.error);
    if (outcome.page === null) return undefined;
    for (const { number, text } of outcome.parts)
      this.#parts.set(number, new SharedPart(Buffer.from(text.buffer, text.byteOffset, text.length)));
    return { records: this.#recordsOf(outcome.page, body), body: Buffer.from(body, from, length) };
  }

  #recordsOf({ heads, places }: PlacedPage, body: ArrayBuffer): ConnectorRecord[] {
    let at = 0;
    const next = () => places[at++] ?? 0;
    return (JSON.parse(heads) as RecordHead[]).map(({ id, occurredAt, facets }) => {
      const from = next();
      const data = Buffer.from(body, from, next() - from);
      const shared: SharedPiece[] = [];
      for (let left = next(); left > 0; left--)
        shared.push({ start: next(), end: next(), part: this.#part(next()) });
      return { id, occurredAt: new Date(occurredAt), data, shared, facets };
    });
  }

  #part(number: number): SharedPart {
    const part = this.#parts.get(number);
    if (!part) throw new Error(`the thread did not tell part ${number}`);
    return part;
  }

  /** Lets go what is remembered of the pages. */
  close(): void {
    this.#thread.end(this.#number);
  }
}

function errorOf(error: unknown): unknown {
  if (error instanceof Error) return error;
  const { failure, message } = error as { failure: ProviderFailure; message: string };
  return new ProviderError(failure, message);
}
