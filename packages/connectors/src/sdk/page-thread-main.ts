import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ConnectorRecord } from './connector.ts';
import type { Json } from './json.ts';
import { parseElements } from './json-elements.ts';
import type {
  MetPart,
  PageAnswer,
  PageOutcome,
  PageTask,
  ReadEnd,
  RecordHead,
} from './page-thread-messages.ts';
import { ProviderError } from './provider-error.ts';
import { type SharedPart, SharedParts } from './shared-parts.ts';

/** What the thread remembers of a read. */
class Read {
  readonly parts = new SharedParts();
  readonly #numbers = new Map<SharedPart, number>();
  #met: MetPart[] = [];

  numberOf(part: SharedPart): number {
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(part, number);
    this.#met.push({ number, text: part.text });
    return number;
  }

  /** Parts that were numbered since the last call. */
  takeMet(): MetPart[] {
    const met = this.#met;
    this.#met = [];
    return met;
  }
}

/** @param context what the page belongs to, as the reader of pages gave it */
export type ReadRecord = (element: unknown, context: Json) => Omit<ConnectorRecord, 'data'>;

async function readPage(task: PageTask, read: Read, record: ReadRecord): Promise<PageOutcome> {
  const json = Buffer.from(task.body, task.from, task.to - task.from);
  const places: number[] = [];
  const heads = await parseElements(
    json,
    (element, source, pieces): RecordHead => {
      places.push(source.byteOffset, source.byteOffset + source.length, pieces.length);
      for (const { start, end, part } of pieces) places.push(start, end, read.numberOf(part));
      const { id, occurredAt, facets } = record(element, task.context);
      return { id, occurredAt: occurredAt.getTime(), facets };
    },
    read.parts,
  );
  const page = heads ? { heads: JSON.stringify(heads), places: Int32Array.from(places) } : null;
  return { page, parts: read.takeMet() };
}

/** What a thread that reads pages runs: see `PageThread`. @param record makes a record of an element */
export function servePages(record: ReadRecord): void {
  const port = parentPort as MessagePort;
  const reads = new Map<number, Read>();
  port.on('message', async (message: PageTask | ReadEnd) => {
    if ('endOf' in message) {
      reads.delete(message.endOf);
      return;
    }
    const { task, body } = message;
    const read = reads.get(message.read) ?? new Read();
    reads.set(message.read, read);
    const outcome = await readPage(message, read, record).catch((error: unknown) => ({
      error: plain(error),
    }));
    const places = 'page' in outcome && outcome.page ? [outcome.page.places.buffer] : [];
    port.postMessage({ task, body, outcome } satisfies PageAnswer, [body, ...places]);
  });
}

/** An error as it can be sent: classes of ours do not pass. */
function plain(error: unknown): unknown {
  return error instanceof ProviderError ? { failure: error.failure, message: error.message } : error;
}
