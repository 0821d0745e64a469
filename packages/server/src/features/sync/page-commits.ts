import type { Context } from '../../platform/context/index.ts';
import { hasSpareConnection } from '../../platform/db/database.ts';
import type { Claim } from './claim.ts';
import { commitStaged, type FetchedPage, type StagedPage, stagePage } from './stage.ts';
import type { SyncRow } from './to-response.ts';

/** Maximum number of pages of a run in open transactions. */
const MAX_OPEN_PAGES = 3;

interface OpenPage {
  /** Ids of the records that it writes or removes. */
  ids: string[];
  committed: Promise<SyncRow>;
}

function idsOf(page: FetchedPage): string[] {
  return [...page.records.map((record) => record.id), ...(page.removed ?? [])];
}

/**
 * Commits the pages of a run in order, each with its checkpoint. While one page commits, the records of the next are
 * already written in their own transaction. Open pages never share a record, because they would wait for each other's
 * row locks.
 */
export class PageCommits {
  readonly #context: Context;
  readonly #claim: Claim;
  #open: OpenPage[] = [];
  /** The run after the last committed page. */
  run: SyncRow;
  #failure: unknown;

  constructor(context: Context, claim: Claim, run: SyncRow) {
    this.#context = context;
    this.#claim = claim;
    this.run = run;
  }

  /** Accepts a page, waiting until there is room for it. @throws the error of an earlier commit */
  async add(page: FetchedPage): Promise<void> {
    const ids = idsOf(page);
    const touched = new Set(ids);
    while (this.#open[0] && this.#mustWait(touched)) await this.#open[0].committed;
    if (this.#failure !== undefined) throw this.#failure;
    const before = this.#open.at(-1)?.committed ?? Promise.resolve(this.run);
    const staged = stagePage(this.#context, this.run, page);
    const open: OpenPage = { ids, committed: this.#commit(before, staged) };
    this.#open.push(open);
    open.committed
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#open = this.#open.filter((one) => one !== open);
      });
  }

  #mustWait(ids: Set<string>): boolean {
    const room = hasSpareConnection(this.#context.db) ? MAX_OPEN_PAGES : 1;
    return this.#open.length >= room || this.#open.some((page) => page.ids.some((id) => ids.has(id)));
  }

  async #commit(before: Promise<SyncRow>, staging: Promise<StagedPage>): Promise<SyncRow> {
    const [run, staged] = await Promise.allSettled([before, staging]);
    if (run.status === 'rejected' || staged.status === 'rejected') {
      if (staged.status === 'fulfilled') await staged.value.transaction.rollback();
      throw run.status === 'rejected' ? run.reason : (staged as PromiseRejectedResult).reason;
    }
    this.run = await commitStaged(this.#context, staged.value, this.#claim, run.value);
    return this.run;
  }

  /** Waits until every accepted page is committed or rolled back. @throws the first error of a commit */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#open.map((page) => page.committed));
    if (this.#failure !== undefined) throw this.#failure;
  }
}
