import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** One stored row of a provider. */
export const records = pgTable(
  'records',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    externalId: text().notNull(),
    /** Scopes (label set, repository) that hold the record. */
    scopes: text().array().notNull(),
    occurredAt: instant().notNull(),
    hash: text().notNull(),
    /** The few fields that templates group, filter and sort by. */
    facets: jsonb().notNull(),
    /** The version of the extraction (`EntityDefinition.facetsVersion`) that made the facets. */
    facetsVersion: integer().notNull().default(0),
    /** JSON as the provider wrote it. `text`: the database would read the whole document again to see that it is JSON. */
    data: text().notNull(),
    /** Parts that the document shares with others: their hashes, in the order of their marks in `data`. Null: none. */
    parts: text().array(),
    createdSync: uuid().notNull(),
    changedSync: uuid().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.connectionId, table.entity, table.externalId] }),
    index('records_newest').on(
      table.userId,
      table.connectionId,
      table.entity,
      table.occurredAt,
      table.externalId,
    ),
  ],
);

/** What a sync overwrote or removed, as it was before: with `recordAdded` enough to undo it. */
export const recordUndo = pgTable(
  'record_undo',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    syncId: uuid().notNull(),
    entity: text().notNull(),
    externalId: text().notNull(),
    scopes: text().array().notNull(),
    occurredAt: instant().notNull(),
    hash: text().notNull(),
    facets: jsonb().notNull(),
    facetsVersion: integer().notNull().default(0),
    data: text().notNull(),
    parts: text().array(),
    createdSync: uuid().notNull(),
    changedSync: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.externalId] })],
);

/** What a sync added, a row a page: ids that were not stored before it. One that left and came again stands twice. */
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

/** JSON that several documents of a source hold to the letter, stored once: see `shared-parts.ts`. */
export const recordParts = pgTable(
  'record_parts',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    hash: text().notNull(),
    text: text().notNull(),
    /** When a run met it, or housekeeping found it in use; it is not forgotten soon after. */
    usedAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity, table.hash] })],
);

/**
 * Ids that a running sync has met, to find what the provider no longer holds. Not those of records that it added itself:
 * `created_sync` tells them.
 */
export const syncSeen = pgTable(
  'sync_seen',
  { userId: uuid().notNull(), syncId: uuid().notNull(), externalId: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.syncId, table.externalId] })],
);

/** Grows with every change of an entity's records: the key of caches. */
export const recordVersions = pgTable(
  'record_versions',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    version: bigint({ mode: 'number' }).notNull().default(sql`1`),
    /** No record's facets are of an older version of the extraction than this. */
    facetsVersion: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
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
    /** When all was deleted for the first time; it is looked at once more for what was stored at the same moment. */
    sweptAt: instant(),
    /** Until then a worker has it. */
    claimedUntil: instant(),
  },
  (table) => [index('deletions_oldest').on(table.createdAt)],
);
