import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** What happened while the user did not watch; the newest are kept. */
export const notifications = pgTable(
  'notifications',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    createdAt: instant().notNull().defaultNow(),
    title: text().notNull(),
    message: text().notNull(),
    advice: text().notNull(),
    provider: text().notNull(),
    entity: text().notNull(),
    /** The sync that it is about; null when none was started. */
    syncId: uuid(),
    readAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('notifications_newest').on(table.userId, table.createdAt),
  ],
);

/** The address that a user's notifications are carried on to. */
export const webhooks = pgTable('webhooks', {
  userId: uuid().primaryKey(),
  /** Of this setting; a new one whenever messages on their way must not arrive any more. */
  id: uuid().notNull().defaultRandom(),
  /** Encrypted: the address (it may hold a key) and the secret that signs. */
  sealed: jsonb().notNull(),
  /** The last delivery. */
  lastAt: instant(),
  isDelivered: boolean(),
  status: integer(),
  message: text(),
});
