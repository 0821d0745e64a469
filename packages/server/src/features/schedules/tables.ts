import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Schedules of automatic runs. Each has a job that is delayed to its next time (`queue.ts`). */
export const schedules = pgTable(
  'schedules',
  {
    userId: uuid().notNull(),
    id: uuid().notNull().defaultRandom(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    provider: text().notNull(),
    every: text({ enum: ['hourly', 'daily', 'cron'] }).notNull(),
    /** The cron line; null for other intervals. */
    cron: text(),
    timeZone: text().notNull().default('UTC'),
    settings: jsonb().notNull(),
    /** Names and patterns of the scopes that its runs read, none: those of the source; null: the scope of its settings. */
    scopes: text().array(),
    nextAt: instant().notNull(),
    /** The last run that this schedule started, and when; null before the first. */
    lastSync: uuid(),
    lastStartAt: instant(),
    /** Why runs are skipped; null when they are not. The column keeps its former name. */
    blockedReason: text('blocked_reason', { enum: ['month-used-up', 'reconnect-needed', 'plan-forbids'] }),
    /** When the user was notified of a failure; counts until a later run has succeeded. */
    failingSince: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('schedules_source').on(table.userId, table.connectionId, table.entity),
    // An entity has one schedule without a cron line at most: the one that the endpoint of intervals sets.
    uniqueIndex('schedules_interval')
      .on(table.userId, table.connectionId, table.entity)
      .where(sql`${table.every} <> 'cron'`),
  ],
);
