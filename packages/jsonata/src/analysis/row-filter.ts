import { type CallNode, childrenOf, type Node, ownChildrenOf, type Stage } from '../compiler/ast.ts';

/** Thrown when the expression may need rows that its filters leave out. */
class NeedsAllRows extends Error {}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in', '&']);
const CONDITIONS: ReadonlySet<string> = new Set(['exists', 'not', 'boolean', 'contains']);

/** Returns whether a predicate never returns a number, which would select by position. */
function isCondition(node: Node): boolean {
  if (node.predicate !== undefined || node.group !== undefined) return false;
  switch (node.type) {
    case 'binary':
      return COMPARISONS.has(node.value);
    case 'block':
      return node.expressions.length === 1 && isCondition(node.expressions[0] as Node);
    case 'function':
      return node.procedure.type === 'variable' && CONDITIONS.has(node.procedure.value);
    default:
      return false;
  }
}

/** Returns the names that an expression binds anywhere: variables and parameters of functions. */
function ownNames(node: Node): string[] {
  const names = childrenOf(node).flatMap(ownNames);
  if (node.type === 'bind') names.push(node.lhs.value);
  if (node.type === 'lambda') names.push(...node.arguments.map(({ value }) => value));
  return names;
}

/** Collects the filters by which an expression selects rows of its input. */
class Selections {
  readonly filters: Node[] = [];
  readonly #ownNames: ReadonlySet<string>;

  constructor(ast: Node) {
    this.#ownNames = new Set(ownNames(ast));
  }

  /** Visits a node whose context is the input. @throws NeedsAllRows */
  visit(node: Node): void {
    if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsAllRows();
    switch (node.type) {
      case 'string':
      case 'number':
      case 'value':
      case 'regex':
        break;
      case 'variable':
        this.#visitVariable(node);
        break;
      case 'path':
        this.visit(node.steps[0] as Node);
        for (const step of node.steps.slice(1)) this.#checkBelow(step);
        break;
      case 'function':
        this.#visitCall(node);
        break;
      case 'unary':
      case 'binary':
      case 'condition':
      case 'block':
      case 'bind':
      case 'lambda':
      case 'apply':
        for (const child of ownChildrenOf(node)) this.visit(child);
        break;
      default:
        throw new NeedsAllRows();
    }
    for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])]) this.#checkStage(stage);
    for (const each of node.group?.lhs.flat() ?? []) this.#checkBelow(each);
  }

  #visitVariable(node: Node & { type: 'variable' }): void {
    if (node.value === 'eval') throw new NeedsAllRows();
    if (node.value !== '' && node.value !== '$') return;
    const [first] = node.predicate ?? node.stages ?? [];
    if (first?.type !== 'filter' || !isCondition(first.expr) || this.#mentionsOwn(first.expr))
      throw new NeedsAllRows();
    this.filters.push(first.expr);
  }

  /** A function without arguments may take the input as one. */
  #visitCall({ procedure, arguments: args }: CallNode): void {
    if (args.length === 0) throw new NeedsAllRows();
    for (const each of [procedure, ...args]) this.visit(each);
  }

  #checkStage(stage: Stage): void {
    if (stage.type !== 'filter') throw new NeedsAllRows();
    this.#checkBelow(stage.expr);
  }

  /** Checks a node whose context is not the input. @throws NeedsAllRows when it may read the input nevertheless */
  #checkBelow(node: Node): void {
    if (node.tuple || node.focus || node.index || node.ancestor || node.type === 'parent')
      throw new NeedsAllRows();
    if (node.type === 'variable' && (node.value === '$' || node.value === 'eval')) throw new NeedsAllRows();
    for (const child of childrenOf(node)) this.#checkBelow(child);
  }

  #mentionsOwn(node: Node): boolean {
    if (node.type === 'variable' && this.#ownNames.has(node.value)) return true;
    return childrenOf(node).some((child) => this.#mentionsOwn(child));
  }
}

/**
 * Returns an expression that selects the rows that another one needs: all that one of its leading filters may select.
 * Undefined when it may need others.
 */
export function rowFilter(ast: Node): Node | undefined {
  const selections = new Selections(ast);
  try {
    selections.visit(ast);
  } catch (error) {
    if (error instanceof NeedsAllRows) return undefined;
    throw error;
  }
  const [first, ...rest] = selections.filters;
  if (first === undefined) return undefined;
  const expr = rest.reduce<Node>(
    (lhs, rhs) => ({ type: 'binary', value: 'or', lhs, rhs, position: 0 }),
    first,
  );
  return { type: 'variable', value: '', predicate: [{ type: 'filter', expr, position: 0 }], position: 0 };
}
