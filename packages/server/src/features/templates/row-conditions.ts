import { hash } from 'node:crypto';
import { childrenOf, type Node, parse } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { StoredEntity } from '../sync/index.ts';
import { type Column, columnsOf, nameOf } from './copied-columns.ts';

/*
 * Which documents an expression needs, as far as the columns of their table tell. The condition never leaves out a document
 * that the expression selects, or for which it fails: the engine still evaluates the whole expression.
 */

/** Values of variables that the caller binds. */
type Bindings = Readonly<Record<string, unknown>>;

/** The condition on the row `r` that leaves the documents an expression needs. */
export interface RowCondition {
  where: SQL;
  /** The condition as an expression. */
  text: string;
  /** Names the rows: equal names mean equal rows of the same records. */
  name: string;
}

/** Longer expressions, and larger or deeper syntax trees, are left to the engine: this runs on the main thread. */
const LONGEST = 2000;
const MOST_NODES = 2000;
const DEEPEST = 60;
/** Operators that the parser takes quadratic time for: `%` and `**`. */
const MOST_STEEP = 20;
/** Comparisons that the database makes for each row at most. */
const MOST_COMPARISONS = 32;

/** Functions that see their arguments alone when they have one or more. */
export const PURE = new Set(
  'count sum max min average distinct reverse exists not boolean string number round abs floor ceil sqrt length uppercase lowercase trim sort join append merge keys zip type'.split(
    ' ',
  ),
);

/** A part of a predicate. */
interface Reach {
  /** The row may make it true, or fail. */
  may: SQL;
  /** The row may make it fail; undefined: none does. */
  fails?: SQL;
  text: string;
}

type Scalar = string | number | boolean;
type Stage = NonNullable<Node['stages']>[number];

/** The expression uses the rows in a way that may need all of them. */
class NeedsAll extends Error {}

const ORDERS: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Finds the condition for an expression over the documents of an entity; undefined: it may need all. */
export function rowCondition(
  expression: string,
  bindings: Bindings,
  entity: StoredEntity,
): RowCondition | undefined {
  const ast = parseSmall(expression);
  if (!ast) return undefined;
  try {
    const search = new Search(bindings, entity);
    search.visit(ast);
    const found = search.selections;
    const parts = found.map(({ may }) => may);
    if (parts.length === 0 || search.comparisons > MOST_COMPARISONS) return undefined;
    const where = sql`(${sql.join(parts, sql` or `)})`;
    const query = new PgDialect().sqlToQuery(where);
    const name = hash('sha256', JSON.stringify([query.sql, query.params]), 'base64url');
    return { where, text: [...new Set(found.map(({ text }) => text))].join(' or '), name };
  } catch (error) {
    if (error instanceof NeedsAll) return undefined;
    throw error;
  }
}

/** Parses an expression that can be walked in little time; undefined for others. */
export function parseSmall(expression: string): Node | undefined {
  if (expression.length > LONGEST || /\?[?:]/.test(expression)) return undefined;
  if ((expression.match(/%|\*\*/g)?.length ?? 0) > MOST_STEEP) return undefined;
  let ast: Node;
  try {
    ast = parse(expression);
  } catch {
    // The engine says what is wrong.
    return undefined;
  }
  let count = 0;
  for (let level: Node[] = [ast], depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > MOST_NODES || depth > DEEPEST) return undefined;
    level = level.flatMap(childrenOf);
  }
  return ast;
}

function isBare(node: Node): boolean {
  return !(node.predicate || node.stages || node.group || node.keepArray || node.tuple || node.focus);
}

function exprOf(stage: Stage): Node[] {
  return stage.type === 'filter' ? [stage.expr] : [];
}

/** Whether a node below a selection may see more than the items it is given. */
function looksOutside(node: Node): boolean {
  if (node.type === 'parent' || node.tuple || node.focus || node.index || node.ancestor) return true;
  if (node.type === 'variable' && (node.value === '$' || node.value === 'eval')) return true;
  return childrenOf(node).some(looksOutside);
}

/** Walks the parts that see all rows as their context, and collects how each of them selects some. */
class Search {
  readonly selections: Reach[] = [];
  comparisons = 0;
  readonly #columns: readonly Column[];
  readonly #bindings: Bindings;

