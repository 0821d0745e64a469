import { sql } from 'drizzle-orm';
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

/** A user's link to one account at a provider. Disconnecting deletes the token and keeps the row: the data belongs to it. */
export const connections = pgTable(
  'connections',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    provider: text().notNull(),
    /** The account's stable id at the provider. */
    subject: text().notNull(),
    /** Its e-mail address or login, for people. */
    account: text().notNull(),
    status: text({ enum: ['connected', 'reconnect-needed', 'disconnected', 'sample'] }).notNull(),
    /** The one of the provider whose data is shown. */
    isCurrent: boolean().notNull(),
    /** Encrypted tokens (see encryption.ts); null when disconnected. */
    credentials: jsonb(),
    connectedAt: instant().notNull().defaultNow(),
    /** Before this instant the provider asked not to be called. */
    notBefore: instant(),
    /** The worker that renews the tokens at the moment; nobody else may store renewed ones. */
    renewalOwner: uuid(),
    /** When its claim ends: a worker that died does not keep others from renewing. */
    renewalUntil: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('connections_account').on(table.userId, table.provider, table.subject),
    uniqueIndex('connections_current').on(table.userId, table.provider).where(sql`is_current`),
  ],
);

/** Units of a connection's quota that were handed out in the last minutes: what processes share and a restart remembers. */
export const quotaGrants = pgTable(
  'quota_grants',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    grantedAt: timestamp({ withTimezone: true, mode: 'date', precision: 6 }).notNull(),
    units: doublePrecision().notNull(),
    /** Nothing is spent of it later. */
    spendableUntil: timestamp({ withTimezone: true, mode: 'date', precision: 6 }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.grantedAt] })],
);
