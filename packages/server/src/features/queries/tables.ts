import { pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const savedQueries = pgTable(
  'saved_queries',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    title: text().notNull(),
    expression: text().notNull(),
    createdAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);
