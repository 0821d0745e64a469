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
import { instant } from '../../../platform/db/columns.ts';

/*
 * The tables of the records themselves are made from the connectors' declarations (`record-table.ts`): they are not part
 * of the migrations.
 */

/** Rows that a sync overwrote or removed, as they were before it: with `recordAdded` enough to undo the sync. */
export const recordUndo = pgTable(
  'record_undo',
  {
    userId: uuid().notNull(),
    syncId: uuid().notNull(),
    entity: text().notNull(),
    id: text().notNull(),
    connectionId: uuid().notNull(),
    /** The whole row of the entity's table. `json` keeps the document as it was written. */
    row: json().notNull(),
    /** Of the row, for lists of changes: reading the row reads its document. */
    hash: text().notNull(),
    createdSync: uuid().notNull(),
    changedSync: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.id] })],
);

/** Ids that a sync added, one row a page. An id that was removed and added again appears twice. */
export const recordAdded = pgTable(
  'record_added',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    syncId: uuid().notNull(),
    entity: text().notNull(),
    place: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    externalIds: text().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.place] })],
);

/**
 * Ids that a running sync has seen, to find what the provider no longer holds. Records that the run added itself are not
 * listed: their `created_sync` shows it.
 */
export const syncSeen = pgTable(
  'sync_seen',
  { userId: uuid().notNull(), syncId: uuid().notNull(), externalId: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.externalId] })],
);

/** Version and number of an entity's records. */
export const recordVersions = pgTable(
  'record_versions',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    /** Grows with every change of the records: the key of caches. */
    version: bigint({ mode: 'number' }).notNull().default(sql`1`),
    /** Number of records, counted in the transactions that add and delete them. */
    records: bigint({ mode: 'number' }).notNull().default(sql`0`),
    /** No record was extracted by an older version of the extraction than this. */
    extraction: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
);

/** Pages of template results, computed once for each version of the records. A cache: unlogged, bounded, evicted when old. */
export const templatePages = pgTable(
  'template_pages',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    template: text().notNull(),
    page: integer().notNull(),
    entity: text().notNull(),
    version: bigint({ mode: 'number' }).notNull(),
    computedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Number of rows of the whole result. */
    count: integer().notNull(),
    /** The page's rows as a JSON array; null in the page of an empty result. */
    rows: json(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.connectionId, table.template, table.page] }),
    index('template_pages_oldest').on(table.computedAt),
  ],
);

/**
 * Data that is deleted in the background, in small transactions: an account's, or that of a connection's former id. Nobody
 * sees it any more. The owner's column has a name of its own: the row outlives the account by a moment.
 */
export const deletions = pgTable(
  'deletions',
  {
    id: uuid().primaryKey(),
    accountId: uuid().notNull(),
    /** Null: everything that the account had. */
    connectionId: uuid(),
    createdAt: instant().notNull().defaultNow(),
    /** When everything was deleted once; a last look later finds rows that were stored at the same moment. */
    sweptAt: instant(),
    /** Until when a worker holds it. */
    claimedUntil: instant(),
  },
  (table) => [index('deletions_oldest').on(table.createdAt)],
);
