import type { ApiToken, CreatedToken, CreateToken } from '@datadeck/contract';
import { and, asc, count, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { fingerprint, idOfDigits, isId, newId, newSecret } from '../../platform/ids.ts';
import { findUser, lockAccount, type User } from '../accounts/index.ts';
import { hashPassword } from './passwords.ts';
import { parseShareId, type ShareOwner, sharePathOf } from './share-links.ts';
import { apiTokens, apiTokenUses } from './tables.ts';

const PREFIX = 'ddt_';
/** Length of a UUID's hexadecimal digits. */
const USER_DIGITS = 32;
/** Length of a session token. */
const SESSION_LENGTH = 43;
const MAX_TOKENS = 50;
const DAY_MS = 86_400_000;

/** A stored token, without its user. */
export type TokenGrant = typeof apiTokens.$inferSelect;

function toApiToken(row: TokenGrant): ApiToken {
  return {
    _id: row.id,
    name: row.name,
    scope: row.scope,
    viewId: row.viewId,
    boardId: row.boardId,
    parameters: row.parameters,
    rowBudget: row.rowBudget,
    rowsUsed: row.rowsUsed,
    hasPassword: row.passwordHash !== null,
    frameAncestors: row.frameAncestors,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** Returns whether a text looks like an API token. A session token may begin alike, but has another length. */
export function isApiToken(text: string | undefined): text is string {
  return text?.startsWith(PREFIX) === true && text.length !== SESSION_LENGTH;
}

/** Returns the id of the user that a token names, so that its row is found by the key of its user. */
function userIdOf(token: string): string {
  return idOfDigits(token.slice(PREFIX.length, PREFIX.length + USER_DIGITS));
}

/** Returns the token of a user with this secret. */
function tokenOf(userId: string, secret: string): string {
  return `${PREFIX}${userId.replaceAll('-', '')}${secret}`;
}

/** Returns whether a token reads one view or board, and has a page for that. */
export function isReading(scope: TokenGrant['scope']): boolean {
  return scope === 'view' || scope === 'board';
}

/** Creates a token. @throws AppError limit-reached */
export async function createToken(
  db: Pick<Database, 'transaction'>,
  userId: string,
  { expiresInDays, password, ...given }: CreateToken,
): Promise<CreatedToken> {
  const secret = newSecret();
  const token = tokenOf(userId, secret);
  const passwordHash = password === undefined ? null : await hashPassword(password, `user ${userId}`);
  return db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    // Two requests at once must not pass the limit together.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 5))`);
    const [counted] = await tx.select({ n: count() }).from(apiTokens).where(eq(apiTokens.userId, userId));
    if ((counted?.n ?? 0) >= MAX_TOKENS)
      throw new AppError('limit-reached', `You have ${MAX_TOKENS} API tokens. Revoke one first.`);
    const expiresAt = new Date(Date.now() + expiresInDays * DAY_MS);
    const [row] = await tx
      .insert(apiTokens)
      .values({ ...given, userId, id: newId(), hash: fingerprint(token), passwordHash, expiresAt })
      .returning();
    const created = row as TokenGrant;
    const sharePath = isReading(created.scope) ? sharePathOf(created, secret) : null;
    return { ...toApiToken(created), token, sharePath };
  });
}

/** Lists the tokens of a user, oldest first, with the expired ones. */
export async function listTokens(db: Queryable, userId: string): Promise<ApiToken[]> {
  const rows = await db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(asc(apiTokens.createdAt), asc(apiTokens.id));
  return rows.map(toApiToken);
}

/** Revokes a token. @throws AppError not-found */
export async function revokeToken(db: Queryable, userId: string, id: string): Promise<void> {
  const revoked = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))
    .returning({ id: apiTokens.id });
  if (revoked.length === 0) throw notFound('This token');
}

/** What a token grants (its stored row), and its user. */
export interface FoundGrant {
  user: User;
  grant: TokenGrant;
}

/** Selects an unexpired token of a user, with the user. */
async function selectGrant(db: Queryable, userId: string, which: SQL): Promise<FoundGrant | undefined> {
  const [grant] = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), which, gt(apiTokens.expiresAt, sql`now()`)));
  const user = grant && (await findUser(db, userId));
  return user && { user, grant };
}

/** Finds what an API token grants; undefined for an unknown, revoked or expired token. */
export async function findTokenGrant(db: Queryable, token: string): Promise<FoundGrant | undefined> {
  const userId = userIdOf(token);
  return isId(userId) ? selectGrant(db, userId, eq(apiTokens.hash, fingerprint(token))) : undefined;
}

/** Finds the token that a link to its page contains, like `findTokenGrant`. @param share the part of its path */
export async function findSharedGrant(
  db: Queryable,
  { share, secret }: { share: string; secret: string },
): Promise<FoundGrant | undefined> {
  const owner = parseShareId(share);
  const found = owner && (await findTokenGrant(db, tokenOf(owner.userId, secret)));
  return found?.grant.id === owner?.id ? found : undefined;
}

/** Finds an unexpired token by its ids, and its user. */
export async function findGrantById(
  db: Queryable,
  { userId, id }: ShareOwner,
): Promise<FoundGrant | undefined> {
  return selectGrant(db, userId, eq(apiTokens.id, id));
}

/** Returns the error of a token whose budget is used up. */
export function tokenExhausted(): AppError {
  return new AppError(
    'token-exhausted',
    'The row budget of this API token does not allow so many rows any more. Ask its owner for a new token.',
  );
}

/** Returns whether a token for one view or board has returned all rows that it may. */
export function isUsedUp({ rowsUsed, rowBudget }: TokenGrant): boolean {
  return rowsUsed >= (rowBudget ?? 0);
}

/** Counts rows against the budget of a token, before they are returned. @throws AppError token-exhausted */
export async function chargeRows(db: Queryable, { userId, id }: TokenGrant, rows: number): Promise<void> {
  const charged = await db
    .update(apiTokens)
    .set({ rowsUsed: sql`${apiTokens.rowsUsed} + ${rows}` })
    .where(
      and(
        eq(apiTokens.userId, userId),
        eq(apiTokens.id, id),
        lte(sql`${apiTokens.rowsUsed} + ${rows}`, apiTokens.rowBudget),
      ),
    )
    .returning({ id: apiTokens.id });
  if (charged.length === 0) throw tokenExhausted();
}

/** Deletes the tokens of a user and their log. */
export async function deleteTokens(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(apiTokens).where(eq(apiTokens.userId, userId));
  await tx.delete(apiTokenUses).where(eq(apiTokenUses.userId, userId));
}
