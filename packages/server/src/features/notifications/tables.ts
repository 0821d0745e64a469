import type { NoticeRow } from '@datadeck/contract';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Notifications of events that the user did not watch. Only the newest are kept. */
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
    /** The sync that failed; null when no sync could be started. */
    syncId: uuid(),
    /** The view of an alert; null for other notifications. */
    viewId: uuid(),
    /** The delivery of an alert, and the first rows that it reports. */
    deliveryId: uuid(),
    rows: jsonb().$type<NoticeRow[]>().notNull().default([]),
    readAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('notifications_newest').on(table.userId, table.createdAt),
  ],
);

/** The webhook to which a user's notifications are sent. */
export const webhooks = pgTable('webhooks', {
  userId: uuid().primaryKey(),
  /** Replaced whenever messages already in the queue must not be delivered any more. */
  id: uuid().notNull().defaultRandom(),
  format: text({ enum: ['json', 'slack', 'discord', 'teams', 'matrix', 'ntfy'] })
    .notNull()
    .default('json'),
  /** Encrypted URL (it may contain a key) and signing secret. */
  sealed: jsonb().notNull(),
  /** Time of the last delivery; the columns below are its outcome. */
  lastAt: instant(),
  isDelivered: boolean(),
  status: integer(),
  message: text(),
});

/** One row: the channel of messages between processes. Its name is a secret, because every role of PostgreSQL may use channels. */
export const broadcastChannel = pgTable('broadcast_channel', { name: uuid().primaryKey() });
