import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Completion, type Page, PageCheck, type ReadRequest } from '@datadeck/connectors';

/** Records that one transaction takes at most. */
const BATCH = 300;

export type Batch = { page: Page } | { completion: Completion };

/** One page after another as one: all records and removals, the later checkpoint. */
function merge(first: Page, second: Page): Page {
  const total = second.total ?? first.total;
  return {
    records: [...first.records, ...second.records],
    removed: [...(first.removed ?? []), ...(second.removed ?? [])],
    skipped: (first.skipped ?? 0) + (second.skipped ?? 0),
    unreadable: [...(first.unreadable ?? []), ...(second.unreadable ?? [])],
    checkpoint: second.checkpoint,
    bodies: [...(first.bodies ?? []), ...(second.bodies ?? [])],
    ...(total === undefined ? {} : { total }),
  };
}

/**
 * Reads pages ahead: the next one is fetched while the database commits the last, and pages that are there already
 * go into one transaction. A page is never waited for in order to fill a batch. Each is looked at: what a connector may not
 * hand over ends the run before it is stored.
 */
export class PageBatches {
  readonly #pages: AsyncGenerator<Page, Completion>;
  #upcoming: Promise<IteratorResult<Page, Completion>>;
  #isReady = false;
  readonly #check: PageCheck;

  constructor(pages: AsyncGenerator<Page, Completion>, request: Pick<ReadRequest, 'cursor' | 'limit'>) {
    this.#pages = pages;
    this.#check = new PageCheck(request);
    this.#upcoming = this.#advance();
  }

  #advance(): Promise<IteratorResult<Page, Completion>> {
    this.#isReady = false;
    const upcoming = this.#pages.next().then((next) => {
      if (!next.done) this.#check.take(next.value);
      return next;
    });
    const settle = () => {
      if (this.#upcoming === upcoming) this.#isReady = true;
    };
    upcoming.then(settle, settle);
    return upcoming;
  }

  async next(): Promise<Batch> {
    const first = await this.#upcoming;
    if (first.done) return { completion: first.value };
    let page = first.value;
    this.#upcoming = this.#advance();
    await nextTurn();
    while (this.#isReady && page.records.length < BATCH) {
      // A failure or the end waits for the next call, so that this batch is committed first.
      const following = await this.#upcoming.catch(() => undefined);
      if (
        following === undefined ||
        following.done ||
        page.records.length + following.value.records.length > BATCH
      )
        break;
      page = merge(page, following.value);
      this.#upcoming = this.#advance();
      await nextTurn();
    }
    return { page };
  }
}