  constructor(bindings: Bindings, entity: StoredEntity) {
    this.#bindings = bindings;
    this.#columns = columnsOf(entity);
  }

  /** @throws NeedsAll */
  visit(node: Node): void {
    if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsAll();
    for (const part of this.#partsOf(node)) this.visit(part);
    const below = [...(node.predicate ?? []), ...(node.stages ?? [])].flatMap(exprOf);
    if ([...below, ...(node.group?.lhs.flat() ?? [])].some(looksOutside)) throw new NeedsAll();
  }

  /** Returns the parts that see all rows as well. @throws NeedsAll */
  #partsOf(node: Node): readonly Node[] {
    switch (node.type) {
      case 'string':
      case 'number':
      case 'value':
        return [];
      case 'variable':
        if (node.value === 'eval') throw new NeedsAll();
        if (node.value === '' || node.value === '$') this.selections.push(this.#selection(node));
        return [];
      case 'path': {
        const [first, ...rest] = node.steps;
        if (first?.type !== 'variable' || rest.some(looksOutside)) throw new NeedsAll();
        return [first];
      }
      case 'binary':
      case 'condition':
      case 'block':
        return childrenOf(node);
      case 'unary':
        if (node.value !== '{') return childrenOf(node);
        if (node.lhs.some(([key]) => key.type !== 'string')) throw new NeedsAll();
        return node.lhs.map(([, value]) => value);
      case 'function': {
        const { procedure, arguments: args } = node;
        const name = procedure.type === 'variable' && !procedure.predicate ? procedure.value : '';
        if (!PURE.has(name) || args.length === 0 || Object.hasOwn(this.#bindings, name)) throw new NeedsAll();
        return args;
      }
      default:
        throw new NeedsAll();
    }
  }

  /** The condition by which `$[…][…]` selects: that of its first filters, as far as columns tell. @throws NeedsAll */
  #selection(node: Node): Reach {
    const filters: Reach[] = [];
    for (const stage of node.predicate ?? node.stages ?? []) {
      const reach = stage.type === 'filter' ? this.#reachOf(stage.expr) : undefined;
      if (!reach) break;
      filters.push(reach);
    }
    const reach = conjunction(filters);
    if (!reach) throw new NeedsAll();
    return reach;
  }

  /** Reads a part of a predicate; undefined where columns do not tell, and for positions. */
  #reachOf(node: Node): Reach | undefined {
    if (!isBare(node)) return undefined;
    if (node.type === 'block' && node.expressions.length === 1)
      return this.#reachOf(node.expressions[0] as Node);
    if (node.type === 'function') return this.#contains(node);
    if (node.type !== 'binary') return undefined;
    const { value: operator, lhs, rhs } = node;
    if (operator === 'and') {
      const left = this.#reachOf(lhs);
      // Behind a part that columns cannot tell nothing counts: that part may fail first.
      const right = left && this.#reachOf(rhs);
      return right ? conjunction([left, right]) : left;
    }
    if (operator === 'or') return disjunction([this.#reachOf(lhs), this.#reachOf(rhs)]);
    if (operator === 'in') return this.#membership(lhs, rhs);
    const right = this.#scalarOf(rhs);
    if (right !== undefined) return this.#comparison(operator, lhs, right);
    const left = this.#scalarOf(lhs);
    return left === undefined ? undefined : this.#comparison(ORDERS[operator] ?? operator, rhs, left);
  }

  #scalarOf(node: Node): Scalar | undefined {
    if (!isBare(node)) return undefined;
    let value: unknown;
    if (node.type === 'string' || node.type === 'number' || node.type === 'value') value = node.value;
    else if (node.type === 'variable' && Object.hasOwn(this.#bindings, node.value))
      value = this.#bindings[node.value];
    if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed() ? value : undefined;
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    return typeof value === 'boolean' ? value : undefined;
  }

  #columnOf(node: Node): Column | undefined {
    if (node.type !== 'path' || !isBare(node) || node.keepSingletonArray) return undefined;
    const names = node.steps.map((step) => (step.type === 'name' && isBare(step) ? step.value : undefined));
    return this.#columns.find(
      ({ path }) => path.length === names.length && path.every((name, index) => name === names[index]),
    );
  }

  #comparison(operator: string, field: Node, value: Scalar): Reach | undefined {
    const column = this.#columnOf(field);
    if (!column) return undefined;
    const { kind, value: stored, unsure } = column;
    const text = `${nameOf(column)} ${operator} ${JSON.stringify(value)}`;
    this.comparisons++;
    if (operator === '=' && typeof value === (kind === 'instant' ? 'string' : kind))
      return { may: sql`(${stored} = ${value} or ${unsure})`, text };
    if (operator === '!=' && typeof value === 'string' && (kind === 'string' || kind === 'instant'))
      return { may: sql`(${stored} <> ${value} or ${unsure})`, text };
    if (!Object.hasOwn(ORDERS, operator)) return undefined;
    const order = sql.raw(operator);
    if (kind === 'number' && typeof value === 'number')
      return { may: sql`(${stored} ${order} ${value} or ${unsure})`, fails: unsure, text };
    // ASCII is ordered alike by code points (the database) and by UTF-16 units (the engine).
    if (kind === 'instant' && typeof value === 'string' && /^[ -~]*$/.test(value))
      return { may: sql`((${stored}) collate "C" ${order} ${value} or ${unsure})`, fails: unsure, text };
    return undefined;
  }

  /** `value in path` and `path in [value, …]`. */
  #membership(lhs: Node, rhs: Node): Reach | undefined {
    const item = this.#scalarOf(lhs);
    const list = this.#columnOf(rhs);
    if (typeof item === 'string' && list?.kind === 'list') {
      this.comparisons++;
      const text = `${JSON.stringify(item)} in ${nameOf(list)}`;
      return { may: sql`(${list.value} @> array[${item}::text] or ${list.unsure})`, text };
    }
    if (rhs.type !== 'unary' || rhs.value !== '[' || !isBare(rhs)) return undefined;
    const values = rhs.expressions.map((each) => this.#scalarOf(each));
    return disjunction(
      values.map((value) => (value === undefined ? undefined : this.#comparison('=', lhs, value))),
    );
  }

  /** `$contains(path, text)`. */
  #contains({ procedure, arguments: args }: Node & { type: 'function' | 'partial' }): Reach | undefined {
    const [field, wanted] = args;
    if (procedure.type !== 'variable' || procedure.value !== 'contains' || !isBare(procedure))
      return undefined;
    if (!field || !wanted || args.length > 2 || Object.hasOwn(this.#bindings, 'contains')) return undefined;
    const [column, value] = [this.#columnOf(field), this.#scalarOf(wanted)];
    if (column?.kind !== 'string' || typeof value !== 'string') return undefined;
    this.comparisons++;
    const text = `$contains(${nameOf(column)}, ${JSON.stringify(value)})`;
    return {
      may: sql`(strpos(${column.value}, ${value}) > 0 or ${column.unsure})`,
      fails: column.unsure,
      text,
    };
  }
}

/** All parts may be true, or one may fail before another is false: what follows a false part is never evaluated. */
function conjunction(parts: readonly Reach[]): Reach | undefined {
  const [first, ...rest] = parts;
  if (!first) return undefined;
  return rest.reduce<Reach>((before, { may, fails, text }) => {
    const mayOrFailed = before.fails ? sql`(${may} or ${before.fails})` : may;
    const failing = [before.fails, fails].filter((one) => one !== undefined);
    return {
      may: sql`(${before.may} and ${mayOrFailed})`,
      ...(failing.length > 0 && { fails: sql`(${sql.join(failing, sql` or `)})` }),
      text: `${before.text} and ${text}`,
    };
  }, first);
}

function disjunction(parts: readonly (Reach | undefined)[]): Reach | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0 || known.length < parts.length) return undefined;
  const failing = known.flatMap(({ fails }) => fails ?? []);
  return {
    may: sql`(${sql.join(
      known.map(({ may }) => may),
      sql` or `,
    )})`,
    ...(failing.length > 0 && { fails: sql`(${sql.join(failing, sql` or `)})` }),
    text: `(${known.map(({ text }) => text).join(' or ')})`,
  };
}
