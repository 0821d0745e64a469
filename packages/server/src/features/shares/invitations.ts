import {
  type CreatedInvitation,
  type CreateInvitation,
  INVITATION_LIMITS,
  type Invitation,
  type SharedKind,
  type SharedWithMe,
  type SharingPerson,
} from '@datadeck/contract';
import { and, count, desc, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fingerprint, newId, newSecret } from '../../platform/ids.ts';
import { findUser, lockAccount, type User } from '../accounts/index.ts';
import { boardTitles, selectBoard } from '../boards/index.ts';
import { shareIdOf } from '../tokens/index.ts';
import { lockView, viewTitles } from '../views/index.ts';
import { checkShared } from './check-shared.ts';
import { deleteExpired, endInvitation } from './end-invitations.ts';
import { invitations } from './tables.ts';

/** A stored invitation. */
export type InvitationRow = typeof invitations.$inferSelect;
const DAY_MS = 86_400_000;

/** Returns what the other side of an invitation sees of a user. */
export function toPerson({ name, email, emailVerified }: User): SharingPerson {
  return { name, email, ...(emailVerified ? {} : { isUnverified: true }) };
}

/** Serialises what adds to the shares of a user, so that their counted number is exact. @throws AppError unauthenticated */
export async function lockShares(tx: Queryable, userId: string): Promise<void> {
  await lockAccount(tx, userId);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 10))`);
}

/** Returns the titles of the views and boards of invitations of one user, by the id of the view or board. */
export async function sharedTitles(
  db: Queryable,
  userId: string,
  rows: readonly Pick<InvitationRow, 'viewId' | 'boardId'>[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (name: 'viewId' | 'boardId') => [...new Set(rows.flatMap((row) => row[name] ?? []))];
  return new Map([
    ...(await viewTitles(db, userId, idsOf('viewId'))),
    ...(await boardTitles(db, userId, idsOf('boardId'))),
  ]);
}

/** Returns the id of what an invitation is for. */
export function targetOf({ viewId, boardId }: Pick<InvitationRow, 'viewId' | 'boardId'>): string {
  return viewId ?? boardId ?? '';
}

/** Returns what a member sees of an accepted invitation. */
export function toSharedWithMe(
  row: InvitationRow,
  { owner, title, acceptedAt }: { owner: User; title: string; acceptedAt: Date },
): SharedWithMe {
  return {
    _id: row.id,
    kind: kindOf(row),
    title,
    owner: toPerson(owner),
    acceptedAt: acceptedAt.toISOString(),
  };
}

/** Returns what an invitation is for. */
export function kindOf({ viewId }: Pick<InvitationRow, 'viewId'>): SharedKind {
  return viewId === null ? 'board' : 'view';
}

function toInvitation(row: InvitationRow, title: string, member: User | undefined): Invitation {
  return {
    _id: row.id,
    viewId: row.viewId,
    boardId: row.boardId,
    title,
    parameters: row.parameters,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    member: member ? toPerson(member) : null,
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
  };
}

/** Locks what is shared until the transaction ends, so that its deletion finds the invitation. @throws AppError not-found */
async function lockTarget(
  tx: Queryable,
  userId: string,
  { viewId, boardId }: CreateInvitation,
): Promise<void> {
  if (viewId !== undefined) await lockView(tx, userId, viewId);
  else if (!(await selectBoard(tx, userId, boardId ?? '', true))) throw notFound('This board');
}

/** Deletes invitations that were not accepted in time, then checks the number. @throws AppError limit-reached */
async function requireRoom(tx: Queryable, userId: string): Promise<void> {
  await deleteExpired(tx, userId);
  const [counted] = await tx.select({ n: count() }).from(invitations).where(eq(invitations.userId, userId));
  if ((counted?.n ?? 0) < INVITATION_LIMITS.perUser) return;
  throw new AppError(
    'limit-reached',
    `You have ${INVITATION_LIMITS.perUser} invitations. Take back one that is not needed any more.`,
  );
}

/** Creates an invitation to a view or board. @throws AppError not-found, validation-failed, limit-reached */
export async function createInvitation(
  { db }: Context,
  userId: string,
  request: CreateInvitation,
): Promise<CreatedInvitation> {
  await checkShared(db, userId, request);
  const secret = newSecret();
  return db.transaction(async (tx) => {
    await lockShares(tx, userId);
    await lockTarget(tx, userId, request);
    await requireRoom(tx, userId);
    const [row] = await tx
      .insert(invitations)
      .values({
        ...request,
        userId,
        id: newId(),
        hash: fingerprint(secret),
        expiresAt: new Date(Date.now() + INVITATION_LIMITS.days * DAY_MS),
      })
      .returning();
    const created = row as InvitationRow;
    const title = (await sharedTitles(tx, userId, [created])).get(targetOf(created)) ?? '';
    const path = `/dashboard/shared/invitation#${shareIdOf(created)}.${secret}`;
    return { ...toInvitation(created, title, undefined), path };
  });
}

/** Lists the pending and accepted invitations of a user, newest first. */
export async function listInvitations(
  { db }: Context,
  userId: string,
  { viewId, boardId }: { viewId?: string | undefined; boardId?: string | undefined },
): Promise<Invitation[]> {
  const rows = await db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.userId, userId),
        or(isNotNull(invitations.memberId), gt(invitations.expiresAt, sql`now()`)),
        viewId === undefined ? undefined : eq(invitations.viewId, viewId),
        boardId === undefined ? undefined : eq(invitations.boardId, boardId),
      ),
    )
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(INVITATION_LIMITS.perUser);
  const titles = await sharedTitles(db, userId, rows);
  const members = new Map<string, User | undefined>();
  for (const { memberId } of rows)
    if (memberId !== null && !members.has(memberId)) members.set(memberId, await findUser(db, memberId));
  return rows.map((row) =>
    toInvitation(row, titles.get(targetOf(row)) ?? '', members.get(row.memberId ?? '')),
  );
}

/** Ends an invitation of the user. @returns the id of its member, or null @throws AppError not-found */
export async function takeBackInvitation(
  { db }: Context,
  userId: string,
  id: string,
): Promise<string | null> {
  const ended = await db.transaction((tx) => endInvitation(tx, { ownerId: userId, id }));
  if (!ended) throw notFound('This invitation');
  return ended.memberId;
}
