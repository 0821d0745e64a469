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

/** One run over one entity. */
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
    /** Records at most, by the plan at the start. */
    cap: integer().notNull(),
    /** Where the connector goes on. */
    checkpoint: jsonb(),
    /** The cursor of the scope at the start: null makes a full run. */
    startCursor: jsonb(),
    counters: jsonb().notNull(),
    phase: text().notNull(),
    total: integer(),
    waitingUntil: instant(),
    summary: jsonb().notNull().default(sql`'{}'`),
    /** Of a failed run: whether somebody ended it, or it failed by itself. */
    failure: text({ enum: ['cancelled', 'error'] }),
    /** False once undone or too old to undo. */
    undoable: boolean().notNull().default(true),
    /** True when a schedule started it. */
    isScheduled: boolean().notNull().default(false),
    /** The job that runs it while it is started; with `jobAttempt` the fencing token of what its worker writes. */
    jobId: uuid(),
    /** The attempt at the job that claimed the run last; grows only. */
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

/** Where the next incremental sync of a scope begins. */
export const syncCursors = pgTable(
  'sync_cursors',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    scope: text().notNull(),
    cursor: jsonb().notNull(),
    /** True when the cap cut the scope: the provider holds more. */
    truncated: boolean().notNull(),
    cap: integer().notNull(),
    syncId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity, table.scope] })],
);

/** Runs of the month, by entity; deleting syncs or data does not lower it. */
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

/** Last running number of a user's syncs. */
export const syncNumbers = pgTable('sync_numbers', {
  userId: uuid().primaryKey(),
  last: integer().notNull(),
});
