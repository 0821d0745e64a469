import { z } from 'zod';
import { BOUNDS, LIMITS } from './limits.ts';
import { bindingsSchema } from './parameters.ts';

const key = z.string().min(1, 'Required').max(BOUNDS.key, `Must be ${BOUNDS.key} characters or less`);

export const savedQuerySchema = z.object({
  _id: z.string(),
  title: z.string(),
  jsonNataQuery: z.string(),
});
export type SavedQuery = z.infer<typeof savedQuerySchema>;

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

/** Runs an expression over all rows of a template ('All results'). */
export const runQuerySchema = z.object({
  entryCollection: key,
  templateKey: key,
  jsonNataQuery: z.string().max(BOUNDS.liveExpression, `Must be ${BOUNDS.liveExpression} characters or less`),
  page: z.number().int().min(1).default(1),
  /** Values of variables of the expression. */
  parameters: bindingsSchema.optional(),
});
export type RunQuery = z.input<typeof runQuerySchema>;

/** What the database did of an expression, so that the engine had less to do. Absent: the engine did all of it. */
export const pushedDownSchema = z.object({
  /** Readable: `state = "open" and additions > 100`, `count`, `first 10 by created_at descending`. */
  text: z.string(),
  /** Rows that the database handed to the engine, of all `rows`. */
  rows: z.number().int(),
});
export type PushedDown = z.infer<typeof pushedDownSchema>;

export const queryAnswerSchema = z.object({
  /** The page of an array result, else the one result. */
  results: z.array(z.unknown()),
  count: z.number().int(),
  /** False when the expression gave something else than an array. */
  isArray: z.boolean(),
  /** Rows that the expression ran over. */
  rows: z.number().int(),
  /** Milliseconds of the evaluation. */
  elapsedMs: z.number(),
  pushedDown: pushedDownSchema.optional(),
});
export type QueryAnswer = z.infer<typeof queryAnswerSchema>;
