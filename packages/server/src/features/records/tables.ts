import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

/*
 * The record tables themselves are not part of the migrations: they are created from the connectors' declarations
 * (`record-table.ts`).
 */

/** Pre-images: rows before a sync overwrote or removed them. Together with `recordAdded` they can undo the sync. */
export const recordUndo = pgTable(
  'record_undo',
  {
    userId: uuid().notNull(),
    syncId: uuid().notNull(),
    entity: text().notNull(),
    id: text().notNull(),
    connectionId: uuid().notNull(),
    /** The whole row of the entity's table. Type `json` keeps the document byte for byte. */
    row: json().notNull(),
    /** The row's hash, copied here because reading it from `row` would load the whole document. */
    hash: text().notNull(),
    createdSync: uuid().notNull(),
    changedSync: uuid().notNull(),
    /** Extraction version of the row; 0 if an earlier version of the product stored it. */
    extraction: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.id] })],
);

/** Ids that a sync added, one row per page. An id that was removed and added again appears twice. */
export const recordAdded = pgTable(
  'record_added',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    syncId: uuid().notNull(),
    entity: text().notNull(),
    /** Insertion order. */
    place: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    externalIds: text().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.place] })],
);

/**
 * Ids that a running sync has listed, used to find records that the provider no longer has. Records that the run added
 * itself are not listed: `created_sync` identifies them.
 */
export const listedIds = pgTable(
  'sync_seen',
  { userId: uuid().notNull(), syncId: uuid().notNull(), externalId: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.externalId] })],
);

/** Data version and record count of one entity of a connection. */
export const recordVersions = pgTable(
  'record_versions',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    /** Incremented with every change of the records. Part of cache keys. */
    version: bigint({ mode: 'number' }).notNull().default(sql`1`),
    /** Number of records, updated by the transactions that add and delete them. */
    records: bigint({ mode: 'number' }).notNull().default(sql`0`),
    /** Oldest extraction version among the records. */
    extraction: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
);

/** Cached pages of template results, computed once per data version and set of accounts. Unlogged, bounded, evicted when old. */
export const templatePages = pgTable(
  'template_pages',
  {
    userId: uuid().notNull(),
    /** Identifies the accounts whose records were read, with their names (`RecordSet.key`). */
    accounts: text().notNull(),
    template: text().notNull(),
    page: integer().notNull(),
    entity: text().notNull(),
    version: bigint({ mode: 'number' }).notNull(),
    computedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Number of rows in the whole result, over all pages. */
    count: integer().notNull(),
    /** The page's rows as a JSON array; null in the page of an empty result. */
    rows: json(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.accounts, table.template, table.page] }),
    index('template_pages_oldest').on(table.computedAt),
  ],
);
