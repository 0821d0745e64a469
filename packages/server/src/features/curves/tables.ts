import { CURVE_KINDS, POINT_CAUSES, type PointCause } from '@datadeck/contract';
import { boolean, integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';
import type { ChangeOfRecords } from '../sync/index.ts';

/** What a point follows, and when it happened, ISO. */
interface Pending extends Pick<ChangeOfRecords, 'sync'> {
  cause: PointCause;
  at: string;
}

/** Views whose numbers are kept. */
export const curves = pgTable(
  'curves',
  {
    userId: uuid().notNull(),
    viewId: uuid().notNull(),
    provider: text().notNull(),
    entity: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** Values of the view's parameters as JSON; null for the defaults. */
    parameters: text(),
    /** What the next point follows; null when no point is missing. */
    pending: jsonb().$type<Pending>(),
    /** Hash of what computed the last point. */
    definition: text(),
    kind: text({ enum: CURVE_KINDS }),
    /** Why the last point could not be read. */
    problem: text(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.viewId] })],
);

/** The points of curves. */
export const curvePoints = pgTable(
  'curve_points',
  {
    userId: uuid().notNull(),
    viewId: uuid().notNull(),
    /** Order of the points of a curve, from 1, with gaps. */
    place: integer().notNull(),
    at: instant().notNull(),
    cause: text({ enum: POINT_CAUSES }).notNull(),
    syncId: uuid(),
    syncNumber: integer(),
    isUndone: boolean().notNull().default(false),
    isRedefined: boolean().notNull().default(false),
    /** Numbers by group; `json` keeps their order. */
    values: json().$type<Record<string, number>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.viewId, table.place] })],
);
