import type { Page } from '@datadeck/connectors';
import type { Context } from '../../platform/context/index.ts';
import { DEFERRED, type OpenTransaction, openTransaction } from '../../platform/db/pool.ts';
import { type Claim, ClaimLost, heldAt } from './claim.ts';
import { targetOf } from './commit.ts';
import { type Counters, countersSchema, type Spent, withRemoval, withSpent } from './counters.ts';
import {
  growVersion,
  noteSeen,
  type Removal,
  removeRecords,
  type StagedRecords,
  type StoredEntity,
  stageRecords,
} from './storage/index.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './wire.ts';

/** A page of a run and what was spent to get it. */
export type SpentPage = Page & { spent: Spent; entity: StoredEntity };

/** A page whose records lie in an open transaction, which must be ended. */
export interface StagedPage extends StagedRecords {
  page: SpentPage;
  transaction: OpenTransaction;
}

/**
 * Writes a page's records into a transaction of its own and leaves it open. The page need not be durable at once: what a
 * crash of the database loses is lost with its checkpoint and read again, and the end of the run is durable.
 */
export async function stagePage(context: Context, run: SyncRow, page: SpentPage): Promise<StagedPage> {
  const transaction = await openTransaction(context.db, DEFERRED);
  try {
    return { page, transaction, ...(await stageRecords(transaction.tx, targetOf(run), page)) };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** The run's totals with those of a page. */
function grown(before: Counters, { page, counts }: StagedPage, removal: Removal): Counters {
  const brought = {
    ...withSpent(before, page.spent),
    added: before.added + counts.added,
    updated: before.updated + counts.updated,
    unchanged: before.unchanged + counts.unchanged,
    skipped: before.skipped + (page.skipped ?? 0),
    unreadable: before.unreadable + (page.unreadable?.length ?? 0),
  };
  return withRemoval(brought, removal);
}

/** Removals, version, counters, checkpoint; the last statement proves the claim. */
async function concludePage(staged: StagedPage, claim: Claim, run: SyncRow): Promise<SyncRow> {
  const { page, transaction, inserted, isChanged } = staged;
  const { tx } = transaction;
  if (isChanged) await growVersion(tx, run, { added: inserted, extraction: page.entity.extraction });
  const removed = await removeRecords(tx, targetOf(run), page.removed ?? []);
  await noteSeen(tx, targetOf(run), page.unreadable ?? []);
  const [saved] = await tx
    .update(syncs)
    .set({
      counters: grown(countersSchema.parse(run.counters), staged, removed),
      checkpoint: page.checkpoint,
      phase: 'fetching',
      updatedAt: new Date(),
      waitingUntil: null,
      ...(page.total === undefined ? {} : { total: page.total }),
    })
    .where(heldAt(claim, run))
    .returning();
  if (!saved) throw new ClaimLost();
  return saved;
}

/**
 * Commits a staged page together with its checkpoint.
 * @param run the run after the page before @returns the run after this page @throws ClaimLost
 */
export async function commitStaged(
  context: Context,
  staged: StagedPage,
  claim: Claim,
  run: SyncRow,
): Promise<SyncRow> {
  let saved: SyncRow;
  try {
    saved = await concludePage(staged, claim, run);
  } catch (error) {
    await staged.transaction.rollback();
    throw error;
  }
  await staged.transaction.commit();
  context.metrics.recordsWritten.inc({ entity: run.entity }, staged.page.records.length);
  return saved;
}
