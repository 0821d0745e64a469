import { hash } from 'node:crypto';
import { isStorable } from '@datadeck/connectors';
import { childrenOf, type Node, parse } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { type Column, columnsOf, nameOf, type QueriedEntity } from './copied-columns.ts';

/*
 * Finds which rows the database may leave out, as far as their columns show. The condition keeps every document that
 * the expression selects or fails on; the engine still evaluates the whole expression.
 */

/** Values of the variables that the caller binds. */
type Bindings = Readonly<Record<string, unknown>>;

/** A condition on the row `r` that keeps the documents that an expression needs. */
export interface RowCondition {
  where: SQL;
  /** The condition in JSONata syntax. */
  text: string;
  /** Cache key: equal names mean equal rows in the same data version. */
  name: string;
}

/** Expressions beyond these limits get no condition, because they are analysed on the main thread. */
const MAX_LENGTH = 2000;
const MAX_NODES = 2000;
const MAX_DEPTH = 60;
/** Maximum number of `%` and `**` operators: the parser needs quadratic time for them. */
const MAX_QUADRATIC_OPERATORS = 20;
/** Maximum number of comparisons per row in the database. */
const MAX_COMPARISONS = 32;

/** Functions that read only their arguments if they have any. */
const PURE_FUNCTIONS = new Set(
  'count sum max min average distinct reverse exists not boolean string number round abs floor ceil sqrt length uppercase lowercase trim sort join append merge keys zip type'.split(
    ' ',
  ),
);

/** The SQL conditions for one part of a predicate. */
interface PartialCondition {
  /** The row may make the part true, or make it fail. */
  mayMatch: SQL;
  /** The row may make the part fail; undefined if none can. */
  mayFail?: SQL;
  /** Whether a part follows that columns cannot decide. It may fail first, so no later part may leave rows out. */
  isOpen?: boolean;
  text: string;
}

type Scalar = string | number | boolean;
type Stage = NonNullable<Node['stages']>[number];

/** Thrown when the expression may need all rows. */
class NeedsAllRows extends Error {}

/** Comparison operators with their operands swapped. */
const MIRRORED_OPERATORS: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Finds the row condition for an expression over an entity's documents; returns undefined when it may need all rows. */
export function rowCondition(ast: Node, bindings: Bindings, entity: QueriedEntity): RowCondition | undefined {
  try {
    const collector = new SelectionCollector(bindings, entity);
    collector.visit(ast);
    const found = collector.selections;
    const parts = found.map(({ mayMatch }) => mayMatch);
    if (parts.length === 0 || collector.comparisons > MAX_COMPARISONS) return undefined;
    const where = sql`(${sql.join(parts, sql` or `)})`;
    return { where, text: [...new Set(found.map(({ text }) => text))].join(' or '), name: nameOfSql(where) };
  } catch (error) {
    if (error instanceof NeedsAllRows) return undefined;
    throw error;
  }
}

/** Returns a name that only an equal statement has. */
export function nameOfSql(statement: SQL): string {
  const query = new PgDialect().sqlToQuery(statement);
  return hash('sha256', JSON.stringify([query.sql, query.params]), 'base64url');
}

