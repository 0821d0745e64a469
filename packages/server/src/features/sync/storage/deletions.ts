import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../platform/db/pool.ts';
import { newId } from '../../../platform/ids.ts';
import type { DeletionTarget } from './delete.ts';

/** A worker that does not renew its claim for so long is taken for dead. */
const CLAIM = sql.raw("interval '30 seconds'");
/** After this time nothing that was under way at the deletion can still store rows. */
const LAST_LOOK_AFTER = sql.raw("interval '30 seconds'");

/** A deletion that a worker has claimed. */
export interface ClaimedDeletion extends DeletionTarget {
  id: string;
  /** Everything was deleted once: this is the last look. */
  isLastLook: boolean;
}

/** Notes that data is to be deleted, in the transaction that makes it invisible. @returns the deletion's id */
export async function noteDeletion(
  tx: Queryable,
  { accountId, connectionId }: DeletionTarget,
): Promise<string> {
  const id = newId();
  await tx.execute(sql`
    insert into deletions (id, account_id, connection_id) values (${id}, ${accountId}, ${connectionId})`);
  return id;
}

/** Claims a deletion that is due, the oldest or the one named. @returns undefined when there is none */
export async function claimDeletion(db: Queryable, id?: string): Promise<ClaimedDeletion | undefined> {
  const only = id === undefined ? sql`` : sql` and id = ${id}`;
  const { rows } = await db.execute<{
    id: string;
    account_id: string;
    connection_id: string | null;
    last_look: boolean;
  }>(sql`
    update deletions set claimed_until = now() + ${CLAIM} where id = (
      select id from deletions
      where (claimed_until is null or claimed_until < now())
        and (swept_at is null or swept_at < now() - ${LAST_LOOK_AFTER})${only}
      order by created_at limit 1 for update skip locked)
    returning id, account_id, connection_id, swept_at is not null as last_look`);
  const [row] = rows;
  if (!row) return undefined;
  return {
    id: row.id,
    accountId: row.account_id,
    connectionId: row.connection_id,
    isLastLook: row.last_look,
  };
}

/** Prolongs a claim. */
export async function prolongDeletion(db: Queryable, { id }: Pick<ClaimedDeletion, 'id'>): Promise<void> {
  await db.execute(sql`update deletions set claimed_until = now() + ${CLAIM} where id = ${id}`);
}

/** Notes that everything was deleted: the deletion is due once more, or over. */
export async function concludeDeletion(
  db: Queryable,
  { id, isLastLook }: Pick<ClaimedDeletion, 'id' | 'isLastLook'>,
): Promise<void> {
  await db.execute(
    isLastLook
      ? sql`delete from deletions where id = ${id}`
      : sql`update deletions set swept_at = now(), claimed_until = null where id = ${id}`,
  );
}

/** Gives a claim back, so that the deletion goes on elsewhere at once. */
export async function releaseDeletion(db: Queryable, { id }: Pick<ClaimedDeletion, 'id'>): Promise<void> {
  await db.execute(sql`update deletions set claimed_until = null where id = ${id}`);
}

/** Whether everything was deleted once. */
export async function isSwept(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from deletions where id = ${id} and swept_at is null`);
  return rows.length === 0;
}
