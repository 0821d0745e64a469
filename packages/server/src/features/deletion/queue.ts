import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { DeletionTarget } from './delete-rows.ts';

/** Lifetime of a claim. A worker that does not renew its claim in time is considered dead. */
const CLAIM_LIFETIME = sql.raw("interval '30 seconds'");
/** Delay of the final pass. By then every transaction that was open at the deletion has ended. */
const FINAL_PASS_DELAY = sql.raw("interval '30 seconds'");

/** A deletion that a worker has claimed. */
export interface ClaimedDeletion extends DeletionTarget {
  id: string;
  /** True for the final pass, after the first one deleted everything. */
  isFinalPass: boolean;
}

/** Stores a deletion, in the transaction that makes the data invisible. @returns the deletion's id */
export async function enqueueDeletion(
  tx: Queryable,
  { accountId, connectionId }: DeletionTarget,
): Promise<string> {
  const id = newId();
  await tx.execute(sql`
    insert into deletions (id, account_id, connection_id) values (${id}, ${accountId}, ${connectionId})`);
  return id;
}

/** Claims the oldest due deletion, or the one with this id. @returns undefined when none is due */
export async function claimDeletion(db: Queryable, id?: string): Promise<ClaimedDeletion | undefined> {
  const only = id === undefined ? sql`` : sql` and id = ${id}`;
  const { rows } = await db.execute<{
    id: string;
    account_id: string;
    connection_id: string | null;
    is_final_pass: boolean;
  }>(sql`
    update deletions set claimed_until = now() + ${CLAIM_LIFETIME} where id = (
      select id from deletions
      where (claimed_until is null or claimed_until < now())
        and (swept_at is null or swept_at < now() - ${FINAL_PASS_DELAY})${only}
      order by created_at limit 1 for update skip locked)
    returning id, account_id, connection_id, swept_at is not null as is_final_pass`);
  const [row] = rows;
  if (!row) return undefined;
  return {
    id: row.id,
    accountId: row.account_id,
    connectionId: row.connection_id,
    isFinalPass: row.is_final_pass,
  };
}

/** Renews the claim of a deletion. */
export async function renewDeletionClaim(db: Queryable, { id }: Pick<ClaimedDeletion, 'id'>): Promise<void> {
  await db.execute(sql`update deletions set claimed_until = now() + ${CLAIM_LIFETIME} where id = ${id}`);
}

/** Completes a pass: schedules the final pass after the first one, removes the deletion after the final one. */
export async function completeDeletionPass(
  db: Queryable,
  { id, isFinalPass }: Pick<ClaimedDeletion, 'id' | 'isFinalPass'>,
): Promise<void> {
  await db.execute(
    isFinalPass
      ? sql`delete from deletions where id = ${id}`
      : sql`update deletions set swept_at = now(), claimed_until = null where id = ${id}`,
  );
}

/** Releases a claim, so that another worker can continue at once. */
export async function releaseDeletionClaim(
  db: Queryable,
  { id }: Pick<ClaimedDeletion, 'id'>,
): Promise<void> {
  await db.execute(sql`update deletions set claimed_until = null where id = ${id}`);
}

/** Returns whether the first pass of a deletion has finished. */
export async function isFirstPassDone(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from deletions where id = ${id} and swept_at is null`);
  return rows.length === 0;
}
