import { z } from 'zod';
import { defineEndpoints, idSchema, okSchema, pageSchema } from './endpoint.ts';
import { DOWNLOAD_FORMATS, exactSchema } from './queries.ts';

/**
 * Curves per user, points of a curve before it is thinned, groups of a point (the largest), UTF-16 units of their names, points
 * of a drawing, and points per page.
 */
export const CURVE_LIMITS = {
  perUser: 20,
  points: 10_000,
  groups: 20,
  groupName: 100,
  drawn: 400,
  page: 50,
} as const;

/** What a view yields: one number · a number for each group · rows, which are counted. */
export const CURVE_KINDS = ['number', 'groups', 'rows'] as const;
export type CurveKind = (typeof CURVE_KINDS)[number];

/** start: the curve began · run: a run ended · undo: a run was undone · accounts: other accounts are shown. */
export const POINT_CAUSES = ['start', 'run', 'undo', 'accounts'] as const;
export type PointCause = (typeof POINT_CAUSES)[number];

/** A point of a curve: `{ at: '…', cause: 'run', sync: { _id: '…', number: 12 }, isUndone: false, isRedefined: false, values: { '': 42 } }`. */
export const curvePointSchema = z.object({
  at: z.string(),
  cause: z.enum(POINT_CAUSES),
  /** The run that ended or was undone; null for other causes. */
  sync: z.object({ _id: z.string(), number: z.number().int() }).nullable(),
  /** Whether the run was undone later: its records are gone. */
  isUndone: z.boolean(),
  /** Whether the view, its values or its accounts changed since the point before. */
  isRedefined: z.boolean(),
  /** Numbers by the name of the group, at most 20; the name of a single number, or of the number of rows, is empty. */
  values: z.record(z.string(), z.number()),
});
export type CurvePoint = z.infer<typeof curvePointSchema>;

/** The curve of a view: `{ isKept: true, since: '…', kind: 'number', count: 812, points: […], … }`. */
export const curveSchema = z.object({
  isKept: z.boolean(),
  /** When the curve began; null if none is kept. */
  since: z.string().nullable(),
  /** Values of the view's parameters as JSON; null for the defaults. */
  parameters: z.string().nullable(),
  /** Null before the first point. */
  kind: z.enum(CURVE_KINDS).nullable(),
  /** Why the last point could not be read; null if it could. */
  problem: z.string().nullable(),
  /** Number of all points. */
  count: z.number().int(),
  /** At most 400 of them, oldest first: with the first, last, least and greatest. */
  points: z.array(curvePointSchema),
});
export type Curve = z.infer<typeof curveSchema>;

/** Request to keep the curve of a view, or to delete it: `{ isKept: true, parameters: '{"author":"octocat"}' }`. */
export const keepCurveSchema = z.object({
  isKept: z.boolean(),
  /** Values of the view's parameters as JSON; absent for the defaults. */
  parameters: z.string().max(10_000).optional(),
});

const params = z.object({ viewId: idSchema });

/** Endpoints of curves. */
export const CURVE_ENDPOINTS = defineEndpoints({
  curve: {
    method: 'GET',
    path: '/api/data/views/curve/{viewId}',
    summary: 'The numbers of a view over time, thinned to at most 400 points',
    access: 'user',
    params,
    response: curveSchema,
  },
  keepCurve: {
    method: 'PUT',
    path: '/api/data/views/curve/{viewId}',
    summary: 'Keep the numbers of a view from now on, or delete those that were kept',
    access: 'change',
    params,
    body: keepCurveSchema,
    response: okSchema,
  },
  curvePoints: {
    method: 'GET',
    path: '/api/data/views/curve/{viewId}/points',
    summary: 'All points of a curve, newest first, pages of 50',
    access: 'user',
    params,
    query: z.object({ page: pageSchema }),
    response: z.object({ results: z.array(curvePointSchema), count: z.number().int() }),
  },
  downloadCurve: {
    method: 'GET',
    path: '/api/data/views/curve/{viewId}/download',
    summary: 'All points of a curve as a file, oldest first: a row for each number',
    access: 'user',
    params,
    query: z.object({ format: z.enum(DOWNLOAD_FORMATS).default('csv'), exact: exactSchema }),
  },
});
