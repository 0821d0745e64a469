import type { Tile } from '@datadeck/contract';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Boards with their tiles in order. A tile keeps the id of a view that was deleted. */
export const boards = pgTable(
  'boards',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    title: text().notNull(),
    tiles: jsonb().$type<Tile[]>().notNull().default([]),
    version: integer().notNull().default(1),
    weeklyMail: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);
