import { childrenOf, type Node } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import type { StoredEntity } from '../sync/index.ts';
import { type Column, columnsOf } from './copied-columns.ts';
import { PURE_FUNCTIONS, parseSmall } from './row-conditions.ts';

/*
 * Finds which document fields an expression reads. If columns copy all of them, rows are built from the columns: about
 * a tenth of the bytes, and less to parse.
 */

type Path = readonly string[];

/** Thrown when the expression may read whole documents. */
class NeedsWholeDocuments extends Error {}

/** Returns the leading names of a path, up to the first step with a condition or binding. */
function leadingNames(steps: readonly Node[]): string[] {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'name' || step.predicate || step.stages || step.group || step.tuple) break;
    names.push(step.value);
  }
  return names;
}

/** Collects the fields read by a node whose context is all rows or one of them. @throws NeedsWholeDocuments */
function collect(node: Node, fields: Path[]): void {
  if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsWholeDocuments();
  collectStages(node, fields);
  if (node.group) throw new NeedsWholeDocuments();
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      return;
    case 'path':
      collectPath(node.steps, fields);
      return;
    case 'binary':
    case 'condition':
    case 'block':
      for (const child of childrenOf(node)) collect(child, fields);
      return;
    case 'function': {
      const { procedure, arguments: args } = node;
      if (procedure.type !== 'variable' || !PURE_FUNCTIONS.has(procedure.value) || args.length === 0)
        throw new NeedsWholeDocuments();
      const [first] = args;
      const isCount = procedure.value === 'count' && args.length === 1 && first?.type === 'variable';
      if (isCount && first.value === '' && !first.group) collectStages(first, fields);
      else for (const arg of args) collect(arg, fields);
      return;
    }
    default:
      throw new NeedsWholeDocuments();
  }
}

/** Collects the fields read by the filters of a node. @throws NeedsWholeDocuments */
function collectStages(node: Node, fields: Path[]): void {
  for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])])
    if (stage.type === 'filter') collect(stage.expr, fields);
}

/** Collects the field of a path and the fields read by filters of `$`. @throws NeedsWholeDocuments */
function collectPath([first, ...rest]: readonly Node[], fields: Path[]): void {
  if (!first) throw new NeedsWholeDocuments();
  const isRows = first.type === 'variable' && first.value === '' && !first.group && !first.tuple;
  if (isRows) collectStages(first, fields);
  const names = leadingNames(isRows ? rest : [first, ...rest]);
  if (names.length === 0 || rest.some(mayReadOutsideField)) throw new NeedsWholeDocuments();
  fields.push(names);
}

/** Returns whether a node below a field may read outside the field: by any variable, including calls, or by `%`. */
function mayReadOutsideField(node: Node): boolean {
  if (node.type === 'parent' || node.type === 'variable' || node.tuple || node.focus || node.ancestor)
    return true;
  return childrenOf(node).some(mayReadOutsideField);
}

/** Builds a JSON object from columns by their paths. */
function objectOf(columns: readonly { path: Path; value: SQL }[]): SQL {
  const names = [...new Set(columns.map(({ path }) => path[0] ?? ''))];
  const members = names.map((name) => {
    const below = columns.filter(({ path }) => path[0] === name);
    const [only] = below;
    const value =
      only?.path.length === 1
        ? only.value
        : objectOf(below.map(({ path, value }) => ({ path: path.slice(1), value })));
    return sql`${name}::text, ${value}`;
  });
  return sql`json_build_object(${sql.join(members, sql`, `)})`;
}

/** Selects a row `r` reduced to the fields that an expression reads; a row stays whole if one of its columns `isUnknown`. */
export interface RowProjection {
  row: SQL;
  /** Cache key: equal names mean equal rows in the same data version. */
  name: string;
}

/** Returns the projection for an expression over an entity's rows; undefined if it may read fields that no column copies. */
export function rowProjection(expression: string, entity: StoredEntity): RowProjection | undefined {
  const ast = parseSmall(expression);
  const fields: Path[] = [];
  try {
    if (!ast) return undefined;
    collect(ast, fields);
  } catch (error) {
    if (error instanceof NeedsWholeDocuments) return undefined;
    throw error;
  }
  const known = columnsOf(entity);
  const names = [...new Set(fields.map((path) => JSON.stringify(path)))].sort();
  const columns: Column[] = [];
  for (const name of names) {
    const column = known.find(({ path }) => JSON.stringify(path) === name);
    if (!column) return undefined;
    columns.push(column);
  }
  const isUnknownRow = sql.join([sql`false`, ...columns.map(({ isUnknown }) => isUnknown)], sql` or `);
  return {
    row: sql`case when ${isUnknownRow} then r.data::text else ${objectOf(columns)}::text end`,
    name: names.join(),
  };
}
