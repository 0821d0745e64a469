import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { invitations, sharedWith } from './tables.ts';

/** The key of an invitation. */
interface InvitationKey {
  ownerId: string;
  id: string;
}

/**
 * Deletes both rows of an invitation, and with them the access of its member.
 * @returns its member, if it has one; undefined when it does not exist
 */
export async function endInvitation(
  tx: Queryable,
  { ownerId, id }: InvitationKey,
): Promise<{ memberId: string | null } | undefined> {
  const [ended] = await tx
    .delete(invitations)
    .where(and(eq(invitations.userId, ownerId), eq(invitations.id, id)))
    .returning({ memberId: invitations.memberId });
  if (ended?.memberId)
    await tx.delete(sharedWith).where(and(eq(sharedWith.userId, ended.memberId), eq(sharedWith.id, id)));
  return ended;
}

/**
 * Ends invitations one after another, sorted by their keys, so that two such transactions cannot deadlock. Skips those that do not
 * exist any more.
 * @returns the ids of the owners and members of accepted ones, whose lists have changed
 */
async function endAll(tx: Queryable, keys: readonly InvitationKey[]): Promise<string[]> {
  const textOf = ({ ownerId, id }: InvitationKey) => `${ownerId} ${id}`;
  const affected = new Set<string>();
  for (const key of keys.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))) {
    const ended = await endInvitation(tx, key);
    if (ended?.memberId) affected.add(key.ownerId).add(ended.memberId);
  }
  return [...affected];
}

async function ownKeys(tx: Queryable, userId: string, which?: SQL): Promise<InvitationKey[]> {
  return tx
    .select({ ownerId: invitations.userId, id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.userId, userId), which));
}

/** Deletes invitations of a user that nobody accepted in time. */
export async function deleteExpired(tx: Queryable, userId: string): Promise<void> {
  const isExpired = and(isNull(invitations.memberId), lte(invitations.expiresAt, sql`now()`));
  await endAll(tx, await ownKeys(tx, userId, isExpired));
}

/**
 * Ends the invitations of a user, or those to one view or board.
 * @returns the ids of the users whose lists have changed
 */
export async function deleteInvitations(
  tx: Queryable,
  userId: string,
  to: { viewId?: string; boardId?: string } = {},
): Promise<string[]> {
  const { viewId, boardId } = to;
  const isTo = and(
    viewId === undefined ? undefined : eq(invitations.viewId, viewId),
    boardId === undefined ? undefined : eq(invitations.boardId, boardId),
  );
  return endAll(tx, await ownKeys(tx, userId, isTo));
}

/** Ends the invitations of a user and those that the user accepted. @returns the ids of the users whose lists have changed */
export async function deleteShares(tx: Queryable, userId: string): Promise<string[]> {
  const accepted = await tx
    .select({ ownerId: sharedWith.ownerId, id: sharedWith.id })
    .from(sharedWith)
    .where(eq(sharedWith.userId, userId));
  return endAll(tx, [...(await ownKeys(tx, userId)), ...accepted]);
}
