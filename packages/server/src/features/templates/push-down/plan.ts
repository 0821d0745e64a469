import { childrenOf, type Node, parse } from '@datadeck/jsonata';
import { type Bindings, type Condition, conditionOf, describe, isUseful } from './condition.ts';

/** What the database can do of an expression over the records of an entity; the engine then runs all of it again. */
export interface Plan {
  /** Only records for which one of the conditions may hold, or may fail, matter. */
  readonly conditions: readonly Condition[];
}

/** Longer expressions, and syntax trees that are larger or deeper, are not looked at: this runs in the server's own process. */
const LONGEST = 2000;
const MOST_NODES = 2000;
/** Operators that the parser takes time quadratic in: `%` and `**`. */
const MOST_STEEP = 20;
const DEEPEST = 60;

/** Functions of their arguments alone, by the least number of arguments for which they leave the context alone. */
const PURE: Readonly<Record<string, number>> = {
  count: 1,
  sum: 1,
  max: 1,
  min: 1,
  average: 1,
  distinct: 1,
  reverse: 1,
  exists: 1,
  not: 1,
  boolean: 1,
  string: 1,
  number: 1,
  round: 1,
  abs: 1,
  floor: 1,
  ceil: 1,
  sqrt: 1,
  length: 1,
  uppercase: 1,
  lowercase: 1,
  trim: 1,
  sort: 1,
  join: 1,
  map: 2,
  filter: 2,
  append: 2,
  merge: 1,
  keys: 1,
  zip: 1,
  type: 1,
  formatNumber: 2,
  contains: 2,
  substring: 2,
  split: 2,
  power: 2,
  now: 0,
  millis: 0,
};

/** The expression uses the records in a way that needs all of them. */
class NeedsAll extends Error {}

/** Finds what the database can do of an expression; undefined: nothing. */
export function planOf(expression: string, bindings: Bindings): Plan | undefined {
  if (expression.length > LONGEST || /\?[?:]/.test(expression)) return undefined;
  if ((expression.match(/%|\*\*/g)?.length ?? 0) > MOST_STEEP) return undefined;
  let ast: Node;
  try {
    ast = parse(expression);
  } catch {
    // The engine will say what is wrong.
    return undefined;
  }
  if (!isSmall(ast)) return undefined;
  const search = new Search(ast, bindings);
  try {
    search.visit(ast);
  } catch (thrown) {
    if (thrown instanceof NeedsAll) return undefined;
    throw thrown;
  }
  const { conditions } = search;
  return conditions.length > 0 && conditions.every(isUseful) ? { conditions } : undefined;
}

/** Whether walks over the tree are short and need little stack. */
function isSmall(ast: Node): boolean {
  let count = 0;
  for (let level: Node[] = [ast], depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > MOST_NODES || depth > DEEPEST) return false;
    level = level.flatMap(childrenOf);
  }
  return true;
}

/** The plan as a person would write it. */
export function describePlan(plan: Plan): string {
  return [...new Set(plan.conditions.map(describe))].join(' or ');
}

function exprOf(stage: NonNullable<Node['stages']>[number]): Node[] {
  return stage.type === 'filter' ? [stage.expr] : [];
}

/** Whether a node below a path may see more than the items it is given. */
function looksOutside(node: Node): boolean {
  if (node.type === 'parent' || node.tuple || node.focus || node.index || node.ancestor) return true;
  if (node.type === 'variable' && (node.value === '$' || node.value === 'eval')) return true;
  return childrenOf(node).some(looksOutside);
}

/** Names that the expression itself gives a meaning. */
function boundNames(node: Node): string[] {
  const own =
    node.type === 'bind'
      ? [node.lhs.value]
      : node.type === 'lambda'
        ? node.arguments.map((parameter) => parameter.value)
        : [];
  return [...own, ...childrenOf(node).flatMap(boundNames)];
}

/** Walks through the parts that are evaluated with all records as their context, and gathers how each selects some. */
class Search {
  readonly conditions: Condition[] = [];
  readonly #bindings: Bindings;
  readonly #bound: ReadonlySet<string>;

  constructor(ast: Node, bindings: Bindings) {
    this.#bound = new Set(boundNames(ast));
    this.#bindings = Object.fromEntries(Object.entries(bindings).filter(([name]) => !this.#bound.has(name)));
  }

