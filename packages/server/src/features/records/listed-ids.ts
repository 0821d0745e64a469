import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { oldest } from './scope.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';

/*
 * Tracks which ids a run has listed in the scope that it reads. Records that the run added are identified by `created_sync`; all
 * other ids are in `sync_seen`. A restarted run (`isRestart`) may not list again what it added earlier, so for it only `sync_seen` counts
 * and `write.ts` lists every id there.
 */

/** Returns the condition that the record `r` is in the scope. An earlier scope of the run may have added others. */
function isInScope({ scope }: WriteTarget): SQL {
  return sql`r.scopes @> array[${scope}::text]`;
}

/** Selects the ids of the run in `sync_seen`. */
function idsInTable({ userId, syncId }: WriteTarget): SQL {
  return sql`select external_id from sync_seen where user_id = ${userId} and sync_id = ${syncId}`;
}

/** Returns the condition that the run has not listed the record `r`. */
export function isUnlisted(target: WriteTarget): SQL {
  // PostgreSQL hashes NOT IN even with outdated statistics; an anti-join may become a nested loop.
  return target.isRestart
    ? sql`r.id not in (${idsInTable(target)})`
    : sql`r.created_sync <> ${target.syncId} and r.id not in (${idsInTable(target)})`;
}

/** Stores ids that the provider listed without returning their records, so that the stored records are kept. */
export async function markListed(tx: Queryable, target: WriteTarget, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    insert into sync_seen (user_id, sync_id, external_id)
    select ${target.userId}, ${target.syncId}, id from unnest(${textArray(ids)}) id on conflict do nothing`);
}

/** Selects the ids that a run has listed: those in `sync_seen` and the records that it added. */
function allListedIds(target: WriteTarget): SQL {
  if (target.isRestart) return idsInTable(target);
  return sql`${idsInTable(target)} union
    select r.id from ${tableOf(target)} r
    where ${isRecordOf(target)} and r.created_sync = ${target.syncId} and ${isInScope(target)}`;
}

/** Deletes the listed ids of a run. */
export async function deleteListedIds(tx: Queryable, userId: string, syncId: string): Promise<void> {
  await tx.execute(sql`delete from sync_seen where user_id = ${userId} and sync_id = ${syncId}`);
}

/** Counts the ids that a run has listed. */
export async function countListed(tx: Queryable, target: WriteTarget): Promise<number> {
  const result = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from (${allListedIds(target)}) s`,
  );
  return result.rows[0]?.count ?? 0;
}

/** Counts the records of the scope and the ids that the run has listed, in one pass over the records. */
export async function countPresentAndListed(
  tx: Queryable,
  target: WriteTarget,
): Promise<{ present: number; listed: number }> {
  const { userId, syncId, scope, isRestart } = target;
  const result = await tx.execute<{ present: number; added: number; listed: number }>(sql`
    select (count(*) filter (where scopes @> array[${scope}::text]))::int as present,
      (count(*) filter (where created_sync = ${syncId} and ${isInScope(target)}))::int as added,
      (select count(*)::int from sync_seen where user_id = ${userId} and sync_id = ${syncId}) as listed
    from ${tableOf(target)} r where ${isRecordOf(target)}`);
  const { present = 0, added = 0, listed = 0 } = result.rows[0] ?? {};
  if (isRestart) return { present, listed };
  // A first sync lists no ids and later ones often add none; only a mix needs the exact, slower count.
  return { present, listed: added === 0 || listed === 0 ? added + listed : await countListed(tx, target) };
}

/** Returns the date of the oldest record that a run has listed; undefined when there is none or it has no date. */
export function oldestListed(tx: Queryable, target: WriteTarget): Promise<Date | undefined> {
  const { userId, syncId, isRestart } = target;
  const isListed = sql`exists (
    select from sync_seen s where s.user_id = ${userId} and s.sync_id = ${syncId} and s.external_id = r.id)`;
  return oldest(
    tx,
    target,
    isRestart ? isListed : sql`((r.created_sync = ${syncId} and ${isInScope(target)}) or ${isListed})`,
  );
}

/** Deletes the listed ids of all runs except those that `running` selects. */
export async function deleteListedIdsExcept(db: Queryable, running: SQL): Promise<void> {
  await db.execute(sql`delete from sync_seen where sync_id not in (${running})`);
}

/** Deletes the listed ids of all runs of an account. */
export async function deleteListedIdsOfAccount(db: Queryable, userId: string): Promise<void> {
  await db.execute(sql`delete from sync_seen where user_id = ${userId}`);
}
