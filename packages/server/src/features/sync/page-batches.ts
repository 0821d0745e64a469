import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Completion,
  type Page,
  PageCheck,
  type ReadRequest,
  type TableDefinition,
} from '@datadeck/connectors';

/** Records that one transaction takes at most. */
const BATCH = 300;

export type Batch = { page: Page } | { completion: Completion };

/** Merges two pages: all records and removals, the later checkpoint. */
function merge(first: Page, second: Page): Page {
  const total = second.total ?? first.total;
  return {
    records: [...first.records, ...second.records],
    removed: [...(first.removed ?? []), ...(second.removed ?? [])],
    skipped: (first.skipped ?? 0) + (second.skipped ?? 0),
    unreadable: [...(first.unreadable ?? []), ...(second.unreadable ?? [])],
    checkpoint: second.checkpoint,
    ...(total === undefined ? {} : { total }),
  };
}

/** How the reading ended. */
type End = { completion: Completion } | { error: unknown };

/**
 * Reads pages ahead: pages are fetched while the database commits earlier ones, as many as one transaction takes, and
 * those that are there already go into one transaction. A page is never waited for in order to fill a batch. Each is
 * checked: what a connector may not hand over ends the run before it is stored.
 */
export class PageBatches {
  readonly #pages: AsyncGenerator<Page, Completion>;
  readonly #check: PageCheck;
  /** Pages that were read, and not yet handed over. */
  readonly #ready: Page[] = [];
  #end: End | undefined;
  /** Wakes up the one who waits for a page, and the reading that waits for room. */
  #onPage: () => void = () => undefined;
  #onRoom: () => void = () => undefined;

  /** @param table of the entity that is read */
  constructor(
    pages: AsyncGenerator<Page, Completion>,
    request: Pick<ReadRequest, 'cursor' | 'limit'>,
    table: TableDefinition,
  ) {
    this.#pages = pages;
    this.#check = new PageCheck(request, table);
    void this.#readAhead();
  }

  async #readAhead(): Promise<void> {
    try {
      while (!this.#end) {
        const next = await this.#pages.next();
        if (next.done) this.#end = { completion: next.value };
        else this.#ready.push(this.#check.take(next.value));
        this.#onPage();
        while (this.#isFull)
          await new Promise<void>((resolve) => {
            this.#onRoom = resolve;
          });
      }
    } catch (error) {
      this.#end = { error };
      this.#onPage();
    }
  }

  /** As many records are ready as one transaction takes. A page without records counts like one. */
  get #isFull(): boolean {
    return this.#ready.reduce((sum, { records }) => sum + Math.max(1, records.length), 0) >= BATCH;
  }

  /** The next pages as one, or how the reading ended. @throws what the reading threw, when all pages before were handed over */
  async next(): Promise<Batch> {
    while (this.#ready.length === 0 && !this.#end)
      await new Promise<void>((resolve) => {
        this.#onPage = resolve;
      });
    // What is ready already comes along.
    await nextTurn();
    let page = this.#ready.shift();
    if (!page) return this.#outcome();
    for (let [following] = this.#ready; following; following = this.#ready[0]) {
      if (page.records.length + following.records.length > BATCH) break;
      page = merge(page, following);
      this.#ready.shift();
    }
    this.#onRoom();
    return { page };
  }

  #outcome(): Batch {
    if (this.#end && 'completion' in this.#end) return this.#end;
    throw this.#end?.error;
  }
}
