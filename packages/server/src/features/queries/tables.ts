import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** JSONata expressions that users saved. */
export const savedQueries = pgTable(
  'saved_queries',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    title: text().notNull(),
    expression: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);
