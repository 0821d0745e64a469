import { PAGE_SIZES, type TokenUses } from '@datadeck/contract';
import { and, count, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { lockAccount } from '../accounts/index.ts';
import { apiTokens, apiTokenUses, REFUSED } from './tables.ts';
import type { TokenGrant } from './tokens.ts';

const KEPT_DAYS = 30;
/** Largest number of rows that a token keeps; its oldest are deleted once in so many rows of all tokens. */
const MAX_KEPT = 1000;
const TRIM_EVERY = 50;

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
    // A token can neither fill the log with refused calls nor push those of other tokens out of it.
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into api_token_uses (user_id, token_id, name, method, path, status)
      values (${userId}, ${id}, ${name}, ${use.method}, ${use.path}, ${use.status})
      on conflict (user_id, token_id) where ${REFUSED} do update set
        id = default, at = now(), times = api_token_uses.times + 1, name = excluded.name, method = excluded.method,
        path = excluded.path, status = excluded.status
      returning id`);
    if (Number(rows[0]?.id) % TRIM_EVERY === 0) await trimUses(tx, userId, id);
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

/** Deletes the oldest rows of a token beyond `MAX_KEPT`. */
async function trimUses(db: Queryable, userId: string, tokenId: string): Promise<void> {
  const own = sql`user_id = ${userId} and token_id = ${tokenId}`;
  await db.execute(sql`
    delete from api_token_uses where ${own} and id <= (
      select id from api_token_uses where ${own} order by id desc offset ${MAX_KEPT} limit 1)`);
}

/** Returns a page of 20 rows, newest first. */
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
  const results = rows.map(({ at, tokenId, name, method, path, status, times }) => ({
    at: at.toISOString(),
    tokenId,
    name,
    method,
    path,
    status,
    times,
  }));
  return { results, count: counted?.n ?? 0 };
}

/** Deletes calls older than 30 days, and the oldest of tokens with more than 1,000. */
export async function deleteOldTokenUses(db: Queryable): Promise<void> {
  await db.delete(apiTokenUses).where(lt(apiTokenUses.at, sql`now() - make_interval(days => ${KEPT_DAYS})`));
  await db.execute(sql`
    delete from api_token_uses u using (
      select user_id, id, row_number() over (partition by user_id, token_id order by id desc) as nth from api_token_uses
    ) old where old.nth > ${MAX_KEPT} and u.user_id = old.user_id and u.id = old.id`);
}
