import {
  type CallNode,
  childrenOf,
  mentions,
  type Node,
  ownChildrenOf,
  type PathNode,
  type Stage,
} from '../compiler/ast.ts';
import { cannotFail, conjunctsOf, isComparison } from '../compiler/dependencies.ts';
import { FUNCTIONS } from '../functions/library.ts';
import { readsContext } from './reads-context.ts';
import type { RowSource } from './row-fields.ts';

/** How an expression compares the rows of a list: each use of the list is a filter whose first condition is an equality. */
export interface JoinKeys {
  /** The fields of the rows that are compared. */
  readonly fields: readonly (readonly string[])[];
  /** Evaluates to what they are compared with, in nested arrays, or to more than that. */
  readonly keys: Node;
  /** Names of the variables that `keys` reads. */
  readonly variables: ReadonlySet<string>;
  /** Whether `keys` reads the input of the expression. */
  readonly readsInput: boolean;
}

/** Thrown when the expression may need all rows of the list. */
class NeedsAllRows extends Error {}

/** Returns an expression that evaluates a part wherever the whole expression evaluates it. */
type Wrap = (part: Node) => Node;

const BUILT_IN: ReadonlySet<string> = new Set(FUNCTIONS.map(({ name }) => name));
/** Functions that return something else at each evaluation, or evaluate text. */
const UNSTEADY: readonly string[] = ['eval', 'random', 'shuffle', 'now', 'millis'];
/** Functions that call a function for each item, as `$map` does. */
const ITERATING: ReadonlySet<string> = new Set(['map', 'filter']);
/** Largest number of filters of one list. */
const MAX_USES = 8;

const block = (part: Node): Node => ({ type: 'block', expressions: [part] });
const stagesOf = (node: Node): readonly Stage[] => [...(node.predicate ?? []), ...(node.stages ?? [])];
const isBare = (node: Node) =>
  stagesOf(node).length === 0 &&
  !(node.group || node.keepArray || node.tuple || node.focus || node.index || node.ancestor);

/** Returns the names of a path `a.b`, `$.a.b` or `$item.a.b`. @param item undefined for paths of the context */
function pathOf(node: Node, item: string | undefined): string[] | undefined {
  if (node.type !== 'path' || !isBare(node) || node.keepSingletonArray || !node.steps.every(isBare))
    return undefined;
  const [first, ...rest] = node.steps;
  const isFromItem = first?.type === 'variable' && first.value === (item ?? '');
  if (!isFromItem && item !== undefined) return undefined;
  const names = (isFromItem ? rest : node.steps).map((step) => (step.type === 'name' ? step.value : ''));
  return names.length === 0 || names.includes('') ? undefined : names;
}

/** Collects the uses of a list, each with what its rows are compared with. */
class Uses {
  readonly fields: string[][] = [];
  readonly keys: Node[] = [];
  readonly #list: string;

  constructor(list: string) {
    this.#list = list;
  }

  /** Visits a node. @throws NeedsAllRows */
  visit(node: Node, wrap: Wrap): void {
    if (!mentions(node, this.#list)) return;
    if (node.type === 'variable') this.#add(node, wrap);
    else if (this.#isUsedBeside(node)) throw new NeedsAllRows();
    else if (node.type === 'path') this.#visitPath(node, wrap);
    else this.#visitOwn(node, wrap);
  }

  #visitOwn(node: Node, wrap: Wrap): void {
    switch (node.type) {
      case 'unary':
      case 'binary':
      case 'condition':
        for (const child of ownChildrenOf(node)) this.visit(child, wrap);
        return;
      case 'block':
        for (const [index, each] of node.expressions.entries()) {
          const before = node.expressions.slice(0, index).filter(({ type }) => type === 'bind');
          this.visit(each.type === 'bind' ? each.rhs : each, (part) =>
            wrap({ type: 'block', expressions: [...before, part] }),
          );
        }
        return;
      case 'lambda':
        // The parser wraps calls in tail position.
        if (node.thunk !== true) throw new NeedsAllRows();
        this.visit(node.body, wrap);
        return;
      case 'function':
        this.#visitCall(node, wrap);
        return;
      default:
        throw new NeedsAllRows();
    }
  }

  #visitCall(node: CallNode, wrap: Wrap): void {
    const { procedure, arguments: args } = node;
    if (procedure.type !== 'variable' || !isBare(procedure)) throw new NeedsAllRows();
    const [items, called] = args;
    const isLoop = ITERATING.has(procedure.value) && called?.type === 'lambda' && called.thunk !== true;
    for (const each of args) if (!isLoop || each !== called) this.visit(each, wrap);
    if (!isLoop || items === undefined) return;
    if (called.signature !== undefined) throw new NeedsAllRows();
    this.visit(called.body, (part) =>
      wrap({
        type: 'function',
        procedure: { ...procedure, value: 'map' },
        arguments: [items, { ...called, body: part }],
      }),
    );
  }

  #visitPath(node: PathNode, wrap: Wrap): void {
    for (const [index, step] of node.steps.entries()) {
      const before = node.steps.slice(0, index);
      // A path that begins with a variable has the whole input as its context; others have its items.
      const isWhole = index === 0 && step.type === 'variable';
      this.visit(step, isWhole ? wrap : (part) => wrap({ type: 'path', steps: [...before, block(part)] }));
    }
  }

