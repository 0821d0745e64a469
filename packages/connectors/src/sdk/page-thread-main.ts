import type { ConnectorRecord } from './connector.ts';
import type { Json } from './json.ts';
import { parseElements } from './json-elements.ts';
import type { MetPart, PageAnswer, PageTask, ReadEnd, RecordHead } from './page-thread-messages.ts';
import { type SharedPart, SharedParts } from './shared-parts.ts';
import { serveTasks } from './task-thread-main.ts';

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

async function readPage(task: PageTask, read: Read, record: ReadRecord): Promise<PageAnswer> {
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
  return { body: task.body, page, parts: read.takeMet() };
}

/** What a thread that reads pages runs: see `PageThread`. @param record makes a record of an element */
export function servePages(record: ReadRecord): void {
  const reads = new Map<number, Read>();
  serveTasks({
    async run(message) {
      const task = message as PageTask;
      const read = reads.get(task.read) ?? new Read();
      reads.set(task.read, read);
      const value = await readPage(task, read, record);
      return { value, transfer: [value.body, ...(value.page ? [value.page.places.buffer] : [])] };
    },
    notice: (message) => reads.delete((message as ReadEnd).endOf),
  });
}
