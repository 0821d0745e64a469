import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Entities that are synchronised by themselves. A job waits for the next time of each (`queue.ts`). */
export const schedules = pgTable(
  'schedules',
  {
    userId: uuid().notNull(),
    connectionId: uuid().notNull(),
    entity: text().notNull(),
    provider: text().notNull(),
    every: text({ enum: ['hourly', 'daily'] }).notNull(),
    settings: jsonb().notNull(),
    nextAt: instant().notNull(),
    hindrance: text({ enum: ['month-used-up', 'reconnect-needed', 'plan-forbids'] }),
    /** Set while the user knows of a failure: since then no run has succeeded. */
    failingSince: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.connectionId, table.entity] })],
);
