import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type Completion,
  type Page,
  PageCheck,
  type ReadRequest,
  type TableDefinition,
} from '@datadeck/connectors';

/** Maximum number of records in one transaction. */
const MAX_BATCH_RECORDS = 300;

export type Batch = { page: Page } | { completion: Completion };

/** Merges two pages: all records and removals of both, and the checkpoint of the second. */
function mergePages(first: Page, second: Page): Page {
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

/** The end of the listing: completed or failed. */
type End = { completion: Completion } | { error: unknown };

/**
 * Fetches pages ahead while the database commits earlier ones, up to one transaction's worth of records. Merges pages
 * that are already fetched into one batch, without waiting to fill it. Validates every page; an invalid page fails the
 * run before it is stored.
 */
export class PageBatches {
  readonly #pages: AsyncGenerator<Page, Completion>;
  readonly #check: PageCheck;
  /** Pages that were fetched but not yet returned by `next`. */
  readonly #ready: Page[] = [];
  #end: End | undefined;
  /** Resolves the promise of a caller waiting in `next`, and of the reader waiting for room. */
  #onPage: () => void = () => undefined;
  #onRoom: () => void = () => undefined;

  /** @param table the entity's table declaration */
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
        else this.#ready.push(this.#check.check(next.value));
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

  /** True when a full batch is ready. A page without records counts as one record. */
  get #isFull(): boolean {
    return (
      this.#ready.reduce((sum, { records }) => sum + Math.max(1, records.length), 0) >= MAX_BATCH_RECORDS
    );
  }

  /**
   * Returns the next pages merged into one batch, or the completion. @throws the connector's error, after all earlier
   * pages were returned
   */
  async next(): Promise<Batch> {
    while (this.#ready.length === 0 && !this.#end)
      await new Promise<void>((resolve) => {
        this.#onPage = resolve;
      });
    // Lets pages that are already fetched join this batch.
    await yieldToEventLoop();
    let page = this.#ready.shift();
    if (!page) return this.#outcome();
    for (let [following] = this.#ready; following; following = this.#ready[0]) {
      if (page.records.length + following.records.length > MAX_BATCH_RECORDS) break;
      page = mergePages(page, following);
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
