import type { ConnectorRecord } from './connector.ts';
import type { Json } from './json.ts';
import type { PageAnswer, PageTask, PlacedPage, ReadEnd, RecordHead } from './page-thread-messages.ts';
import { SharedPart, type SharedPiece } from './shared-parts.ts';
import { TaskThread } from './task-thread.ts';

/** A page of a hundred pull requests takes some 20 ms. */
const TIMEOUT_MS = 30_000;
const HEAP_MB = 1024;

/** A page's records, with the memory that their data are slices of. */
export interface ReadPage {
  records: ConnectorRecord[];
  body: Buffer;
}

/** A thread that reads large pages. It runs while there are reads. */
export class PageThread {
  readonly #thread: TaskThread;
  #lastRead = 0;

  /** @param script calls `servePages` */
  constructor(script: URL) {
    this.#thread = new TaskThread(script, { timeoutMs: TIMEOUT_MS, heapMb: HEAP_MB });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Begins a read: its pages share what they hold in common. It must be closed. */
  open(): PageReader {
    this.#thread.hold();
    return new PageReader(this.#thread, ++this.#lastRead);
  }
}

/** Reads the pages of one read, one after the other. */
export class PageReader {
  readonly #thread: TaskThread;
  readonly #number: number;
  readonly #parts = new Map<number, SharedPart>();

  constructor(thread: TaskThread, number: number) {
    this.#thread = thread;
    this.#number = number;
  }

  /**
   * Reads a page whose memory nobody else uses: it is another buffer afterwards.
   * @returns undefined when the JSON is something else than a list
   * @throws ProviderError, ThreadLimitError, SyntaxError for what is no JSON
   */
  async read(json: Buffer<ArrayBuffer>, context: Json): Promise<ReadPage | undefined> {
    const { buffer, byteOffset: from, length } = json;
    const task: PageTask = { read: this.#number, body: buffer, from, to: from + length, context };
    const { body, page, parts } = await this.#thread.run<PageAnswer>(task, [buffer]);
    if (page === null) return undefined;
    for (const { number, text } of parts)
      this.#parts.set(number, new SharedPart(Buffer.from(text.buffer, text.byteOffset, text.length)));
    return { records: this.#recordsOf(page, body), body: Buffer.from(body, from, length) };
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
    if (!part) throw new Error(`the thread sent no part ${number}`);
    return part;
  }

  /** Ends the read: the thread forgets its parts. */
  close(): void {
    this.#thread.post({ endOf: this.#number } satisfies ReadEnd);
    this.#thread.release();
  }
}