/** Parses an expression; returns undefined for an invalid one and for one that is too large to analyse. */
export function parseSmall(expression: string): Node | undefined {
  if (expression.length > MAX_LENGTH || /\?[?:]/.test(expression)) return undefined;
  if ((expression.match(/%|\*\*/g)?.length ?? 0) > MAX_QUADRATIC_OPERATORS) return undefined;
  let ast: Node;
  try {
    ast = parse(expression);
  } catch {
    // The engine reports the error.
    return undefined;
  }
  let count = 0;
  for (let level: Node[] = [ast], depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > MAX_NODES || depth > MAX_DEPTH) return undefined;
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

/** Returns whether a node below a selection may read rows other than the selected ones. */
function mayReadOtherRows(node: Node): boolean {
  if (node.type === 'parent' || node.tuple || node.focus || node.index || node.ancestor) return true;
  if (node.type === 'variable' && (node.value === '$' || node.value === 'eval')) return true;
  return childrenOf(node).some(mayReadOtherRows);
}

/** Visits the parts whose context is all rows, and collects the conditions by which they select some. */
class SelectionCollector {
  readonly selections: PartialCondition[] = [];
  comparisons = 0;
  readonly #columns: readonly Column[];
  readonly #bindings: Bindings;

  constructor(bindings: Bindings, entity: QueriedEntity) {
    this.#bindings = bindings;
    this.#columns = columnsOf(entity);
  }

  /** Collects the selections of a node. @throws NeedsAllRows */
  visit(node: Node): void {
    if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsAllRows();
    for (const part of this.#partsOf(node)) this.visit(part);
    const below = [...(node.predicate ?? []), ...(node.stages ?? [])].flatMap(exprOf);
    if ([...below, ...(node.group?.lhs.flat() ?? [])].some(mayReadOtherRows)) throw new NeedsAllRows();
  }

  /** Returns the child nodes whose context is all rows, too. @throws NeedsAllRows */
  #partsOf(node: Node): readonly Node[] {
    switch (node.type) {
      case 'string':
      case 'number':
      case 'value':
        return [];
      case 'variable':
        if (node.value === 'eval') throw new NeedsAllRows();
        if (node.value === '' || node.value === '$') this.selections.push(this.#selection(node));
        return [];
      case 'path': {
        const [first, ...rest] = node.steps;
        if (first?.type !== 'variable' || rest.some(mayReadOtherRows)) throw new NeedsAllRows();
        return [first];
      }
      case 'binary':
      case 'condition':
      case 'block':
        return childrenOf(node);
      case 'unary':
        if (node.value !== '{') return childrenOf(node);
        if (node.lhs.some(([key]) => key.type !== 'string')) throw new NeedsAllRows();
        return node.lhs.map(([, value]) => value);
      case 'function': {
        const { procedure, arguments: args } = node;
        const name = procedure.type === 'variable' && !procedure.predicate ? procedure.value : '';
        if (!PURE_FUNCTIONS.has(name) || args.length === 0 || Object.hasOwn(this.#bindings, name))
          throw new NeedsAllRows();
        return args;
      }
      default:
        throw new NeedsAllRows();
    }
  }

  /** Returns the condition of `$[…][…]`: that of its leading filters that columns can decide. @throws NeedsAllRows */
  #selection(node: Node): PartialCondition {
    const filters: PartialCondition[] = [];
    for (const stage of node.predicate ?? node.stages ?? []) {
      const condition = stage.type === 'filter' ? this.#conditionOf(stage.expr) : undefined;
      if (!condition) break;
      filters.push(condition);
    }
    const condition = conjunction(filters);
    if (!condition) throw new NeedsAllRows();
    return condition;
  }

  /** Returns the condition for a part of a predicate; undefined if columns cannot decide it, and for positions. */
  #conditionOf(node: Node): PartialCondition | undefined {
    if (!isBare(node)) return undefined;
    if (node.type === 'block' && node.expressions.length === 1)
      return this.#conditionOf(node.expressions[0] as Node);
    if (node.type === 'function') return this.#contains(node);
    if (node.type !== 'binary') return undefined;
    const { value: operator, lhs, rhs } = node;
    if (operator === 'and') {
      const left = this.#conditionOf(lhs);
      // After a part that columns cannot decide, conditions are not allowed: that part may fail first.
      const right = left && this.#conditionOf(rhs);
      return left && (right ? conjunction([left, right]) : { ...left, isOpen: true });
    }
    if (operator === 'or') return disjunction([this.#conditionOf(lhs), this.#conditionOf(rhs)]);
    if (operator === 'in') return this.#membership(lhs, rhs);
    const right = this.#scalarOf(rhs);
    if (right !== undefined) return this.#comparison(operator, lhs, right);
    const left = this.#scalarOf(lhs);
    return left === undefined
      ? undefined
      : this.#comparison(MIRRORED_OPERATORS[operator] ?? operator, rhs, left);
  }

  #scalarOf(node: Node): Scalar | undefined {
    if (!isBare(node)) return undefined;
    let value: unknown;
    if (node.type === 'string' || node.type === 'number' || node.type === 'value') value = node.value;
    else if (node.type === 'variable' && Object.hasOwn(this.#bindings, node.value))
      value = this.#bindings[node.value];
    if (typeof value === 'string') return isStorable(value) ? value : undefined;
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

  #comparison(operator: string, field: Node, value: Scalar): PartialCondition | undefined {
    const column = this.#columnOf(field);
    if (!column) return undefined;
    const { kind, value: stored, isUnknown } = column;
    const text = `${nameOf(column)} ${operator} ${JSON.stringify(value)}`;
    this.comparisons++;
    if (operator === '=' && typeof value === (kind === 'instant' ? 'string' : kind))
      return { mayMatch: sql`(${stored} = ${value} or ${isUnknown})`, text };
    if (operator === '!=' && typeof value === 'string' && (kind === 'string' || kind === 'instant'))
      return { mayMatch: sql`(${stored} <> ${value} or ${isUnknown})`, text };
    if (!Object.hasOwn(MIRRORED_OPERATORS, operator)) return undefined;
    const order = sql.raw(operator);
    if (kind === 'number' && typeof value === 'number')
      return { mayMatch: sql`(${stored} ${order} ${value} or ${isUnknown})`, mayFail: isUnknown, text };
    // In ASCII, code points (database) and UTF-16 units (engine) have the same order.
    if (kind === 'instant' && typeof value === 'string' && /^[ -~]*$/.test(value))
      return {
        mayMatch: sql`((${stored}) collate "C" ${order} ${value} or ${isUnknown})`,
        mayFail: isUnknown,
        text,
      };
    return undefined;
  }

  /** Handles `value in path` and `path in [value, …]`. */
  #membership(lhs: Node, rhs: Node): PartialCondition | undefined {
    const item = this.#scalarOf(lhs);
    const list = this.#columnOf(rhs);
    if (typeof item === 'string' && list?.kind === 'list') {
      this.comparisons++;
      const text = `${JSON.stringify(item)} in ${nameOf(list)}`;
      return { mayMatch: sql`(${list.value} @> array[${item}::text] or ${list.isUnknown})`, text };
    }
    if (rhs.type !== 'unary' || rhs.value !== '[' || !isBare(rhs)) return undefined;
    const values = rhs.expressions.map((each) => this.#scalarOf(each));
    return disjunction(
      values.map((value) => (value === undefined ? undefined : this.#comparison('=', lhs, value))),
    );
  }

  /** Handles `$contains(path, text)`. */
  #contains({
    procedure,
    arguments: args,
  }: Node & { type: 'function' | 'partial' }): PartialCondition | undefined {
    const [field, wanted] = args;
    if (procedure.type !== 'variable' || procedure.value !== 'contains' || !isBare(procedure))
      return undefined;
    if (!field || !wanted || args.length > 2 || Object.hasOwn(this.#bindings, 'contains')) return undefined;
    const [column, value] = [this.#columnOf(field), this.#scalarOf(wanted)];
    if (column?.kind !== 'string' || typeof value !== 'string') return undefined;
    this.comparisons++;
    const text = `$contains(${nameOf(column)}, ${JSON.stringify(value)})`;
    return {
      mayMatch: sql`(strpos(${column.value}, ${value}) > 0 or ${column.isUnknown})`,
      mayFail: column.isUnknown,
      text,
    };
  }
}

/**
 * Combines parts with AND: all may be true, or one may fail before another is false, since evaluation stops at a false
 * part.
 */
function conjunction(parts: readonly PartialCondition[]): PartialCondition | undefined {
  const [first, ...rest] = parts;
  if (!first) return undefined;
  return rest.reduce<PartialCondition>((before, { mayMatch, mayFail, text, isOpen = false }) => {
    if (before.isOpen) return before;
    const mayOrFailed = before.mayFail ? sql`(${mayMatch} or ${before.mayFail})` : mayMatch;
    const failing = [before.mayFail, mayFail].filter((one) => one !== undefined);
    return {
      mayMatch: sql`(${before.mayMatch} and ${mayOrFailed})`,
      ...(failing.length > 0 && { mayFail: sql`(${sql.join(failing, sql` or `)})` }),
      text: `${before.text} and ${text}`,
      isOpen,
    };
  }, first);
}

/** Combines parts with OR; undefined unless every part has a condition. */
function disjunction(parts: readonly (PartialCondition | undefined)[]): PartialCondition | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0 || known.length < parts.length) return undefined;
  const failing = known.flatMap(({ mayFail }) => mayFail ?? []);
  return {
    mayMatch: sql`(${sql.join(
      known.map(({ mayMatch }) => mayMatch),
      sql` or `,
    )})`,
    ...(failing.length > 0 && { mayFail: sql`(${sql.join(failing, sql` or `)})` }),
    text: `(${known.map(({ text }) => text).join(' or ')})`,
    isOpen: known.some(({ isOpen }) => isOpen),
  };
}
