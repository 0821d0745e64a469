import { index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/**
 * Data being deleted in the background, in small transactions: a whole account, or one connection's former id. It is
 * already invisible. `account_id` is no foreign key because this row briefly outlives the account.
 */
export const deletions = pgTable(
  'deletions',
  {
    id: uuid().primaryKey(),
    accountId: uuid().notNull(),
    /** Null: all data of the account. */
    connectionId: uuid(),
    createdAt: instant().notNull().defaultNow(),
    /** When the first pass finished. A later, final pass finds rows that were stored at the same moment. */
    sweptAt: instant(),
    /** When the worker's claim expires. */
    claimedUntil: instant(),
  },
  (table) => [index('deletions_oldest').on(table.createdAt)],
);
