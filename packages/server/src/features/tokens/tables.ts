import { TOKEN_SCOPES } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** API tokens of users. A revoked token has no row. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    name: text().notNull(),
    /** SHA-256 of the token. */
    hash: text().notNull(),
    scope: text({ enum: TOKEN_SCOPES }).notNull(),
    /** For the scopes `view` and `board`: which one, values of the parameters as JSON, and the most rows in all. */
    viewId: uuid(),
    boardId: uuid(),
    parameters: text(),
    rowBudget: integer(),
    rowsUsed: integer().notNull().default(0),
    /** See `passwords.ts`. With a password, the token opens its page only. */
    passwordHash: text(),
    /** Origins of the sites that may show its page in a frame. */
    frameAncestors: jsonb().$type<string[]>().notNull().default([]),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    /** At most a minute before the last call. */
    lastUsedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);

/** The statuses of refused calls. */
export const REFUSED = sql`status in (403, 429)`;

/** Calls by API tokens. The name stays when the token is revoked. All refused calls of a token are one row. */
export const apiTokenUses = pgTable(
  'api_token_uses',
  {
    userId: uuid().notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instant().notNull().defaultNow(),
    tokenId: uuid().notNull(),
    name: text().notNull(),
    method: text().notNull(),
    /** Path of the endpoint without values, e.g. `/api/data/views/{viewId}`. */
    path: text().notNull(),
    status: integer().notNull(),
    /** Number of calls; method, path, status and time are those of the last. */
    times: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('api_token_uses_age').on(table.at),
    index('api_token_uses_token').on(table.userId, table.tokenId, table.id),
    uniqueIndex('api_token_uses_refused').on(table.userId, table.tokenId).where(REFUSED),
  ],
);
