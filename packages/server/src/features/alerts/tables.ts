import type { AlertCondition } from '@datadeck/contract';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/db/columns.ts';

/** Alerts: each watches a view of its user with fixed values of the parameters. */
export const alerts = pgTable(
  'alerts',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    createdAt: instant().notNull().defaultNow(),
    viewId: uuid().notNull(),
    provider: text().notNull(),
    entity: text().notNull(),
    /** Values of the view's parameters as JSON; null for the defaults. */
    parameters: text(),
    /** The field that identifies a row; null for `_id` or `id`. Rows without it are identified by their content. */
    keyField: text(),
    kinds: text({ enum: ['appeared', 'disappeared', 'changed'] })
      .array()
      .notNull(),
    /** Null for an alert on rows. */
    condition: jsonb().$type<AlertCondition>(),
    /** What the next number is compared with; null before the first. */
    number: doublePrecision(),
    digest: text({ enum: ['each', 'hourly', 'daily'] }).notNull(),
    /** Hour of daily messages in the user's time zone; null for the time of day at which the alert was created. */
    digestHour: smallint(),
    /** JSONata that writes the text of a row in messages; empty for none. */
    rowText: text().notNull().default(''),
    bell: boolean().notNull(),
    /** Whether mails are sent, to the address of the user's account. */
    email: boolean().notNull(),
    webhookFormat: text({ enum: ['json', 'slack', 'discord', 'teams', 'matrix'] })
      .notNull()
      .default('json'),
    /** Encrypted addresses and secrets of the webhook and of ntfy. */
    sealed: jsonb().notNull(),
    /** True when the records changed after the last comparison began. */
    isStale: boolean().notNull().default(true),
    /** Identifies the version of the rows that were last compared, and what computed them; null before the first time. */
    dataKey: text(),
    definition: text(),
    /** Extraction version of the entity whose rows were last compared. */
    extraction: integer().notNull().default(0),
    comparedAt: instant(),
    rowCount: integer(),
    /** Why the last comparison failed, and how many failed in a row. */
    problem: text(),
    failures: integer().notNull().default(0),
    /** A paused alert compares nothing. */
    isPaused: boolean().notNull().default(false),
    /** Until when comparisons wait at the user's request. */
    snoozedUntil: instant(),
    /** When rows of the chosen kinds last changed. */
    changedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('alerts_view').on(table.userId, table.viewId),
  ],
);

/** The rows of an alert's view when they were last compared (`snapshot.ts`). */
export const alertSnapshots = pgTable(
  'alert_snapshots',
  {
    userId: uuid().notNull(),
    alertId: uuid().notNull(),
    rows: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.alertId] })],
);

/** Messages of alerts, one for each channel, with their outcome. Only the newest are kept. */
export const alertDeliveries = pgTable(
  'alert_deliveries',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    alertId: uuid().notNull(),
    createdAt: instant().notNull().defaultNow(),
    channel: text({ enum: ['bell', 'email', 'webhook', 'ntfy'] }).notNull(),
    isTest: boolean().notNull(),
    /** The title of the view at that time. */
    title: text().notNull(),
    /** The number of changed rows by kind and the first of them, as JSON. */
    changes: text().notNull(),
    /** Keys of rows that appeared, which the view marks. */
    newKeys: text().array().notNull().default([]),
    status: text({ enum: ['waiting', 'delivered', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    /** What the receiver answered. */
    outcome: text(),
    settledAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('alert_deliveries_newest').on(table.userId, table.createdAt),
    index('alert_deliveries_age').on(table.createdAt),
  ],
);
