import {
  boolean,
  doublePrecision,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/**
 * A user's link to one account at a provider. Disconnecting deletes the tokens but keeps the row, because the data
 * refers to it.
 */
export const connections = pgTable(
  'connections',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    provider: text().notNull(),
    /** The account's stable id at the provider. */
    subject: text().notNull(),
    /** The account's e-mail address or login, unique within the provider: people and requests name the account by it. */
    account: text().notNull(),
    /** Name that the user gave it, e.g. `Work`; empty without one. */
    title: text().notNull().default(''),
    status: text({ enum: ['connected', 'reconnect-needed', 'disconnected', 'sample'] }).notNull(),
    /** Whether its records are shown: it is connected, or was disconnected while no other account was connected. */
    isShown: boolean().notNull(),
    /** Encrypted tokens (see encryption.ts); null when disconnected. */
    credentials: jsonb(),
    connectedAt: instant().notNull().defaultNow(),
    /** When the account was connected for the first time, by which accounts are listed. */
    firstConnectedAt: instant().notNull().defaultNow(),
    /** When the credentials expire, if they cannot be renewed. */
    expiresAt: instant(),
    /** When the user was notified of the expiry. */
    expiryNotifiedAt: instant(),
    /** The provider asked not to be called before this time. */
    notBefore: instant(),
    /** The worker that is renewing the tokens. Only this worker may store renewed tokens. */
    renewalOwner: uuid(),
    /** When the worker's claim expires, so that a dead worker does not block renewals. */
    renewalUntil: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('connections_account').on(table.userId, table.provider, table.subject),
    uniqueIndex('connections_name').on(table.userId, table.provider, table.account),
  ],
);

/** Quota units of a connection granted in the last minutes. Shared by all processes and kept across restarts. */
export const quotaGrants = pgTable(
  'quota_grants',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    grantedAt: timestamp({ withTimezone: true, mode: 'date', precision: 6 }).notNull(),
    units: doublePrecision().notNull(),
    /** When the right to use the units ends. */
    spendableUntil: timestamp({ withTimezone: true, mode: 'date', precision: 6 }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.grantedAt] })],
);
