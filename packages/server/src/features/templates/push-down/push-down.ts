import { type SQL, sql } from 'drizzle-orm';
import { columnReach } from './column-reach.ts';
import { type Column, columnOf, columnsOf } from './columns.ts';
import { type Condition, isUseful } from './condition.ts';
import { documentReach } from './document-reach.ts';
import { ANYTHING, anyOf, type Claim, conjunction, disjunction, type Reach } from './logic.ts';
import type { Plan } from './plan.ts';

/**
 * Whether a document has escapes, some of which the database refuses to read: such a record is left to the engine.
 * The plainest collation makes the search several times faster.
 */
const IS_ODD = sql.raw(`(document collate "C") like '%\\\\u%'`);

/** Where the conditions may look: the columns alone, or the documents as well. */
type Depth = 'columns' | 'documents';

function reachOf(condition: Condition, columns: readonly Column[], depth: Depth): Reach {
  if (condition.kind === 'unknown') return ANYTHING;
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => reachOf(part, columns, depth));
    return condition.kind === 'and' ? conjunction(parts) : disjunction(parts);
  }
  const column = columnOf(columns, condition.path);
  const known = column && columnReach(condition, column);
  if (known !== undefined) return known;
  return depth === 'columns' ? ANYTHING : documentReach(condition);
}

function whereClause(claim: Claim): SQL {
  return claim === true ? sql`` : claim === false ? sql`where false` : sql`where ${claim}`;
}

/**
 * The rows of an 'all' template that the plan leaves, in order; undefined when the plan cannot be carried out. They
 * are a superset of what the expression selects, and hold every record for which it may fail.
 */
export function plannedRows(plan: Plan, entity: string, order: SQL): SQL | undefined {
  const columns = columnsOf(entity);
  if (plan.kind === 'count') return sql`select 'null' as stored, null::text[] as parts from r`;
  if (plan.kind === 'first') return firstRows(plan, columns, order);
  const mayBe = (depth: Depth): Claim =>
    anyOf(...plan.conditions.map((condition) => reachOf(condition, columns, depth).may));
  const may = mayBe('documents');
  if (may === true) return undefined;
  // The columns alone come first: they spare reading the documents of most records.
  const cheap = mayBe('columns');
  const isEnough = !plan.conditions.some((condition) => readsDocuments(condition, columns));
  const rest = isEnough ? true : sql`(case when ${IS_ODD} then true else ${may} end)`;
  if (rest === true) return sql`select stored, parts from r ${whereClause(cheap)} order by ${order}`;
  // Each document is put together once, where the columns have not left it out.
  return sql`select stored, parts from (
      select r.external_id, r.occurred_at, r.facets, r.facets_version, r.stored, r.parts, whole.document, whole.document::json as data
      from r cross join lateral (select r.document offset 0) whole ${whereClause(cheap)}
    ) r ${whereClause(rest)} order by ${order}`;
}

/** Conditions that the database is asked at most, of each record, and those among them that read its document. */
const MOST_CONDITIONS = { all: 32, ofDocuments: 6 } as const;

/** Whether the database can try all conditions of a plan in little time; else the engine does, within its limits. */
export function isCheap(plan: Plan, entity: string): boolean {
  if (plan.kind !== 'filter') return true;
  const columns = columnsOf(entity);
  const fields = plan.conditions.flatMap(fieldsOf);
  const ofDocuments = fields.filter((condition) => readsDocuments(condition, columns));
  return fields.length <= MOST_CONDITIONS.all && ofDocuments.length <= MOST_CONDITIONS.ofDocuments;
}

function fieldsOf(condition: Condition): Condition[] {
  return 'parts' in condition ? condition.parts.flatMap(fieldsOf) : [condition];
}

/** What the columns can tell of a plan; undefined: nothing. */
export function columnsAlone(plan: Plan, entity: string): Plan | undefined {
  if (plan.kind !== 'filter') return plan;
  const columns = columnsOf(entity);
  const known = (condition: Condition): Condition => {
    if ('parts' in condition) return { ...condition, parts: condition.parts.map(known) };
    return readsDocuments(condition, columns) ? { kind: 'unknown' } : condition;
  };
  const conditions = plan.conditions.map(known);
  return conditions.every(isUseful) ? { kind: 'filter', conditions } : undefined;
}

/** Whether the columns leave something of the condition to the documents. */
function readsDocuments(condition: Condition, columns: readonly Column[]): boolean {
  if ('parts' in condition) return condition.parts.some((part) => readsDocuments(part, columns));
  if (condition.kind === 'unknown') return false;
  const column = columnOf(columns, condition.path);
  return column === undefined || columnReach(condition, column) === undefined;
}

function firstRows(plan: Plan & { kind: 'first' }, columns: readonly Column[], order: SQL): SQL | undefined {
  const column = columnOf(columns, plan.path);
  if (column === undefined || plan.path.length > 1) return undefined;
  if (column.kind !== 'number' && column.kind !== 'instant') return undefined;
  const key = column.kind === 'instant' ? sql`(${column.value}) collate "C"` : column.value;
  const direction = sql.raw(plan.descending ? 'desc nulls last' : 'asc nulls last');
  const unsure = column.unsure === undefined ? sql`false` : sql`coalesce(${column.unsure}, false)`;
  const [top = ''] = plan.path;
  const type = column.kind === 'instant' ? sql`'string'` : sql`'number'`;
  // A key of another type fails in a way that depends on what it is compared with: then all records are needed.
  const isOdd = sql`case when not ${unsure} then false when ${IS_ODD} then true
    else json_typeof(data->${top}::text) is distinct from ${type} end`;
  return sql`select stored, parts from (
      select r.*, ${unsure} as unsure, bool_or(${isOdd}) over () as some_odd,
        row_number() over (partition by ${unsure} order by ${key} ${direction}, ${order}) as place
      from r
    ) r where some_odd or unsure or place <= ${plan.most} order by ${order}`;
}
