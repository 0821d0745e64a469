import { z } from 'zod';
import { chartSchema } from './charts.ts';
import { columnLayoutSchema } from './column-layout.ts';
import { accountNameSchema } from './endpoint.ts';
import { BOUNDS, LIMITS } from './limits.ts';
import { declaredParameterSchema, parameterNameSchema, parametersSchema } from './parameters.ts';
import { pushedDownSchema } from './queries.ts';
import { sortSchema } from './sort.ts';
import { rowSearchSchema } from './templates.ts';

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

/** Pictures of a result: a tree, a table (a list on phones), or a chart. */
export const RESULT_MODES = ['tree', 'table', 'chart'] as const;

/** How a view is shown when it opens: `{ mode: 'table', columns: [{ name: 'title', width: 320 }], sort: '-additions' }`. */
export const viewDisplaySchema = z.object({
  mode: z.enum(RESULT_MODES),
  /** Empty: all columns in their own order. */
  columns: columnLayoutSchema,
  /** Absent: the order of the view. */
  sort: sortSchema,
  /** Absent: what the product proposes for the rows. */
  chart: chartSchema.optional(),
});
export type ViewDisplay = z.infer<typeof viewDisplaySchema>;

/** One of several bases of a view, which its expression reads as `$name`: `{ name: 'mails', templateKey: 'messages-all', … }`. */
export const viewBaseSchema = z.object({
  name: z.string(),
  providerId: z.string(),
  entityLabel: z.string(),
  /** Id of the base view; null for a template. */
  basedOn: z.string().nullable(),
  templateKey: z.string(),
  /** The search that selects the rows of the template; empty for all rows. */
  search: z.string(),
  /** The account whose rows are read; empty for all. */
  account: z.string(),
});
export type ViewBase = z.infer<typeof viewBaseSchema>;

/** A view: `{ _id: '…', title: 'Open ones', jsonNataQuery: '$[state = "open"]', templateKey: 'gh-pulls-all', … }`. */
export const viewSchema = z.object({
  _id: z.string(),
  title: z.string(),
  description: z.string(),
  jsonNataQuery: z.string(),
  /** Id of the category; null if it has none. */
  category: z.string().nullable(),
  /** Id of the base view; null for a view on a template. */
  basedOn: z.string().nullable(),
  templateKey: z.string(),
  /** The search that selects the rows of the template; empty for all rows. */
  search: z.string(),
  providerId: z.string(),
  entityLabel: z.string(),
  /** All bases of a view with named bases, of which the fields above describe the first one; else empty. */
  bases: z.array(viewBaseSchema),
  /** Parameters that the view itself declares. */
  parameters: z.array(declaredParameterSchema),
  /** All parameters needed to read the view: its own and those of its base views. */
  inputs: z.array(declaredParameterSchema),
  /** How the view is shown; null: as each reader's browser does. */
  display: viewDisplaySchema.nullable(),
  /** Views based on this one. */
  dependees: z.array(z.object({ _id: z.string(), title: z.string() })),
  updated_at: z.string(),
});
export type View = z.infer<typeof viewSchema>;

/**
 * A view in a list. Without `inputs`, which `inputsOf` computes from the base views in the same list; but with them if it has
 * named bases, which may be views of other entities.
 */
export const listedViewSchema = viewSchema
  .omit({ inputs: true })
  .extend({ inputs: viewSchema.shape.inputs.optional() });
export type ListedView = z.infer<typeof listedViewSchema>;

/** A page of all views of the user in order of their titles; `count` is the number of all views. */
export const allViewsSchema = z.object({ results: z.array(listedViewSchema), count: z.number().int() });
export type AllViews = z.infer<typeof allViewsSchema>;

const savedBaseSchema = z
  .object({
    name: parameterNameSchema,
    providerId: key.min(1, 'Required'),
    entityLabel: key.min(1, 'Required'),
    templateKey: key.nullish(),
    search: rowSearchSchema.optional(),
    basedOn: key.nullish(),
    account: accountNameSchema,
  })
  .refine((base) => Boolean(base.templateKey) !== Boolean(base.basedOn), {
    path: ['basedOn'],
    message: 'Either a template or a view',
  });
export type SavedBase = z.infer<typeof savedBaseSchema>;

