import { PAGE_SIZES, type TokenUses } from '@datadeck/contract';
import { and, count, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { lockAccount } from '../accounts/index.ts';
import { apiTokens, apiTokenUses } from './tables.ts';
import type { TokenGrant } from './tokens.ts';

const KEPT_DAYS = 30;
const MAX_KEPT = 10_000;

/** A call by token: `{ method: 'GET', path: '/api/data/views/{viewId}', status: 200 }`. */
export interface TokenUse {
  method: string;
  path: string;
  status: number;
}

/** Adds a call to the access log of a user and updates the last use of the token, at most once a minute. */
export async function addTokenUse(
  { db }: Context,
  { userId, id, name }: TokenGrant,
  use: TokenUse,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    await tx.insert(apiTokenUses).values({ ...use, userId, tokenId: id, name });
    const isOld = or(
      isNull(apiTokens.lastUsedAt),
      lt(apiTokens.lastUsedAt, sql`now() - interval '1 minute'`),
    );
    await tx
      .update(apiTokens)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id), isOld));
  });
}

/** Returns a page of 20 calls, newest first. */
export async function listTokenUses(db: Queryable, userId: string, page: number): Promise<TokenUses> {
  const own = eq(apiTokenUses.userId, userId);
  const rows = await db
    .select()
    .from(apiTokenUses)
    .where(own)
    .orderBy(desc(apiTokenUses.id))
    .limit(PAGE_SIZES.results)
    .offset((page - 1) * PAGE_SIZES.results);
  const [counted] = await db.select({ n: count() }).from(apiTokenUses).where(own);
  const results = rows.map(({ at, tokenId, name, method, path, status }) => ({
    at: at.toISOString(),
    tokenId,
    name,
    method,
    path,
    status,
  }));
  return { results, count: counted?.n ?? 0 };
}

/** Deletes calls older than 30 days, and the oldest of users with more than 10,000. */
export async function deleteOldTokenUses(db: Queryable): Promise<void> {
  await db.delete(apiTokenUses).where(lt(apiTokenUses.at, sql`now() - make_interval(days => ${KEPT_DAYS})`));
  await db.execute(sql`
    delete from api_token_uses u using (
      select user_id, id, row_number() over (partition by user_id order by id desc) as nth from api_token_uses
    ) old where old.nth > ${MAX_KEPT} and u.user_id = old.user_id and u.id = old.id`);
}
