import { z } from 'zod';
import { BOUNDS, LIMITS } from './limits.ts';
import { declaredParameterSchema, parametersSchema } from './parameters.ts';
import { pushedDownSchema } from './queries.ts';

const title = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(LIMITS.viewTitle, `Must be ${LIMITS.viewTitle} characters or less`);
const description = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(LIMITS.viewDescription, `Must be ${LIMITS.viewDescription} characters or less`);
const jsonNataQuery = z
  .string()
  .min(1, 'Required')
  .max(LIMITS.viewQuery, `Must be ${LIMITS.viewQuery} characters or less`)
  .refine((text) => text.trim() !== '', 'Required');

const key = z.string().max(BOUNDS.key, `Must be ${BOUNDS.key} characters or less`);

export const viewSchema = z.object({
  _id: z.string(),
  title: z.string(),
  description: z.string(),
  jsonNataQuery: z.string(),
  /** Id of a category. */
  category: z.string().nullable(),
  /** Id of the base view. */
  basedOn: z.string().nullable(),
  templateKey: z.string(),
  providerId: z.string(),
  entityLabel: z.string(),
  /** What the view itself declares. */
  parameters: z.array(declaredParameterSchema),
  /** What it takes when it is read: its own parameters and those of its bases. */
  inputs: z.array(declaredParameterSchema),
  /** Views built on this one. */
  dependees: z.array(z.object({ _id: z.string(), title: z.string() })),
  updated_at: z.string(),
});
export type View = z.infer<typeof viewSchema>;

/** A view in a list: without what it inherits, which `inputsOf` reads from the bases in the same list. */
export const listedViewSchema = viewSchema.omit({ inputs: true });
export type ListedView = z.infer<typeof listedViewSchema>;

export const createViewSchema = z
  .object({
    title,
    description,
    jsonNataQuery,
    providerId: key.min(1, 'Required'),
    entityLabel: key.min(1, 'Required'),
    templateKey: key.nullish(),
    basedOn: key.nullish(),
    category: key.nullish(),
    parameters: parametersSchema.optional(),
  })
  .refine((view) => Boolean(view.templateKey) || Boolean(view.basedOn), {
    path: ['basedOn'],
    message: 'Required',
  });
export type CreateView = z.infer<typeof createViewSchema>;

export const updateViewSchema = z.object({
  title,
  description,
  jsonNataQuery,
  /** Absent: unchanged; null or empty: no category. */
  category: key.nullish(),
  /** Absent: unchanged. */
  parameters: parametersSchema.optional(),
});
export type UpdateView = z.infer<typeof updateViewSchema>;

/** The answer to a deletion: `undo` restores the view within ten minutes. */
export const deletedViewSchema = z.object({ ok: z.literal(true), undo: z.string() });
export type DeletedView = z.infer<typeof deletedViewSchema>;

/** Undoes a deletion by what its answer said; a sealed view of the longest texts has some 12,000 characters. */
export const restoreViewSchema = z.object({ undo: z.string().min(1).max(40_000) });

export const categorySchema = z.object({ _id: z.string(), title: z.string() });
export type Category = z.infer<typeof categorySchema>;

export const saveCategorySchema = z.object({
  title: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(LIMITS.categoryTitle, `Must be ${LIMITS.categoryTitle} characters or less`),
});
export type SaveCategory = z.infer<typeof saveCategorySchema>;

/** A page of a view's result; `count` is that of all results. */
export const viewResultsSchema = z.object({
  results: z.array(z.unknown()),
  count: z.number().int(),
  isArray: z.boolean(),
  pushedDown: pushedDownSchema.optional(),
});
export type ViewResults = z.infer<typeof viewResultsSchema>;

/** Download formats beside the specified JSON. */
export const DOWNLOAD_FORMATS = ['json', 'ndjson', 'csv'] as const;
