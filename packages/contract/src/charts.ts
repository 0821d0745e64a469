import { z } from 'zod';
import { accountNameSchema } from './endpoint.ts';
import { BOUNDS } from './limits.ts';
import { bindingsSchema } from './parameters.ts';
import { runQuerySchema } from './queries.ts';
import { parseSort } from './sort.ts';
import { timeZoneSchema } from './time-zones.ts';

/** Pictures of a result. Stacked bars are `bars` with a series. */
export const CHART_KINDS = [
  'number',
  'bars',
  'line',
  'area',
  'heat-map',
  'distribution',
  'table',
  'text',
] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** Widths of the groups of a time axis, from the narrowest; weeks begin on Monday. */
export const TIME_BUCKETS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TimeBucket = (typeof TIME_BUCKETS)[number];

/** Bounds of charts: what is drawn, and what is compared before the largest groups are chosen. */
export const CHART_LIMITS = {
  /** Groups that are drawn, of which the last ones may be combined. */
  groups: 60,
  /** Groups of a time axis, which are never combined; more of them get wider ones. */
  times: 400,
  /** Series that are drawn, without the combined ones; rows of a heat map. */
  series: 8,
  heatMapRows: 31,
  /** Groups and series that are compared; rows of further ones are combined. */
  comparedGroups: 5000,
  comparedSeries: 100,
  /** Bars of a distribution. */
  bins: 24,
  /** Columns that are described, and the rows from which. */
  columns: 100,
  sampledRows: 5000,
  /** Longest name of a group, UTF-16 units. */
  label: 200,
} as const;

/** A field of the rows, as in a sort without a hyphen: `author`, `user.login`, or `$` for plain values. */
const fieldSchema = z
  .string()
  .max(300, 'Must be 300 characters or less')
  .refine(
    (text) => !text.startsWith('-') && parseSort(text) !== undefined,
    'Must be a field, such as author',
  );

/**
 * Settings of a chart: `{ kind: 'bars', x: 'author', measure: 'count' }`. What is absent is chosen by the product.
 */
export const chartSchema = z.object({
  kind: z.enum(CHART_KINDS),
  /** Field of the groups, of the time axis, or of the numbers of a distribution. Absent: all rows are one group. */
  x: fieldSchema.optional(),
  /** Field that splits each group; the rows of a heat map. A heat map of a time without it has the days of the week. */
  series: fieldSchema.optional(),
  /** Rows are counted, or the numbers of `y` are added up. */
  measure: z.enum(['count', 'sum']),
  /** Field whose numbers are added up. */
  y: fieldSchema.optional(),
  /** Order of the groups: the largest first, by name, or as in the rows. A time axis is always in its own order. */
  order: z.enum(['value', 'name', 'rows']).optional(),
  /** Number of the largest groups that are drawn; the others are combined. */
  top: z.number().int().min(1).max(CHART_LIMITS.groups).optional(),
  /** How the series of bars and areas are drawn. */
  layout: z.enum(['stacked', 'beside']).optional(),
  /** Width of the groups of a time axis. Absent: by the range of the times. */
  bucket: z.enum(TIME_BUCKETS).optional(),
  /** Unit of the numbers, e.g. `hours`. */
  unit: z.string().trim().max(20, 'Must be 20 characters or less').optional(),
});
export type Chart = z.infer<typeof chartSchema>;

/** What the values of a column are. `part`: a part of a date, such as `hour` or the name of a weekday. */
export const COLUMN_TYPES = ['number', 'text', 'boolean', 'time', 'part', 'other'] as const;

/** A column of the rows, by the first `CHART_LIMITS.sampledRows` of them: `{ name: 'author', type: 'text', distinct: 12, … }`. */
export const chartColumnSchema = z.object({
  /** Its field, as settings name it. */
  name: z.string(),
  type: z.enum(COLUMN_TYPES),
  /** Number of different values. */
  distinct: z.number().int(),
  /** Number of rows without a value. */
  missing: z.number().int(),
});
export type ChartColumn = z.infer<typeof chartColumnSchema>;

const groupKeySchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type GroupKey = z.infer<typeof groupKeySchema>;

/** Why a chart cannot be drawn: there are no rows, a field is missing, or its values are no numbers or times. */
export const CHART_PROBLEMS = ['no-rows', 'no-field', 'no-numbers', 'no-groups'] as const;

/** What a chart draws: one number for each group and series. */
export const chartDataSchema = z.object({
  /** The settings that are drawn: those of the request, or the proposed ones. */
  chart: chartSchema,
  /** What the product proposes for the rows. */
  proposed: chartSchema,
  columns: z.array(chartColumnSchema),
  /** Number of all rows that were read. */
  rows: z.number().int(),
  /** Rows that are not drawn, because they have no number, no time, or are no objects. */
  missing: z.number().int(),
  problem: z.enum(CHART_PROBLEMS).nullable(),
  /** What the groups are; `none` for a chart without groups. */
  axis: z.enum(['groups', 'times', 'bins', 'none']),
  /** Width of the groups of a time axis. */
  bucket: z.enum(TIME_BUCKETS).nullable(),
  /**
   * What the texts of a time axis all are: instants in UTC (`2026-11-25T08:00:00Z`), or periods as wide as the groups
   * (`2026-11`). Absent for others.
   */
  times: z.enum(['instants', 'periods']).optional(),
  /** Width of a bar of a distribution. */
  binWidth: z.number().nullable(),
  /** Time zone of the groups of a time axis. */
  timeZone: z.string(),
  /**
   * Keys of the groups in their order: values of `x` (null: none), beginnings of times in the time zone (`2026-11-25`,
   * `2026-11-25T08:00`), or of bins.
   */
  groups: z.array(groupKeySchema),
  /** Number of groups that the last group combines; 0 if it is a group of its own. */
  combinedGroups: z.number().int(),
  /** The numbers of each series by group; null where there are none. */
  series: z.array(z.object({ key: groupKeySchema, values: z.array(z.number().nullable()) })),
  /** Number of series that the last one combines. */
  combinedSeries: z.number().int(),
  /** True if more groups than `CHART_LIMITS.comparedGroups` exist: those that came later were combined without a comparison. */
  isPartial: z.boolean(),
});
export type ChartData = z.infer<typeof chartDataSchema>;

/** Request for the chart of a view: `{ chart: { kind: 'bars', … }, timeZone: 'Europe/Berlin' }`. */
export const viewChartSchema = z.object({
  /** Absent: what the product proposes. */
  chart: chartSchema.optional(),
  /** Groups of times are those of this time zone. */
  timeZone: timeZoneSchema,
  account: accountNameSchema,
  /** Values of the parameters of the view and its bases. */
  parameters: bindingsSchema.optional(),
  /** An expression over the whole result of the view, which is drawn instead. */
  jsonNataQuery: z.string().max(BOUNDS.liveExpression).optional(),
});

/** Request for the chart of an expression over all rows of a template. */
export const queryChartSchema = runQuerySchema
  .omit({ page: true, sort: true })
  .extend({ chart: chartSchema.optional(), timeZone: timeZoneSchema });
