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
    /**
     * Names and patterns of the scopes of a run over several; null for a run over the scope of its settings. `scope`, `settings`,
     * `startCursor`, `checkpoint`, `counters` and `total` are then of the scope that is being read.
     */
    givenScopes: text().array(),
    /** Position of the scope that is being read in `sync_scopes`, from 0. */
    place: integer().notNull().default(0),
    /** Number of scopes; null until they are resolved. */
    scopeCount: integer(),
    /** Totals of the scopes that were read (`scope-totals.ts`); null before the first. */
    totals: jsonb(),
    /** Day since which records are wanted; null for all. */
    since: text(),
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
    /** Day since which its records were wanted; null for all. */
    since: text(),
    /** Number of records in the scope; null when a run has changed it since, and in rows of earlier versions. */
    records: integer(),
    syncId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity, table.scope] })],
);

/** The scopes of a run over several, in the order in which they are read. */
export const syncScopes = pgTable(
  'sync_scopes',
  {
    userId: uuid().notNull(),
    syncId: uuid().notNull(),
    connectionId: uuid().notNull(),
    /** From 0. */
    place: integer().notNull(),
    name: text().notNull(),
    status: text({ enum: ['waiting', 'finished', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Why it failed, or what it was called before; null otherwise. */
    message: text(),
    /** Receipt of the scope. */
    summary: jsonb().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.place] })],
);

/** The scopes that the syncs of an entity of an account read. Absent: the one that the settings of a sync select. */
export const sources = pgTable(
  'sources',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    /** Names and patterns of scopes. */
    scopes: text().array().notNull(),
    /** Day since which a first sync reads; null for all. */
    since: text(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
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
