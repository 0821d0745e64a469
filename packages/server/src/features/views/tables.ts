import type { Parameter, ViewDisplay } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { foreignKey, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Groups of views. Several may have the same title. */
export const categories = pgTable(
  'categories',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    title: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('categories_title').on(table.userId, sql`lower(title)`),
  ],
);

/** One of several named bases of a view: a template or another view. */
export interface StoredBase {
  name: string;
  provider: string;
  entity: string;
  templateKey: string | null;
  search: string | null;
  basedOn: string | null;
  /** If set, only the rows of this account. */
  account: string | null;
}

/** Saved expressions over a template or another view. */
export const views = pgTable(
  'views',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    expression: text().notNull(),
    provider: text().notNull(),
    entity: text().notNull(),
    /** If set, the rows of this template are the input. */
    templateKey: text(),
    /** If set, only the records of the template that this search finds. */
    search: text(),
    /** If set, the result of this view is the input. */
    basedOn: uuid(),
    /** All bases, if they have names; the columns above then repeat the first one. */
    bases: jsonb().$type<StoredBase[]>().notNull().default([]),
    categoryId: uuid(),
    parameters: jsonb().$type<Parameter[]>().notNull().default([]),
    /** How the view is shown; null: as each reader's browser does. */
    display: jsonb().$type<ViewDisplay>(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    foreignKey({ columns: [table.userId, table.basedOn], foreignColumns: [table.userId, table.id] }),
    index('views_base').on(table.userId, table.basedOn),
    index('views_entity').on(table.userId, table.provider, table.entity),
  ],
);
