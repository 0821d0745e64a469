import { childrenOf, type Node } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import type { StoredEntity } from '../sync/index.ts';
import { type Column, columnsOf } from './copied-columns.ts';
import { PURE, parseSmall } from './row-conditions.ts';

/*
 * Which fields of the documents an expression reads. Where columns copy all of them, rows are built from the columns: a
 * tenth of the bytes, and nothing to parse but these fields.
 */

type Path = readonly string[];

/** The expression may read whole documents. */
class NeedsAll extends Error {}

/** Returns the names with which a path begins, none of them with a condition or a binding. */
function leadingNames(steps: readonly Node[]): string[] {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'name' || step.predicate || step.stages || step.group || step.tuple) break;
    names.push(step.value);
  }
  return names;
}

/** Collects the fields that a node reads whose context is all rows, or one of them. @throws NeedsAll */
function collect(node: Node, fields: Path[]): void {
  if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsAll();
  collectStages(node, fields);
  if (node.group) throw new NeedsAll();
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
      if (procedure.type !== 'variable' || !PURE.has(procedure.value) || args.length === 0)
        throw new NeedsAll();
      const [first] = args;
      const isCount = procedure.value === 'count' && args.length === 1 && first?.type === 'variable';
      if (isCount && first.value === '' && !first.group) collectStages(first, fields);
      else for (const arg of args) collect(arg, fields);
      return;
    }
    default:
      throw new NeedsAll();
  }
}

function collectStages(node: Node, fields: Path[]): void {
  for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])])
    if (stage.type === 'filter') collect(stage.expr, fields);
}

function collectPath([first, ...rest]: readonly Node[], fields: Path[]): void {
  if (!first) throw new NeedsAll();
  const isRows = first.type === 'variable' && first.value === '' && !first.group && !first.tuple;
  if (isRows) collectStages(first, fields);
  const names = leadingNames(isRows ? rest : [first, ...rest]);
  if (names.length === 0 || rest.some(looksUp)) throw new NeedsAll();
  fields.push(names);
}

/** Whether a node below a field may see more than the field. */
function looksUp(node: Node): boolean {
  if (node.type === 'parent' || node.type === 'variable' || node.tuple || node.focus || node.ancestor)
    return true;
  return childrenOf(node).some(looksUp);
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

/** The text of a row `r` with the fields that an expression reads; rows whose columns cannot tell them stay whole. */
export interface RowProjection {
  row: SQL;
  /** Names the fields: equal names mean equal rows of the same records. */
  name: string;
}

/** Finds the projection for an expression over the documents of an entity; undefined: it may read whole documents. */
export function rowProjection(expression: string, entity: StoredEntity): RowProjection | undefined {
  const ast = parseSmall(expression);
  const fields: Path[] = [];
  try {
    if (!ast) return undefined;
    collect(ast, fields);
  } catch (error) {
    if (error instanceof NeedsAll) return undefined;
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
  const isUnsure = sql.join([sql`false`, ...columns.map(({ unsure }) => unsure)], sql` or `);
  return {
    row: sql`case when ${isUnsure} then r.data::text else ${objectOf(columns)}::text end`,
    name: names.join(),
  };
}