  /** @throws NeedsAll */
  visit(node: Node): void {
    if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsAll();
    switch (node.type) {
      case 'string':
      case 'number':
      case 'value':
      case 'regex':
        break;
      case 'variable':
        this.#variable(node);
        return;
      case 'path':
        this.#path(node);
        return;
      case 'binary':
        this.visit(node.lhs);
        this.visit(node.rhs);
        break;
      case 'bind':
        this.visit(node.rhs);
        break;
      case 'block':
        for (const each of node.expressions) this.visit(each);
        break;
      case 'condition':
        for (const each of childrenOf(node)) this.visit(each);
        break;
      case 'unary':
        this.#unary(node);
        break;
      case 'function':
        this.#call(node);
        break;
      default:
        throw new NeedsAll();
    }
    this.#rest(node);
  }

  /** What stands behind a value sees that value alone. */
  #rest(node: Node): void {
    const below = [...(node.predicate ?? []), ...(node.stages ?? [])].flatMap(exprOf);
    if (node.group) below.push(...node.group.lhs.flat());
    if (below.some(looksOutside)) throw new NeedsAll();
  }

  #variable(node: Node & { type: 'variable' }): void {
    if (node.value === 'eval' || node.tuple || node.focus || node.index) throw new NeedsAll();
    if (node.value === '' || node.value === '$') this.conditions.push(this.#selection(node));
    this.#rest(node);
  }

  /** The condition by which `$[...]` selects. */
  #selection(node: Node): Condition {
    const parts: Condition[] = [];
    for (const stage of node.predicate ?? node.stages ?? []) {
      const condition = stage.type === 'filter' ? conditionOf(stage.expr, this.#bindings) : undefined;
      // A number would be a position: only what gives true or false may be asked of each record alone.
      if (condition === undefined || condition.kind === 'unknown') break;
      if (this.#usesBoundFunction(stage)) break;
      parts.push(condition);
    }
    const [only] = parts;
    if (only === undefined) throw new NeedsAll();
    return parts.length === 1 ? only : { kind: 'and', parts };
  }

  /** Whether `$contains` or `$exists` mean something else here. */
  #usesBoundFunction(stage: NonNullable<Node['stages']>[number]): boolean {
    const isBound = (name: string): boolean => this.#bound.has(name) || Object.hasOwn(this.#bindings, name);
    return exprOf(stage).some(() => isBound('contains') || isBound('exists'));
  }

  #path(node: Node & { type: 'path' }): void {
    const [first, ...rest] = node.steps;
    if (first?.type !== 'variable') throw new NeedsAll();
    this.#variable(first);
    if (rest.some(looksOutside)) throw new NeedsAll();
    this.#rest(node);
  }

  #unary(node: Node & { type: 'unary' }): void {
    if (node.value === '-') this.visit(node.expression);
    else if (node.value === '[') for (const each of node.expressions) this.visit(each);
    else {
      for (const [key, value] of node.lhs) {
        if (key.type !== 'string') throw new NeedsAll();
        this.visit(value);
      }
    }
  }

  #call(node: Node & { type: 'function' | 'partial' }): void {
    const { procedure, arguments: args } = node;
    const name = procedure.type === 'variable' && !procedure.predicate ? procedure.value : undefined;
    const least = name !== undefined && Object.hasOwn(PURE, name) ? PURE[name] : undefined;
    if (name === undefined || least === undefined || args.length < least) throw new NeedsAll();
    if (this.#bound.has(name) || Object.hasOwn(this.#bindings, name)) throw new NeedsAll();
    for (const arg of args) {
      // A function given to another is called without a context; what it sees beside its arguments is looked at here.
      if (arg.type === 'lambda') {
        if (looksOutside(arg.body) || seesContext(arg.body)) throw new NeedsAll();
      } else this.visit(arg);
    }
  }
}

/** Whether a function's body reads anything but its parameters: its context would be all records. */
function seesContext(node: Node): boolean {
  if (node.type === 'path') {
    const [first] = node.steps;
    if (first?.type !== 'variable' || first.value === '') return true;
    return false;
  }
  if (node.type === 'variable') return node.value === '';
  if (node.type === 'string' || node.type === 'number' || node.type === 'value') return false;
  if (node.type === 'binary' || node.type === 'condition') return childrenOf(node).some(seesContext);
  return true;
}