  /** Returns whether the predicates or the grouping of a node use the list. */
  #isUsedBeside(node: Node): boolean {
    const filters = stagesOf(node).flatMap((stage) => (stage.type === 'filter' ? [stage.expr] : []));
    return [...filters, ...(node.group?.lhs.flat() ?? [])].some((each) => mentions(each, this.#list));
  }

  /** Adds a use of the list: `$list[…]` or `$list@$item[…]`. */
  #add(node: Node, wrap: Wrap): void {
    // Predicates are evaluated before `@` binds the item, stages after it.
    const first = node.predicate?.[0] ?? node.stages?.[0];
    const item = node.predicate?.[0] === undefined ? node.focus : undefined;
    const hasExtras = node.index ?? node.ancestor ?? node.group ?? node.keepArray;
    if (hasExtras || first?.type !== 'filter' || this.#isUsedBeside(node)) throw new NeedsAllRows();
    const found = isComparison(first.expr) ? comparisonOf(first.expr, item) : undefined;
    if (found === undefined || this.keys.length === MAX_USES) throw new NeedsAllRows();
    this.fields.push(found.field);
    this.keys.push(wrap(found.other));
  }
}

/** A field of a row and what it is compared with. */
interface Comparison {
  field: string[];
  other: Node;
}

/**
 * Returns a comparison that every selected row passes, and before which nothing fails; preferably one with a value that is
 * not a constant.
 */
function comparisonOf(predicate: Node, item: string | undefined): Comparison | undefined {
  const found: Comparison[] = [];
  for (const each of conjunctsOf(predicate)) {
    if (each.type !== 'binary' || !isBare(each)) break;
    const { lhs, rhs } = each;
    const sides = each.value === '=' ? [[lhs, rhs] as const, [rhs, lhs] as const] : [];
    if (each.value === 'in') sides.push([lhs, rhs]);
    for (const [own, other] of sides) {
      const field = pathOf(own, item);
      const isApart = item === undefined ? !readsContext(other) : !mentions(other, item);
      if (field !== undefined && isApart) found.push({ field, other });
    }
    if (!cannotFail(each)) break;
  }
  return found.find(({ other }) => variablesOf(other).size > 0) ?? found[0];
}

/** Returns whether the names of an expression mean the same everywhere that they are read. */
function hasPlainNames(ast: Node, list: string): boolean {
  const isFree = (name: string | undefined) => name === undefined || (name !== list && !BUILT_IN.has(name));
  const check = (node: Node, isInBlock: boolean): boolean => {
    if (node.type === 'parent' || (node.type === 'variable' && node.value === 'eval')) return false;
    if (node.type === 'bind' && !(isInBlock && isFree(node.lhs.value))) return false;
    if (node.type === 'lambda' && !node.arguments.every(({ value }) => isFree(value))) return false;
    if (!isFree(node.focus) || !isFree(node.index)) return false;
    if (!stagesOf(node).every((stage) => stage.type === 'filter' || isFree(stage.value))) return false;
    return childrenOf(node).every((child) => check(child, node.type === 'block'));
  };
  return check(ast, false);
}

function variablesOf(node: Node, found = new Set<string>()): Set<string> {
  if (node.type === 'variable') found.add(node.value);
  for (const child of childrenOf(node)) variablesOf(child, found);
  return found;
}

/**
 * Returns the keys with which an expression compares the rows of a list. Rows whose fields hold other texts or numbers can be
 * left out without a change of the result, if the keys evaluate without an error. Undefined when the expression may need all.
 * @param source where the list is: in one variable, which may be the input, too
 */
export function joinKeys(ast: Node, { isInput, variables: [list = ''] }: RowSource): JoinKeys | undefined {
  if (!hasPlainNames(ast, list)) return undefined;
  if (isInput && (readsContext(ast) || mentions(ast, '$'))) return undefined;
  const uses = new Uses(list);
  try {
    uses.visit(ast, (part) => part);
  } catch (error) {
    if (error instanceof NeedsAllRows) return undefined;
    throw error;
  }
  const keys: Node = { type: 'unary', value: '[', expressions: uses.keys };
  const variables = variablesOf(keys);
  if (uses.keys.length === 0 || [list, ...UNSTEADY].some((name) => variables.has(name))) return undefined;
  return {
    fields: uses.fields,
    keys,
    variables,
    readsInput: variables.has('$') || readsContext(keys),
  };
}
