import {
  INVITATION_LIMITS,
  type InvitationLink,
  type InvitationPreview,
  type SharedWithMe,
} from '@datadeck/contract';
import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fingerprint } from '../../platform/ids.ts';
import { findUser, type User } from '../accounts/index.ts';
import { parseShareId } from '../tokens/index.ts';
import {
  type InvitationRow,
  kindOf,
  lockShares,
  sharedTitles,
  targetOf,
  toPerson,
  toSharedWithMe,
} from './invitations.ts';
import { invitations, sharedWith } from './tables.ts';

/** Returns the error for an invitation that is unknown, has expired, was taken back or has another member: all look the same. */
function invitationEnded(): AppError {
  return new AppError(
    'share-ended',
    'This invitation is not valid any more, or its link is not complete. Ask the person who sent it for a new one.',
  );
}

/** Finds the invitation of a link that the user can accept or has accepted. */
async function selectByLink(
  db: Queryable,
  userId: string,
  { invitation, secret }: InvitationLink,
): Promise<InvitationRow | undefined> {
  const key = parseShareId(invitation);
  if (!key) return undefined;
  const [row] = await db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.userId, key.userId),
        eq(invitations.id, key.id),
        eq(invitations.hash, fingerprint(secret)),
        or(
          eq(invitations.memberId, userId),
          and(isNull(invitations.memberId), gt(invitations.expiresAt, sql`now()`)),
        ),
      ),
    );
  return row;
}

/** Finds the invitation of a link with its owner and title. @throws AppError share-ended */
async function findByLink(
  db: Queryable,
  userId: string,
  link: InvitationLink,
): Promise<{ row: InvitationRow; owner: User; title: string }> {
  const row = await selectByLink(db, userId, link);
  const owner = row && (await findUser(db, row.userId));
  const title = row && (await sharedTitles(db, row.userId, [row])).get(targetOf(row));
  if (!row || !owner || title === undefined) throw invitationEnded();
  return { row, owner, title };
}

/** Returns who invites to what. @throws AppError share-ended */
export async function previewInvitation(
  { db }: Context,
  userId: string,
  link: InvitationLink,
): Promise<InvitationPreview> {
  const { row, owner, title } = await findByLink(db, userId, link);
  const state = row.userId === userId ? 'own' : row.memberId === userId ? 'accepted' : 'pending';
  return {
    kind: kindOf(row),
    title,
    owner: toPerson(owner),
    state,
    sharedId: row.id,
  };
}

/** Stores the acceptance; of two users at once, one is stored. @returns when it was accepted by this user, if it was */
async function storeAcceptance(
  tx: Queryable,
  userId: string,
  { userId: ownerId, id }: InvitationRow,
): Promise<Date | undefined> {
  const acceptedAt = new Date();
  const stored = await tx
    .update(invitations)
    .set({ memberId: userId, acceptedAt })
    .where(and(eq(invitations.userId, ownerId), eq(invitations.id, id), isNull(invitations.memberId)))
    .returning({ id: invitations.id });
  if (stored.length === 0) return undefined;
  await tx.insert(sharedWith).values({ userId, id, ownerId, acceptedAt });
  return acceptedAt;
}

async function requireRoom(tx: Queryable, userId: string): Promise<void> {
  const [counted] = await tx.select({ n: count() }).from(sharedWith).where(eq(sharedWith.userId, userId));
  if ((counted?.n ?? 0) < INVITATION_LIMITS.perUser) return;
  throw new AppError(
    'limit-reached',
    `${INVITATION_LIMITS.perUser} views and boards are shared with you. Leave one that you do not need any more.`,
  );
}

/**
 * Accepts an invitation. Accepting it again changes nothing.
 * @throws AppError share-ended, limit-reached; validation-failed for the user's own invitation
 */
export async function acceptInvitation(
  { db }: Context,
  userId: string,
  link: InvitationLink,
): Promise<{ accepted: SharedWithMe; ownerId: string }> {
  return db.transaction(async (tx) => {
    await lockShares(tx, userId);
    const { row, owner, title } = await findByLink(tx, userId, link);
    if (owner.id === userId)
      throw new AppError(
        'validation-failed',
        'This is your own invitation. Send its link to another person.',
      );
    if (row.memberId === null) await requireRoom(tx, userId);
    const acceptedAt = row.acceptedAt ?? (await storeAcceptance(tx, userId, row));
    if (!acceptedAt) throw invitationEnded();
    return { accepted: toSharedWithMe(row, { owner, title, acceptedAt }), ownerId: owner.id };
  });
}
