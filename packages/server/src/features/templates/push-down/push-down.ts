import { type SQL, sql } from 'drizzle-orm';
import type { StoredEntity } from '../../records/index.ts';
import { columnReach } from './column-reach.ts';
import { type Column, columnOf, columnsOf } from './columns.ts';
import { type Condition, isUseful } from './condition.ts';
import { ANYTHING, anyOf, conjunction, disjunction, type Reach } from './logic.ts';
import type { Plan } from './plan.ts';

function reachOf(condition: Condition, columns: readonly Column[]): Reach {
  if (condition.kind === 'unknown') return ANYTHING;
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => reachOf(part, columns));
    return condition.kind === 'and' ? conjunction(parts) : disjunction(parts);
  }
  const column = columnOf(columns, condition.path);
  return (column && columnReach(condition, column)) ?? ANYTHING;
}

/** Conditions that the database is asked at most, of each record. */
const MOST_CONDITIONS = 32;

function fieldsOf(condition: Condition): Condition[] {
  return 'parts' in condition ? condition.parts.flatMap(fieldsOf) : [condition];
}

/** What the columns can tell of a plan; undefined: nothing, or too much to ask. */
export function ofColumns(plan: Plan, entity: StoredEntity): Plan | undefined {
  const columns = columnsOf(entity);
  const known = (condition: Condition): Condition => {
    if ('parts' in condition) return { ...condition, parts: condition.parts.map(known) };
    const isKnown = condition.kind !== 'unknown' && reachOf(condition, columns) !== ANYTHING;
    return isKnown ? condition : { kind: 'unknown' };
  };
  const conditions = plan.conditions.map(known);
  if (conditions.flatMap(fieldsOf).length > MOST_CONDITIONS) return undefined;
  return conditions.every(isUseful) ? { conditions } : undefined;
}

/**
 * The condition that leaves the rows `r` a plan needs: a superset of what the expression selects, with every record for
 * which it may fail. Undefined: all are needed.
 */
export function whereOf(plan: Plan, entity: StoredEntity): SQL | undefined {
  const columns = columnsOf(entity);
  const may = anyOf(...plan.conditions.map((condition) => reachOf(condition, columns).may));
  if (may === true) return undefined;
  return may === false ? sql`false` : may;
}
