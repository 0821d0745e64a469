import { type SQL, sql } from 'drizzle-orm';
import { columnReach } from './column-reach.ts';
import { type Column, columnOf, columnsOf } from './columns.ts';
import type { Condition } from './condition.ts';
import { documentReach, type FieldReader } from './document-reach.ts';
import { ANYTHING, allOf, anyOf, type Claim, conjunction, disjunction, type Reach } from './logic.ts';
import type { Plan } from './plan.ts';

/** The fields at the top of the documents that conditions read: each is read once a record. */
class Fields {
  readonly #names: string[] = [];
  readonly read: FieldReader = (name) => {
    if (!this.#names.includes(name)) this.#names.push(name);
    return sql.raw(`f.c${this.#names.indexOf(name)}`);
  };

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  /** A relation `f`; it is not read where the document has escapes, some of which the database refuses to read. */
  get relation(): SQL {
    const columns = this.#names.map(
      (name, index) => sql`case when not g.odd then data->${name}::text end as ${sql.raw(`c${index}`)}`,
    );
    return sql`
      cross join lateral (select strpos(data::text, '\\u') > 0 as odd offset 0) g
      cross join lateral (select ${sql.join(columns, sql`, `)} offset 0) f`;
  }
}

function reachOf(condition: Condition, columns: readonly Column[], fields: Fields | undefined): Reach {
  if (condition.kind === 'unknown') return ANYTHING;
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => reachOf(part, columns, fields));
    return condition.kind === 'and' ? conjunction(parts) : disjunction(parts);
  }
  const column = columnOf(columns, condition.path);
  const known = column && columnReach(condition, column);
  if (known !== undefined) return known;
  return fields === undefined ? ANYTHING : documentReach(condition, fields.read);
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
  if (plan.kind === 'count') return sql`select 'null'::json as row from r`;
  if (plan.kind === 'first') return firstRows(plan, columns, order);
  const fields = new Fields();
  const may = anyOf(...plan.conditions.map((condition) => reachOf(condition, columns, fields).may));
  if (may === true) return undefined;
  if (fields.isEmpty) return sql`select data as row from r ${whereClause(may)} order by ${order}`;
  // The columns alone come first: they spare reading the documents of most records.
  const cheap = anyOf(...plan.conditions.map((condition) => reachOf(condition, columns, undefined).may));
  const inner = sql`select * from r ${whereClause(cheap)}`;
  return sql`select data as row from (${inner}) r ${fields.relation}
    ${whereClause(allOf(anyOf(sql`g.odd`, may)))} order by ${order}`;
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
  const isOdd = sql`case when not ${unsure} then false when strpos(data::text, '\\u') > 0 then true
    else json_typeof(data->${top}::text) is distinct from ${type} end`;
  return sql`select data as row from (
      select r.*, ${unsure} as unsure, bool_or(${isOdd}) over () as some_odd,
        row_number() over (partition by ${unsure} order by ${key} ${direction}, ${order}) as place
      from r
    ) r where some_odd or unsure or place <= ${plan.most} order by ${order}`;
}
