import { bigint, index, integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Connectors that administrators wrote. They belong to the server, not to a user. */
export const connectors = pgTable('connectors', {
  key: text().primaryKey(),
  /** The published version; null before the first one. */
  version: integer(),
  /** Since when nobody can connect it. */
  withdrawnAt: instant(),
  /** When an administrator deleted it; the row goes once the data of all users is gone. */
  deletedAt: instant(),
  /** Text of the document that is being written, which may have faults; null where it is the published one. */
  draft: text(),
  draftAt: instant(),
  createdAt: instant().notNull().defaultNow(),
});

/** Published versions of connectors. */
export const connectorVersions = pgTable(
  'connector_versions',
  {
    connectorKey: text().notNull(),
    version: integer().notNull(),
    /** The document, with the extraction version of each entity. */
    document: text().notNull(),
    /** By entity, under which names columns are stored where these are not those of the document. */
    storedNames: json().notNull(),
    publishedAt: instant().notNull().defaultNow(),
    /** The administrator; the account may be gone. */
    publishedBy: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectorKey, table.version] })],
);

/** User of values that belong to the server, in tables that name users. */
export const SERVER_ID = '00000000-0000-0000-0000-000000000000';

/** OAuth clients of connectors, which administrators entered. */
export const connectorClients = pgTable('connector_clients', {
  /** Always `SERVER_ID`. */
  userId: uuid().notNull(),
  id: uuid().primaryKey(),
  connectorKey: text().notNull().unique(),
  clientId: text().notNull(),
  /** The encrypted client. */
  sealed: jsonb().notNull(),
});

/** Answers that *Try* recorded for a draft, with replaced values. */
export const connectorRecordings = pgTable(
  'connector_recordings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    connectorKey: text().notNull(),
    entity: text().notNull(),
    /** Number of records of the answer. */
    records: integer().notNull(),
    answer: json().notNull(),
    recordedAt: instant().notNull().defaultNow(),
  },
  (table) => [index('connector_recordings_of').on(table.connectorKey, table.id)],
);
