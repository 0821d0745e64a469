import type {
  DocumentCondition,
  DocumentEntity,
  DocumentTemplate,
} from '@datadeck/contract/connector-document';
import { allDocuments, instantText, percentile, type TemplateDefinition } from '../sdk/index.ts';
import type { ShownNames } from './stored-names.ts';

type RowsTemplate = Extract<DocumentTemplate, { kind: 'rows' }>;
type GroupTemplate = Extract<DocumentTemplate, { kind: 'groups' }>;
type Columns = DocumentEntity['columns'];

/** What a template reads: the table with its columns, and the names under which people see them. */
interface Read {
  table: string;
  columns: Columns;
  shownAs(name: string): string;
}

/** Formats of the text of a period. */
const PERIODS = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM', year: 'YYYY' } as const;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Returns the SQL of a value, without semicolons: templates are one statement, which is checked by their absence. */
function literal(value: DocumentCondition['value']): string {
  if (typeof value !== 'string') return String(value);
  const parts = value.split(';').map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' || chr(59) || ')})`;
}

/** Returns the expression for a column as a row shows it: times as ISO texts. */
function shown(sql: string, type: string | undefined): string {
  return type === 'time' ? instantText(sql) : sql;
}

function conditionSql({ column, is, value }: DocumentCondition): string {
  const name = quoted(column);
  switch (is) {
    case 'equal':
      return `${name} = ${literal(value)}`;
    case 'not-equal':
      return `${name} is distinct from ${literal(value)}`;
    case 'set':
      return `${name} is not null`;
    case 'unset':
      return `${name} is null`;
    case 'at-least':
      return `${name} >= ${literal(value)}`;
    case 'at-most':
      return `${name} <= ${literal(value)}`;
    case 'older-than-days':
      return `${name} < now() - interval '1 day' * ${Number(value)}`;
    case 'within-days':
      return `${name} >= now() - interval '1 day' * ${Number(value)}`;
  }
}

const changesWithTime = (where: readonly DocumentCondition[]) =>
  where.some(({ is }) => is === 'older-than-days' || is === 'within-days')
    ? { changesWithTime: true as const }
    : {};

function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

function orderSql(orderBy: GroupTemplate['orderBy'], last: string): string {
  const terms = orderBy.map(({ by, descending }) => `${quoted(by)}${descending ? ' desc nulls last' : ''}`);
  return ` order by ${[...terms, last].join(', ')}`;
}

function measureSql({ name, of, column }: GroupTemplate['measures'][number], columns: Columns): string {
  const sql = column === undefined ? '*' : quoted(column);
  const type = column === undefined ? undefined : columns[column]?.type;
  const value = {
    count: `count(${sql})`,
    sum: `sum(${sql})`,
    average: `round(avg(${sql})::numeric, 1)`,
    median: percentile(0.5, sql),
    least: shown(`min(${sql})`, type),
    most: shown(`max(${sql})`, type),
  }[of];
  return `${value} as ${quoted(name)}`;
}

function groupsSql(template: GroupTemplate, { table, columns, shownAs }: Read): string {
  const { by, per, where, measures, orderBy } = template;
  const type = columns[by]?.type;
  const conditions = where.map(conditionSql);
  const isList = type === 'texts';
  const period = per && `to_char(${quoted(by)} at time zone 'UTC', '${PERIODS[per]}')`;
  const group = isList ? '_item' : (period ?? shown(quoted(by), type));
  const from = isList ? `${table}, unnest(${quoted(by)}) _item` : table;
  const name = quoted(shownAs(by));
  const selected = [`${group} as ${name}`, ...measures.map((measure) => measureSql(measure, columns))];
  // A row of the result, so that its columns may be ordered by their own names.
  const rows = `select ${selected.join(', ')} from ${from}${whereSql(conditions)} group by ${group}`;
  return `select * from (${rows}) grouped${orderSql(orderBy, name)}`;
}

function rowsSql(
  { columns: names, where, orderBy }: RowsTemplate,
  { table, columns, shownAs }: Read,
): string {
  const selected = names.map(
    (name) => `${shown(quoted(name), columns[name]?.type)} as ${quoted(shownAs(name))}`,
  );
  // The columns of the table order, not the texts that are shown.
  const terms = orderBy.map(({ by, descending }) => `t.${quoted(by)}${descending ? ' desc nulls last' : ''}`);
  const conditions = whereSql(where.map(conditionSql));
  return `select ${selected.join(', ')} from ${table} t${conditions} order by ${[...terms, 't.id'].join(', ')}`;
}

function templateOf(template: DocumentTemplate, read: Read): TemplateDefinition {
  const { key, title, description } = template;
  if (template.kind === 'records')
    return allDocuments({ key, title, description, columns: template.columns });
  const sql = template.kind === 'rows' ? rowsSql(template, read) : groupsSql(template, read);
  return { key, title, description, kind: 'rows', sql, ...changesWithTime(template.where) };
}

/** Returns the templates that an entity of a document describes. */
export function templatesOf(
  { templates, columns }: DocumentEntity,
  table: string,
  shown: ShownNames,
): TemplateDefinition[] {
  const shownAs = (name: string) => shown.get(name) ?? name;
  return templates.map((template) => templateOf(template, { table, columns, shownAs }));
}
