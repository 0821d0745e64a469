import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../platform/db/pool.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { oldest } from './scope.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';

/*
 * Which ids a run has seen. `created_sync` shows it of the records that the run added; the others are listed in `sync_seen`.
 * A restarted run (`isRestart`) may have added records that it does not see again: there the list alone counts, and
 * `write.ts` adds every id to it.
 */

function noted({ userId, syncId }: WriteTarget): SQL {
  return sql`select external_id from sync_seen where user_id = ${userId} and sync_id = ${syncId}`;
}

/** The condition that the run has not seen the record `r`. */
export function isUnseen(target: WriteTarget): SQL {
  // NOT IN is hashed even when statistics lag behind; an anti-join may become a nested loop.
  return target.isRestart
    ? sql`r.id not in (${noted(target)})`
    : sql`r.created_sync <> ${target.syncId} and r.id not in (${noted(target)})`;
}

/** Marks ids as seen whose records the provider listed but did not return: what is stored of them stays. */
export async function noteSeen(tx: Queryable, target: WriteTarget, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    insert into sync_seen (user_id, sync_id, external_id)
    select ${target.userId}, ${target.syncId}, id from unnest(${textArray(ids)}) id on conflict do nothing`);
}

/** Selects the ids that a run has seen: those it noted, and the records that it added. */
function seen(target: WriteTarget): SQL {
  if (target.isRestart) return noted(target);
  return sql`${noted(target)} union
    select r.id from ${tableOf(target)} r where ${isRecordOf(target)} and r.created_sync = ${target.syncId}`;
}

/** Forgets which ids a run has seen. */
export async function forgetSeen(tx: Queryable, userId: string, syncId: string): Promise<void> {
  await tx.execute(sql`delete from sync_seen where user_id = ${userId} and sync_id = ${syncId}`);
}

/** Counts the ids that a run has seen. */
export async function countSeen(tx: Queryable, target: WriteTarget): Promise<number> {
  const result = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from (${seen(target)}) s`,
  );
  return result.rows[0]?.count ?? 0;
}

/** Counts the records of the scope and the ids that the run has seen, in one pass over the records. */
export async function countAtEnd(
  tx: Queryable,
  target: WriteTarget,
): Promise<{ present: number; seen: number }> {
  const { userId, syncId, scope, isRestart } = target;
  const result = await tx.execute<{ present: number; added: number; noted: number }>(sql`
    select (count(*) filter (where scopes @> array[${scope}::text]))::int as present,
      (count(*) filter (where created_sync = ${syncId}))::int as added,
      (select count(*)::int from sync_seen where user_id = ${userId} and sync_id = ${syncId}) as noted
    from ${tableOf(target)} r where ${isRecordOf(target)}`);
  const { present = 0, added = 0, noted = 0 } = result.rows[0] ?? {};
  if (isRestart) return { present, seen: noted };
  // A first sync has noted nothing, a later one has added little.
  return { present, seen: added === 0 || noted === 0 ? added + noted : await countSeen(tx, target) };
}

/** Returns the date of the oldest record that a run has seen; undefined before the first, and for records without a date. */
export function oldestSeen(tx: Queryable, target: WriteTarget): Promise<Date | undefined> {
  const { userId, syncId, isRestart } = target;
  const isNoted = sql`exists (
    select from sync_seen s where s.user_id = ${userId} and s.sync_id = ${syncId} and s.external_id = r.id)`;
  return oldest(tx, target, isRestart ? isNoted : sql`(r.created_sync = ${syncId} or ${isNoted})`);
}
