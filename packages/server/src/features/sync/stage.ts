import { type Page, storable } from '@datadeck/connectors';
import { MAX_SKIPPED_ID_LENGTH, MAX_SKIPPED_IDS } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { DEFERRED, type OpenTransaction, openTransaction } from '../../platform/db/database.ts';
import { isRefusedData } from '../../platform/db/failures.ts';
import {
  bumpVersion,
  markListed,
  type Removal,
  removeRecords,
  type StoredEntity,
  type WrittenPage,
  writePage,
} from '../records/index.ts';
import { type Claim, ClaimLost, isHeldAtCheckpoint } from './claim.ts';
import { targetOf } from './commit.ts';
import { addClientUsage, type ClientUsage, type Counters, countersSchema, withRemoval } from './counters.ts';
import { forgetRecordCount } from './cursors.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/** A fetched page of a run with the client usage of fetching it. */
export type FetchedPage = Page & { clientUsage: ClientUsage; entity: StoredEntity };

/** A page whose records are written in an open transaction. The transaction must be committed or rolled back. */
export interface StagedPage extends WrittenPage {
  page: FetchedPage;
  transaction: OpenTransaction;
  /** Ids of the records that PostgreSQL refuses to store. */
  refused: readonly string[];
}

/** Longest id, bytes: it must fit into index entries, which hold 2,704 bytes. */
const MAX_ID_BYTES = 2500;
const isStorableId = (id: string) => Buffer.byteLength(id) <= MAX_ID_BYTES;

type StagedParts = WrittenPage & Pick<StagedPage, 'refused'>;

/**
 * Writes the records that PostgreSQL accepts: each half of the page on its own, and the halves of a half that it refuses.
 * @throws errors that the records do not cause
 */
async function stageAccepted(
  { tx }: OpenTransaction,
  run: SyncRow,
  { entity, records }: Pick<FetchedPage, 'entity' | 'records'>,
): Promise<StagedParts> {
  const total: StagedParts = {
    counts: { added: 0, updated: 0, unchanged: 0 },
    ...{ inserted: 0, isChanged: false },
    refused: [],
  };
  const parts = [records];
  for (let part = parts.pop(); part; part = parts.pop()) {
    await tx.execute(sql`savepoint part`);
    try {
      addStaged(total, await writePage(tx, targetOf(run), { entity, records: part }));
    } catch (error) {
      if (!isRefusedData(error)) throw error;
      await tx.execute(sql`rollback to savepoint part`);
      const middle = Math.ceil(part.length / 2);
      // The first half is written first, because the last record wins when ids repeat.
      if (part.length > 1) parts.push(part.slice(middle), part.slice(0, middle));
      else total.refused = [...total.refused, ...part.map(({ id }) => id)];
    }
    await tx.execute(sql`release savepoint part`);
  }
  return total;
}

function addStaged(total: StagedParts, { counts, inserted, isChanged }: WrittenPage): void {
  total.counts.added += counts.added;
  total.counts.updated += counts.updated;
  total.counts.unchanged += counts.unchanged;
  total.inserted += inserted;
  total.isChanged ||= isChanged;
}

/** Opens a transaction and writes into it. Rolls it back when that fails. */
async function stageWith(
  context: Context,
  page: FetchedPage,
  write: (transaction: OpenTransaction) => Promise<StagedParts>,
): Promise<StagedPage> {
  const transaction = await openTransaction(context.db, DEFERRED);
  try {
    return { page, transaction, ...(await write(transaction)) };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/**
 * Writes a page's records into a new transaction and leaves it open. Its commit is asynchronous (not flushed to disk at
 * once): a database crash also loses the page's checkpoint, so the page is read again. The run's last commit is
 * durable. Records that PostgreSQL refuses are left out.
 */
export async function stagePage(context: Context, run: SyncRow, page: FetchedPage): Promise<StagedPage> {
  const records = page.records.filter(({ id }) => isStorableId(id));
  const longIds = page.records.flatMap(({ id }) => (isStorableId(id) ? [] : [id]));
  const { entity } = page;
  const withLongIds = (parts: StagedParts) => ({ ...parts, refused: [...longIds, ...parts.refused] });
  try {
    return await stageWith(context, page, async ({ tx }) =>
      withLongIds({ ...(await writePage(tx, targetOf(run), { entity, records })), refused: [] }),
    );
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    context.log.warn({ err: error, syncId: run.id }, 'a page has records that the database refuses');
    return stageWith(context, page, async (transaction) =>
      withLongIds(await stageAccepted(transaction, run, { entity, records })),
    );
  }
}

/** Returns the run's counters including a page. */
function totalsWith(before: Counters, { page, counts, refused }: StagedPage, removal: Removal): Counters {
  const unreadable = page.unreadable ?? [];
  const totals = {
    ...addClientUsage(before, page.clientUsage),
    added: before.added + counts.added,
    updated: before.updated + counts.updated,
    unchanged: before.unchanged + counts.unchanged,
    skipped: before.skipped + (page.skipped ?? 0),
    unreadable: before.unreadable + unreadable.length + refused.length,
    refused: before.refused + refused.length,
    skippedIds: [...before.skippedIds, ...refused, ...unreadable]
      .slice(0, MAX_SKIPPED_IDS)
      .map((id) => storable(id.slice(0, MAX_SKIPPED_ID_LENGTH))),
  };
  return withRemoval(totals, removal);
}

/** Writes the page's removals, data version, counters and checkpoint. @throws ClaimLost when the fencing token is another one */
async function finishPage(staged: StagedPage, claim: Claim, run: SyncRow): Promise<SyncRow> {
  const { page, transaction, inserted, isChanged, refused } = staged;
  const { tx } = transaction;
  if (isChanged) await bumpVersion(tx, run, { added: inserted, extraction: page.entity.extraction });
  const removed = await removeRecords(tx, targetOf(run), page.removed ?? []);
  // What is stored of a record that is skipped stays.
  await markListed(tx, targetOf(run), [...(page.unreadable ?? []), ...refused].filter(isStorableId));
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
  if (isChanged || removed.count > 0) await forgetRecordCount(tx, run);
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
