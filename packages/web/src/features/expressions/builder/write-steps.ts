import { fieldBelow } from '../../../ui/field-name.ts';
import { format } from '../language/format.ts';

/** The names of the fields from a row to a value. */
export type Path = readonly string[];

/** What a filter compares; `has` looks for a value in a list. */
export type Condition =
  | 'is'
  | 'is-not'
  | 'contains'
  | 'more'
  | 'at-least'
  | 'less'
  | 'at-most'
  | 'has'
  | 'null'
  | 'not-null'
  | 'missing'
  | 'exists';

export interface Filter {
  path: Path;
  condition: Condition;
  /** Absent for conditions without a value. */
  value?: string | number | boolean;
  /** The days of moments are compared, not the moments. */
  byDay?: boolean;
  /** Whether rows in which the field is null are left out first: comparing null fails. */
  skipsNull: boolean;
}

/** Parts of a moment by which rows are grouped, with their lengths in ISO 8601, characters. */
export const PERIODS = { year: 4, month: 7, day: 10 } as const;
export type Period = keyof typeof PERIODS;

export interface Grouping {
  path: Path;
  period?: Period;
  /** Whether values are converted to text: names of groups must be texts. */
  convertsToText: boolean;
}

export type Summary = 'count' | 'sum' | 'average' | 'min' | 'max';

/** What is computed of all rows, or of each group. */
export interface Measure {
  summary: Summary;
  /** The numbers; absent for `count`. */
  path?: Path;
  /** Whether nulls are left out, of which nothing can be computed. */
  skipsNull?: boolean;
}

export interface Order {
  /** A field of the rows, or of the groups. */
  path: Path;
  descending: boolean;
  /** Whether nulls are treated as missing, which come last: null has no order. */
  skipsNull?: boolean;
}

/** The steps of a simple expression: it filters rows, groups and measures them, and sorts what is left. */
export interface Steps {
  filters: readonly Filter[];
  grouping?: Grouping | undefined;
  measure?: Measure | undefined;
  order?: Order | undefined;
}

export const NO_STEPS: Steps = { filters: [] };

const OPERATORS: Partial<Record<Condition, string>> = {
  is: '=',
  'is-not': '!=',
  more: '>',
  'at-least': '>=',
  less: '<',
  'at-most': '<=',
};

function predicateOf({ path, condition, value, byDay = false, skipsNull }: Filter): string {
  const field = fieldBelow(path);
  const compared = byDay ? `$substring(${field}, 0, ${PERIODS.day})` : field;
  const literal = JSON.stringify(value ?? '');
  const guard = skipsNull ? `${field} != null and ` : '';
  switch (condition) {
    case 'contains':
      return `${guard}$contains($lowercase(${field}), $lowercase(${literal}))`;
    case 'has':
      return `${literal} in ${field}`;
    case 'null':
      return `${field} = null`;
    case 'not-null':
      return `${field} != null`;
    case 'missing':
      return `$not($exists(${field}))`;
    case 'exists':
      return `$exists(${field})`;
    default:
      return `${guard}${compared} ${OPERATORS[condition]} ${literal}`;
  }
}

function groupNameOf({ path, period, convertsToText }: Grouping): string {
  const field = convertsToText ? `$string(${fieldBelow(path)})` : fieldBelow(path);
  return period ? `$substring(${field}, 0, ${PERIODS[period]})` : field;
}

/** Returns the measure of groups: the number of rows unless another is chosen. */
export const groupMeasure = ({ measure }: Steps): Measure => measure ?? { summary: 'count' };

/** Returns the names of the fields of each group: its name, and its measure. */
export function groupColumns(
  grouping: Grouping,
  { summary, path }: Measure,
): { name: string; measure: string } {
  const last = path?.at(-1) ?? '';
  const measure = `${summary}${last.charAt(0).toUpperCase()}${last.slice(1)}`;
  const name = grouping.period ?? grouping.path.at(-1) ?? 'group';
  return { name: name === measure ? 'group' : name, measure };
}

function measured({ summary, path, skipsNull = false }: Measure, rows: string): string {
  if (path === undefined) return `$${summary}(${rows})`;
  const numbers = `${fieldBelow(path)}${skipsNull ? '[$ != null]' : ''}`;
  return `$${summary}(${rows === '$' ? '' : `${rows}.`}${numbers})`;
}

function ordered(text: string, order: Order | undefined): string {
  if (!order) return text;
  const field = fieldBelow(order.path);
  const key = order.skipsNull ? `(${field} != null ? ${field})` : field;
  return `${text}^(${order.descending ? '>' : '<'}${key})`;
}

/** Writes the steps as a JSONata expression over the rows; an empty text if there are none. */
export function writeSteps(steps: Steps): string {
  const { filters, grouping, order } = steps;
  const rows = `$${filters.map((filter) => `[${predicateOf(filter)}]`).join('')}`;
  let text: string;
  if (grouping) {
    const measure = groupMeasure(steps);
    const columns = groupColumns(grouping, measure);
    const members = `${JSON.stringify(columns.name)}: $group, ${JSON.stringify(columns.measure)}: $value`;
    const groups = `${rows}{${groupNameOf(grouping)}: ${measured(measure, '$')}}`;
    text = ordered(`$each(${groups}, function($value, $group) {{${members}}})`, order);
  } else if (steps.measure) text = measured(steps.measure, rows);
  else text = ordered(rows, order);
  if (text === '$') return '';
  const formatted = format(text);
  return formatted.ok ? formatted.text : text;
}
