import type { Node } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import { type Column, columnsOf, nameOf, type QueriedEntity } from './copied-columns.ts';
import { nameOfSql, type RowCondition } from './row-conditions.ts';

/** Longest slice that the database selects, rows. */
const MAX_LENGTH = 10_000;

/** The first rows that an expression needs: in the order of a column, or in that of the rows. */
interface Slice {
  length: number;
  order?: { column: Column; descending: boolean };
}

function literalNumber(node: Node): number | undefined {
  return node.type === 'number' && typeof node.value === 'number' && !node.predicate && !node.group
    ? Math.floor(node.value)
    : undefined;
}

/** Returns how many first items `[3]` or `[[0..9]]` needs; undefined for other predicates. */
function lengthOf(predicate: Node): number | undefined {
  const positions =
    predicate.type === 'unary' && predicate.value === '[' ? predicate.expressions : [predicate];
  let length = 0;
  for (const position of positions) {
    const isRange = position.type === 'binary' && position.value === '..';
    for (const end of isRange ? [position.lhs, position.rhs] : [position]) {
      const number = literalNumber(end);
      if (number === undefined || number < 0) return undefined;
      length = Math.max(length, number + 1);
    }
  }
  return length > 0 && length <= MAX_LENGTH ? length : undefined;
}

/** Returns the length of the slice that is a node's first stage. */
function firstStageLength(node: Node): number | undefined {
  const [first] = node.predicate ?? node.stages ?? [];
  return first?.type === 'filter' ? lengthOf(first.expr) : undefined;
}

/** Returns the column by which `^(…)` sorts; only one that has the same order in the database. */
function sortColumn(node: Node, entity: QueriedEntity): Slice['order'] {
  if (node.type !== 'sort' || node.terms.length !== 1) return undefined;
  const [{ expression, descending } = { expression: node, descending: false }] = node.terms;
  if (expression.type !== 'path' || expression.group || expression.keepSingletonArray) return undefined;
  const names = expression.steps.map((step) =>
    step.type === 'name' && !step.predicate && !step.stages && !step.group && !step.tuple
      ? step.value
      : undefined,
  );
  const column = columnsOf(entity).find(
    ({ path, kind }) =>
      (kind === 'number' || kind === 'instant') &&
      path.length === names.length &&
      path.every((name, index) => name === names[index]),
  );
  return column && { column, descending };
}

/** Returns whether a later step reads the input again. */
function readsInput(node: unknown): boolean {
  const text = JSON.stringify(node) ?? '';
  return /"value":"(\$|eval)"|"type":"parent"|"(tuple|focus|index|ancestor)":/.test(text);
}

function sliceOf(ast: Node, entity: QueriedEntity): Slice | undefined {
  const steps = ast.type === 'path' ? ast.steps : [ast];
  const [first, second] = steps;
  if (first?.type !== 'variable' || first.value !== '' || readsInput(ast)) return undefined;
  if (second?.type === 'sort' && !first.predicate && !first.stages && !first.group) {
    const order = sortColumn(second, entity);
    const length = firstStageLength(second);
    return order && length !== undefined ? { length, order } : undefined;
  }
  const length = firstStageLength(first);
  return length === undefined ? undefined : { length };
}

/**
 * Finds the condition for an expression that needs only the first rows: `$[[0..9]]`, or `$^(>column)[[0..9]]`. Rows whose
 * column does not show the value are selected as well.
 * @param rows what to select from, as `from … where …`
 * @param order the order of the rows
 */
export function rowSlice(
  ast: Node,
  entity: QueriedEntity,
  { rows, order }: { rows: SQL; order: SQL },
): RowCondition | undefined {
  const slice = sliceOf(ast, entity);
  if (!slice) return undefined;
  const { length } = slice;
  if (!slice.order) {
    const where = sql`(r.connection_id, r.id) in (select r.connection_id, r.id ${rows} order by ${order} limit ${length})`;
    return { where, text: `[[0..${length - 1}]]`, name: nameOfSql(where) };
  }
  const { column, descending } = slice.order;
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const first = sql`select r.connection_id, r.id ${rows} and not ${column.isUnknown} order by ${column.column} ${direction}, ${order} limit ${length}`;
  const where = sql`((r.connection_id, r.id) in (${first}) or ${column.isUnknown})`;
  const text = `^(${descending ? '>' : ''}${nameOf(column)})[[0..${length - 1}]]`;
  return { where, text, name: nameOfSql(where) };
}
