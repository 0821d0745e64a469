import { z } from 'zod';
import { accountNameSchema } from './endpoint.ts';
import { BOUNDS, LIMITS } from './limits.ts';
import { bindingsSchema } from './parameters.ts';
import { sortSchema } from './sort.ts';
import { rowSearchSchema } from './templates.ts';

const key = z.string().min(1, 'Required').max(BOUNDS.key, `Must be ${BOUNDS.key} characters or less`);

/** A saved query: `{ _id: '…', title: 'Open ones', jsonNataQuery: '$[state = "open"]' }`. */
export const savedQuerySchema = z.object({
  _id: z.string(),
  title: z.string(),
  jsonNataQuery: z.string(),
});
export type SavedQuery = z.infer<typeof savedQuerySchema>;

/** Request to save a query: `{ title: 'Open ones', jsonNataQuery: '$[state = "open"]' }`. */
export const saveQuerySchema = z.object({
  title: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(LIMITS.queryTitle, `Must be ${LIMITS.queryTitle} characters or less`),
  jsonNataQuery: z
    .string()
    .min(1, 'Required')
    .max(BOUNDS.queryExpression, `Must be ${BOUNDS.queryExpression} characters or less`)
    .refine((text) => text.trim() !== '', 'Required'),
});
export type SaveQuery = z.infer<typeof saveQuerySchema>;

/** Request to evaluate an expression over all rows of a template ('All results'): `{ entryCollection: 'gh-pulls', … }`. */
export const runQuerySchema = z.object({
  entryCollection: key,
  templateKey: key,
  /** The expression sees only the rows of this account. */
  account: accountNameSchema,
  /** The expression sees only the rows that this search finds. */
  search: rowSearchSchema.optional(),
  jsonNataQuery: z.string().max(BOUNDS.liveExpression, `Must be ${BOUNDS.liveExpression} characters or less`),
  page: z.number().int().min(1).default(1),
  sort: sortSchema,
  /** Values of the expression's variables. */
  parameters: bindingsSchema.optional(),
});
export type RunQuery = z.input<typeof runQuerySchema>;

/** Download formats of a result: JSON (specified for views), newline-delimited JSON, and tables. */
export const DOWNLOAD_FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet'] as const;
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** Whether CSV has texts as they are, for programs. Without it, texts that spreadsheets take for formulas are escaped. */
export const exactSchema = z.enum(['true', 'false']).optional();

/** Request for the whole result of an expression as a file. */
export const downloadQuerySchema = runQuerySchema.omit({ page: true, sort: true }).extend({
  format: z.enum(DOWNLOAD_FORMATS).default('json'),
  /** As `exactSchema`. */
  exact: z.boolean().optional(),
});

/** Request to evaluate an expression over the whole result of a view: `{ jsonNataQuery: '$count($)' }`. */
export const queryViewSchema = runQuerySchema
  .pick({ jsonNataQuery: true, page: true, account: true, sort: true })
  .extend({
    /** Values of the parameters of the view and its bases. */
    parameters: bindingsSchema.optional(),
  });

/** Part of an expression that the database evaluated (push-down). Absent when the engine evaluated all of it. */
export const pushedDownSchema = z.object({
  /** Description for users: `state = "open" and additions > 100`, `count`, `first 10 by created_at descending`. */
  text: z.string(),
  /** Number of rows that the database passed to the engine, out of all `rows`. */
  rows: z.number().int(),
});
export type PushedDown = z.infer<typeof pushedDownSchema>;

/** Response to a query: `{ results: [1, 2], count: 2, isArray: true, rows: 5000, elapsedMs: 12.5 }`. */
export const queryAnswerSchema = z.object({
  /** One page of an array result, else the single result. */
  results: z.array(z.unknown()),
  count: z.number().int(),
  /** False when the result is not an array. */
  isArray: z.boolean(),
  /** Number of rows over which the expression was evaluated. */
  rows: z.number().int(),
  /** Duration of the evaluation, ms. */
  elapsedMs: z.number(),
  pushedDown: pushedDownSchema.optional(),
});
export type QueryAnswer = z.infer<typeof queryAnswerSchema>;
