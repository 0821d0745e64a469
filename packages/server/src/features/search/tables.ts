import { sql } from 'drizzle-orm';
import { bigint, customType, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The search index: one row per record of a searched entity. Triggers of the record tables keep it in the transaction that
 * stores a record (`triggers.ts`), so it is never written directly.
 */
export const searchEntries = pgTable(
  'search_entries',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    id: text().notNull(),
    occurredAt: instant().notNull(),
    /** Sender or author, by which results are grouped. */
    person: text().notNull(),
    labels: text().array().notNull(),
    /** Values of operators that facets count, other than person and labels: `is:open`, `has:attachment`, `repo:octo-org/octo-repo`. */
    facts: text().array().notNull().default(sql`'{}'`),
    /** Title, people and file names, of which parts of words are found. */
    parts: text().notNull(),
    /**
     * Digests of ids of the conversation, null where records have none: first the id that copies of the record share, or an
     * empty text, then those that its records share. The latter are words of `terms`, too.
     */
    conversation: text().array(),
    /** Bytes; null where records have no size. */
    size: bigint({ mode: 'number' }),
    /** Words with their weights, and one word for each value of an operator, e.g. `label:inbox`. */
    terms: tsvector().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.connectionId, table.entity, table.id] }),
    index('search_entries_terms').using('gin', table.terms),
    index('search_entries_parts').using('gin', table.parts.op('gin_trgm_ops')),
    index('search_entries_size').on(table.userId, table.size),
    index('search_entries_newest').on(table.userId, table.occurredAt),
  ],
);

/** Distinct people, labels and repositories of a source, for completion and for typing errors. */
export const searchValues = pgTable(
  'search_values',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    /** Operator that finds the value, e.g. `from`. */
    operator: text().notNull(),
    value: text().notNull(),
  },
  // Not unique: pages of a run that are open at the same time would wait for each other. A value may be stored a few times.
  (table) => [
    index('search_values_key').on(
      table.userId,
      table.connectionId,
      table.entity,
      table.operator,
      table.value,
    ),
  ],
);

/** Sources whose older records are not indexed yet. The backfill removes a row when it has indexed them all. */
export const searchPending = pgTable(
  'search_pending',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    /** Id of the last indexed record; records are indexed in the order of their ids. */
    after: text().notNull().default(sql`''`),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
);

/** Tables that backups leave out: the next start indexes the restored records. */
export const SEARCH_TABLES = ['search_entries', 'search_values', 'search_pending'] as const;
