import {
  INVITATION_LIMITS,
  type SharedWithMe,
  type SharedWithMePage,
  type ShareSession,
} from '@datadeck/contract';
import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findUser } from '../accounts/index.ts';
import { endInvitation } from './end-invitations.ts';
import { type InvitationRow, sharedTitles, targetOf, toSharedWithMe } from './invitations.ts';
import { openShareSession } from './share-sessions.ts';
import { invitations, sharedWith } from './tables.ts';

type SharedRow = typeof sharedWith.$inferSelect;

/** Returns the listed things of one owner by the ids of their invitations, without those that do not exist any more. */
async function readOfOwner(
  db: Queryable,
  memberId: string,
  { ownerId, rows }: { ownerId: string; rows: readonly SharedRow[] },
): Promise<Map<string, SharedWithMe>> {
  const owner = await findUser(db, ownerId);
  if (!owner) return new Map();
  const found = await db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.userId, ownerId),
        inArray(
          invitations.id,
          rows.map(({ id }) => id),
        ),
        eq(invitations.memberId, memberId),
      ),
    );
  const titles = await sharedTitles(db, ownerId, found);
  const listed = found.flatMap((row) => {
    const title = titles.get(targetOf(row));
    const { acceptedAt } = row;
    if (title === undefined || acceptedAt === null) return [];
    return [[row.id, toSharedWithMe(row, { owner, title, acceptedAt })] as const];
  });
  return new Map(listed);
}

/** Returns a page of what others share with a user, newest first; nothing while sharing is off. */
export async function listSharedWithMe(
  { db, config }: Context,
  userId: string,
  page: number,
): Promise<SharedWithMePage> {
  if (config.SHARING === 'off') return { results: [], count: 0 };
  const own = eq(sharedWith.userId, userId);
  const rows = await db
    .select()
    .from(sharedWith)
    .where(own)
    .orderBy(desc(sharedWith.acceptedAt), desc(sharedWith.id))
    .limit(INVITATION_LIMITS.page)
    .offset((page - 1) * INVITATION_LIMITS.page);
  const [counted] = await db.select({ n: count() }).from(sharedWith).where(own);
  const listed = new Map<string, SharedWithMe>();
  for (const [ownerId, ofOwner] of Map.groupBy(rows, (row) => row.ownerId))
    for (const [id, one] of await readOfOwner(db, userId, { ownerId, rows: ofOwner })) listed.set(id, one);
  return { results: rows.flatMap(({ id }) => listed.get(id) ?? []), count: counted?.n ?? 0 };
}

async function findShared(db: Queryable, userId: string, id: string): Promise<SharedRow> {
  const [row] = await db
    .select()
    .from(sharedWith)
    .where(and(eq(sharedWith.userId, userId), eq(sharedWith.id, id)));
  if (!row) throw notFound('This shared page');
  return row;
}

/** Returns one of what others share with a user. @throws AppError not-found */
export async function readShared({ db }: Context, userId: string, id: string): Promise<SharedWithMe> {
  const row = await findShared(db, userId, id);
  const found = (await readOfOwner(db, userId, { ownerId: row.ownerId, rows: [row] })).get(id);
  if (!found) throw notFound('This shared page');
  return found;
}

/** Finds the invitation by which a user reads something. @throws AppError not-found */
export async function findAccepted(db: Queryable, userId: string, id: string): Promise<InvitationRow> {
  const { ownerId } = await findShared(db, userId, id);
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.userId, ownerId), eq(invitations.id, id), eq(invitations.memberId, userId)));
  if (!row) throw notFound('This shared page');
  return row;
}

/** Opens something that is shared with the user. @throws AppError not-found */
export async function openShared(context: Context, userId: string, id: string): Promise<ShareSession> {
  const { userId: ownerId } = await findAccepted(context.db, userId, id);
  return openShareSession(context, { kind: 'invitation', userId: ownerId, id, memberId: userId });
}

/** Ends the user's access to something shared. @returns the id of its owner @throws AppError not-found */
export async function leaveShared({ db }: Context, userId: string, id: string): Promise<string> {
  return db.transaction(async (tx) => {
    const { ownerId } = await findShared(tx, userId, id);
    await endInvitation(tx, { ownerId, id });
    return ownerId;
  });
}