/** The named bases of a view, the first of which its other fields repeat. Empty: it has one base without a name. */
const basesSchema = z
  .array(savedBaseSchema)
  .max(BOUNDS.viewBases, `At most ${BOUNDS.viewBases} bases`)
  .superRefine((bases, context) => {
    for (const [index, { name }] of bases.entries())
      if (bases.findIndex((other) => other.name === name) < index)
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Already in use' });
  });

/** Returns whether the fields of a view describe its first base. */
function repeatsFirst({
  bases,
  ...view
}: Partial<SavedBase> & { bases?: readonly SavedBase[] | undefined }): boolean {
  const [first] = bases ?? [];
  if (first === undefined) return true;
  const isSame = (name: 'providerId' | 'entityLabel' | 'templateKey' | 'basedOn' | 'search') =>
    (view[name] || '') === (first[name] || '');
  return (['providerId', 'entityLabel', 'templateKey', 'basedOn', 'search'] as const).every(isSame);
}

/** Request to create a view, on a template or on a base view, or on several named ones. */
export const createViewSchema = z
  .object({
    title,
    description,
    jsonNataQuery,
    providerId: key.min(1, 'Required'),
    entityLabel: key.min(1, 'Required'),
    templateKey: key.nullish(),
    /** Selects rows of the template; only for a view on a searchable template. */
    search: rowSearchSchema.optional(),
    basedOn: key.nullish(),
    bases: basesSchema.optional(),
    category: key.nullish(),
    parameters: parametersSchema.optional(),
    display: viewDisplaySchema.nullish(),
  })
  .refine((view) => Boolean(view.templateKey) || Boolean(view.basedOn), {
    path: ['basedOn'],
    message: 'Required',
  })
  .refine(repeatsFirst, { path: ['bases'], message: 'The first base must be that of the view' });
export type CreateView = z.infer<typeof createViewSchema>;

/** Request to update a view. */
export const updateViewSchema = z.object({
  title,
  description,
  jsonNataQuery,
  /** Absent: unchanged; empty: all rows of the template. */
  search: rowSearchSchema.optional(),
  /** Absent: unchanged. The source of the first base cannot change. */
  bases: basesSchema.optional(),
  /** Absent: unchanged; null or empty: remove the category. */
  category: key.nullish(),
  /** Absent: unchanged. */
  parameters: parametersSchema.optional(),
  /** Absent: unchanged; null: as each reader's browser does. */
  display: viewDisplaySchema.nullish(),
});
export type UpdateView = z.infer<typeof updateViewSchema>;

/** Response to a deletion; `undo` restores the view within ten minutes: `{ ok: true, undo: 'v1.…' }`. */
export const deletedViewSchema = z.object({ ok: z.literal(true), undo: z.string() });
export type DeletedView = z.infer<typeof deletedViewSchema>;

/** Request to undo a deletion with the `undo` of its response; the longest view has about 26,000 characters. */
export const restoreViewSchema = z.object({ undo: z.string().min(1).max(160_000) });

/** A category of views: `{ _id: '…', title: 'Reports' }`. */
export const categorySchema = z.object({ _id: z.string(), title: z.string() });
export type Category = z.infer<typeof categorySchema>;

/** Request to create or rename a category: `{ title: 'Reports' }`. */
export const saveCategorySchema = z.object({
  title: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(LIMITS.categoryTitle, `Must be ${LIMITS.categoryTitle} characters or less`),
});
export type SaveCategory = z.infer<typeof saveCategorySchema>;

/** A page of a view's results; `count` is the number of all results: `{ results: […], count: 43, isArray: true }`. */
export const viewResultsSchema = z.object({
  results: z.array(z.unknown()),
  count: z.number().int(),
  isArray: z.boolean(),
  pushedDown: pushedDownSchema.optional(),
});
export type ViewResults = z.infer<typeof viewResultsSchema>;

/** Formats of a view as a feed: Atom and iCalendar. */
export const FEED_FORMATS = ['atom', 'ical'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** Media types of feeds by format. */
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml',
  ical: 'text/calendar',
};

/** Most rows of a feed, the first ones of the view; Atom shows the newest of them. */
export const FEED_ROWS = { atom: 100, ical: 1000 } as const satisfies Record<FeedFormat, number>;
