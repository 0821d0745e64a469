import { z } from 'zod';
import { changedRowSchema } from './alerts.ts';
import {
  accountNameSchema as account,
  defineEndpoints,
  idSchema as id,
  pageSchema as page,
} from './endpoint.ts';
import { sortSchema } from './sort.ts';
import { parametersJsonSchema } from './view-endpoints.ts';
import { viewResultsSchema } from './views.ts';

/**
 * Most records that a view as of a run may read; most records changed or removed since then whose words a search computes again;
 * and runs per page of their list.
 */
export const AS_OF_LIMITS = { records: 100_000, searchedChanges: 2000, runsPage: 100 } as const;

/** A run as of whose end a view can be read: `{ _id: '…', number: 12, at: '…', added: 20, updated: 3, removed: 1, … }`. */
export const reachableRunSchema = z.object({
  _id: z.string(),
  /** The user's running number of the sync. */
  number: z.number().int(),
  /** When it ended. */
  at: z.string(),
  entityLabel: z.string(),
  account: z.string(),
  /** What it changed of all records, not only of those of the view. */
  added: z.number().int(),
  updated: z.number().int(),
  removed: z.number().int(),
});
export type ReachableRun = z.infer<typeof reachableRunSchema>;

/** A page of the runs of all sources of a view, newest first. */
export const viewRunsSchema = z.object({
  results: z.array(reachableRunSchema),
  /** Number of all runs that can be chosen. */
  count: z.number().int(),
  /** Whether there were older runs, which cannot be chosen because the changes after them are no longer kept. */
  isCut: z.boolean(),
});
export type ViewRuns = z.infer<typeof viewRunsSchema>;

/** How the rows of a view changed since a run, and the first 20 of these rows. */
export const viewDifferenceSchema = z.object({
  /** Rows that are there now and were not. */
  appeared: z.number().int(),
  disappeared: z.number().int(),
  changed: z.number().int(),
  rows: z.array(changedRowSchema),
});
export type ViewDifference = z.infer<typeof viewDifferenceSchema>;

const params = z.object({ viewId: id });
/** The run, by its id, and what else selects rows. */
const asOf = z.object({ run: z.uuid().max(36), parameters: parametersJsonSchema, account });

/** Endpoints of views as of a run. */
export const AS_OF_ENDPOINTS = defineEndpoints({
  viewRuns: {
    method: 'GET',
    path: '/api/data/views/as-of/{viewId}/runs',
    summary: 'The runs as of whose end a view can be read, newest first, pages of 100',
    access: 'user',
    params,
    query: z.object({ page, account }),
    response: viewRunsSchema,
  },
  viewAsOf: {
    method: 'GET',
    path: '/api/data/views/as-of/{viewId}',
    summary: "A page of a view's result as it was at the end of a run",
    access: 'user',
    params,
    query: asOf.extend({ page, sort: sortSchema }),
    response: viewResultsSchema,
  },
  viewDifference: {
    method: 'GET',
    path: '/api/data/views/as-of/{viewId}/difference',
    summary: 'How the rows of a view changed since the end of a run, with the first 20 of them',
    access: 'user',
    params,
    query: asOf,
    response: viewDifferenceSchema,
  },
});
