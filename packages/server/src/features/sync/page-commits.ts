import type { Context } from '../../platform/context/index.ts';
import { hasSpareConnection } from '../../platform/db/pool.ts';
import type { Claim } from './claim.ts';
import { commitStaged, type SpentPage, type StagedPage, stagePage } from './stage.ts';
import type { SyncRow } from './wire.ts';

/** Pages of a run that are on their way into the database at once. */
const PAGES_AT_ONCE = 3;

interface OpenPage {
  /** Records that it writes or removes. */
  ids: string[];
  committed: Promise<SyncRow>;
}

function idsOf(page: SpentPage): string[] {
  return [...page.records.map((record) => record.id), ...(page.removed ?? [])];
}

/**
 * Commits the pages of a run one after the other, each with its checkpoint: while one is committed, the records of the
 * next go into a transaction of their own already. Two open ones never touch the same record: they would wait for each other.
 */
export class PageCommits {
  readonly #context: Context;
  readonly #claim: Claim;
  #open: OpenPage[] = [];
  /** The run as of the page committed last. */
  run: SyncRow;
  #failure: unknown;

  constructor(context: Context, claim: Claim, run: SyncRow) {
    this.#context = context;
    this.#claim = claim;
    this.run = run;
  }

  /** Takes a page, as soon as there is room for it. @throws what committing an earlier one threw */
  async add(page: SpentPage): Promise<void> {
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
    const room = hasSpareConnection(this.#context.db) ? PAGES_AT_ONCE : 1;
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

  /** Waits until every page taken is committed or given up. @throws what committing one threw */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#open.map((page) => page.committed));
    if (this.#failure !== undefined) throw this.#failure;
  }
}
