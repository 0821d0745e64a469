import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { oldest } from './scope.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';

/*
 * Which ids a run has met. Most need no note: a record that the run added tells by `created_sync` that it did. The others
 * stand in `sync_seen`. A run that was restarted (`isRestart`) may have added records that it does not meet again, so there the
 * notes alone count, and `write.ts` notes every id. Who asks in another way than by these functions forgets one of the two.
 */

function noted({ userId, syncId }: WriteTarget): SQL {
  return sql`select external_id from sync_seen where user_id = ${userId} and sync_id = ${syncId}`;
}

/** Whether the record `r` was not met by the run, of those that were there. */
export function isUnmet(target: WriteTarget): SQL {
  // NOT IN is hashed whatever the planner believes of tables that just grew; an anti-join may become a nested loop.
  return target.isRestart
    ? sql`r.external_id not in (${noted(target)})`
    : sql`r.created_sync <> ${target.syncId} and r.external_id not in (${noted(target)})`;
}

/** Notes ids that a run met without bringing their records: a listing that held them leaves in the scope what is stored of them. */
export async function noteSeen(tx: Queryable, target: WriteTarget, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    insert into sync_seen (user_id, sync_id, external_id)
    select ${target.userId}, ${target.syncId}, id from unnest(${textArray(ids)}) id on conflict do nothing`);
}

/** The ids that a run has met: what it noted, and the records that it added. */
function met(target: WriteTarget): SQL {
  const { userId, connectionId, entity, syncId, isRestart } = target;
  if (isRestart) return noted(target);
  return sql`${noted(target)} union
    select external_id from records
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and created_sync = ${syncId}`;
}

/** Forgets which ids a run has met. */
export async function forgetSeen(tx: Queryable, userId: string, syncId: string): Promise<void> {
  await tx.execute(sql`delete from sync_seen where user_id = ${userId} and sync_id = ${syncId}`);
}

/** How many ids a run has met. */
export async function countSeen(tx: Queryable, target: WriteTarget): Promise<number> {
  const result = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from (${met(target)}) m`,
  );
  return result.rows[0]?.count ?? 0;
}

/** How many records the scope holds, and how many ids the run has met, in one look at the records. */
export async function countAtEnd(
  tx: Queryable,
  target: WriteTarget,
): Promise<{ present: number; met: number }> {
  const { userId, connectionId, entity, syncId, scope, isRestart } = target;
  const result = await tx.execute<{ present: number; added: number; noted: number }>(sql`
    select (count(*) filter (where scopes @> array[${scope}::text]))::int as present,
      (count(*) filter (where created_sync = ${syncId}))::int as added,
      (select count(*)::int from sync_seen where user_id = ${userId} and sync_id = ${syncId}) as noted
    from records where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity}`);
  const { present = 0, added = 0, noted = 0 } = result.rows[0] ?? {};
  if (isRestart) return { present, met: noted };
  // A first sync has noted nothing, a later one has added little.
  return { present, met: added === 0 || noted === 0 ? added + noted : await countSeen(tx, target) };
}

/** When the oldest record happened that a run has met; undefined before the first, and of records without a date. */
export function oldestSeen(tx: Queryable, target: WriteTarget): Promise<Date | undefined> {
  const { userId, syncId, isRestart } = target;
  const isNoted = sql`exists (
    select from sync_seen s where s.user_id = ${userId} and s.sync_id = ${syncId} and s.external_id = r.external_id)`;
  return oldest(tx, target, isRestart ? isNoted : sql`(r.created_sync = ${syncId} or ${isNoted})`);
}
