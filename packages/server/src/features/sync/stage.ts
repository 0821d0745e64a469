import type { Page } from '@datadeck/connectors';
import type { Context } from '../../platform/context/index.ts';
import { DEFERRED, type OpenTransaction, openTransaction } from '../../platform/db/pool.ts';
import { type Claim, ClaimLost, isHeldAtCheckpoint } from './claim.ts';
import { targetOf } from './commit.ts';
import { addClientUsage, type ClientUsage, type Counters, countersSchema, withRemoval } from './counters.ts';
import {
  bumpVersion,
  markIdsSeen,
  type Removal,
  removeRecords,
  type StagedRecords,
  type StoredEntity,
  stageRecords,
} from './storage/index.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './wire.ts';

/** A fetched page of a run with the client usage of fetching it. */
export type FetchedPage = Page & { clientUsage: ClientUsage; entity: StoredEntity };

/** A page whose records are written in an open transaction. The transaction must be committed or rolled back. */
export interface StagedPage extends StagedRecords {
  page: FetchedPage;
  transaction: OpenTransaction;
}

/**
 * Writes a page's records into a new transaction and leaves it open. Its commit is asynchronous (not flushed to disk at
 * once): a database crash also loses the page's checkpoint, so the page is read again. The run's last commit is
 * durable.
 */
export async function stagePage(context: Context, run: SyncRow, page: FetchedPage): Promise<StagedPage> {
  const transaction = await openTransaction(context.db, DEFERRED);
  try {
    return { page, transaction, ...(await stageRecords(transaction.tx, targetOf(run), page)) };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** Returns the run's counters including a page. */
function totalsWith(before: Counters, { page, counts }: StagedPage, removal: Removal): Counters {
  const totals = {
    ...addClientUsage(before, page.clientUsage),
    added: before.added + counts.added,
    updated: before.updated + counts.updated,
    unchanged: before.unchanged + counts.unchanged,
    skipped: before.skipped + (page.skipped ?? 0),
    unreadable: before.unreadable + (page.unreadable?.length ?? 0),
  };
  return withRemoval(totals, removal);
}

/** Writes the page's removals, data version, counters and checkpoint. The last statement checks the fencing token. */
async function finishPage(staged: StagedPage, claim: Claim, run: SyncRow): Promise<SyncRow> {
  const { page, transaction, inserted, isChanged } = staged;
  const { tx } = transaction;
  if (isChanged) await bumpVersion(tx, run, { added: inserted, extraction: page.entity.extraction });
  const removed = await removeRecords(tx, targetOf(run), page.removed ?? []);
  await markIdsSeen(tx, targetOf(run), page.unreadable ?? []);
  const [saved] = await tx
    .update(syncs)
    .set({
      counters: totalsWith(countersSchema.parse(run.counters), staged, removed),
      checkpoint: page.checkpoint,
      phase: 'fetching',
      updatedAt: new Date(),
      waitingUntil: null,
      ...(page.total === undefined ? {} : { total: page.total }),
    })
    .where(isHeldAtCheckpoint(claim, run))
    .returning();
  if (!saved) throw new ClaimLost();
  return saved;
}

/**
 * Commits a staged page together with its checkpoint.
 * @param run the run after the previous page
 * @returns the run after this page
 * @throws ClaimLost
 */
export async function commitStaged(
  context: Context,
  staged: StagedPage,
  claim: Claim,
  run: SyncRow,
): Promise<SyncRow> {
  let saved: SyncRow;
  try {
    saved = await finishPage(staged, claim, run);
  } catch (error) {
    await staged.transaction.rollback();
    throw error;
  }
  await staged.transaction.commit();
  context.metrics.recordsWritten.inc({ entity: run.entity }, staged.page.records.length);
  return saved;
}
