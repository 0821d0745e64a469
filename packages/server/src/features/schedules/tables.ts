import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Schedules of automatic runs. Each has a job that is delayed to its next time (`queue.ts`). */
export const schedules = pgTable(
  'schedules',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    provider: text().notNull(),
    every: text({ enum: ['hourly', 'daily'] }).notNull(),
    settings: jsonb().notNull(),
    nextAt: instant().notNull(),
    /** Why runs are skipped; null when they are not. The column keeps its former name. */
    blockedReason: text('blocked_reason', { enum: ['month-used-up', 'reconnect-needed', 'plan-forbids'] }),
    /** When the user was notified of a failure; counts until a later run has succeeded. */
    failingSince: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
);
