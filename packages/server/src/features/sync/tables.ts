import { sql } from 'drizzle-orm';
import {
  boolean,
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

/** A sync: one run over one entity. */
export const syncs = pgTable(
  'syncs',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    connectionId: uuid().notNull(),
    provider: text().notNull(),
    entity: text().notNull(),
    scope: text().notNull(),
    settings: jsonb().notNull(),
    number: integer().notNull(),
    status: text({ enum: ['started', 'finished', 'failed'] }).notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    /** Maximum number of records, from the user's plan when the sync started. */
    /** Largest number of records that the run keeps; null for no limit. */
    cap: integer(),
    /** Where the connector resumes an interrupted run. */
    checkpoint: jsonb(),
    /** The scope's cursor when the sync started; null for a full run. */
    startCursor: jsonb(),
    counters: jsonb().notNull(),
    phase: text().notNull(),
    total: integer(),
    waitingUntil: instant(),
    summary: jsonb().notNull().default(sql`'{}'`),
    /** Why a failed run failed: it was cancelled, or an error occurred. Null for other runs. */
    failure: text({ enum: ['cancelled', 'error'] }),
    /** False when the sync is too old to be undone. */
    undoable: boolean().notNull().default(true),
    /** True when a schedule started it. */
    isScheduled: boolean().notNull().default(false),
    /** The job of a started sync. With `jobAttempt` it is the fencing token for its worker's writes. */
    jobId: uuid(),
    /** The job attempt that claimed the run last. Never decreases. */
    jobAttempt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('syncs_running')
      .on(table.userId, table.connectionId, table.entity)
      .where(sql`status = 'started'`),
    index('syncs_newest').on(table.userId, table.connectionId, table.entity, table.updatedAt),
  ],
);

/** Where the next incremental sync of each scope begins. */
export const syncCursors = pgTable(
  'sync_cursors',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    scope: text().notNull(),
    cursor: jsonb().notNull(),
    /** True when the cap truncated the scope: the provider has more records. */
    truncated: boolean().notNull(),
    /** The run's cap; null for no limit. */
    cap: integer(),
    syncId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity, table.scope] })],
);

/** Number of runs per month and entity. Deleting syncs or data does not lower it. */
export const syncUsage = pgTable(
  'sync_usage',
  {
    userId: uuid().notNull(),
    entity: text().notNull(),
    /** 'YYYY-MM', UTC. */
    month: text().notNull(),
    runs: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.entity, table.month] })],
);

/** The last sync number given to each user. */
export const syncNumbers = pgTable('sync_numbers', {
  userId: uuid().primaryKey(),
  last: integer().notNull(),
});
