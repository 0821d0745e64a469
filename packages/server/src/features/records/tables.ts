import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
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
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
);
