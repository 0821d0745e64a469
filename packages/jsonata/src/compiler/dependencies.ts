import { takesContext } from '../functions/takes-context.ts';
import type { CallNode, Node } from './ast.ts';

/** What the value of a node depends on, beside the built-in functions. */
export interface Dependencies {
  /** Names of variables, without `$`; `$` is the input. */
  readonly variables: ReadonlySet<string>;
  readonly usesContext: boolean;
  /** Names of the functions that it calls. */
  readonly functions: ReadonlySet<string>;
}

/** Functions that return something else at each call, evaluate text, or may call a function of the expression. */
const NOT_FOLLOWED: ReadonlySet<string> = new Set(
  'random shuffle eval map filter single reduce each sift sort match contains split replace'.split(' '),
);

interface Found {
  variables: Set<string>;
  functions: Set<string>;
  usesContext: boolean;
}

/** Thrown for nodes whose dependencies are not followed. */
class Unknown extends Error {}

/**
 * Returns what a node's value depends on. Undefined for nodes that are not followed: those that bind variables, define or
 * pass functions, or return something else at each evaluation.
 */
export function dependenciesOf(node: Node): Dependencies | undefined {
  const found: Found = { variables: new Set(), functions: new Set(), usesContext: false };
  try {
    visit(node, found, true);
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
  return found;
}

/** @param isOutside whether the node's context is that of the whole node, and not an item inside it */
function visit(node: Node, found: Found, isOutside: boolean): void {
  if (node.type !== 'path') visitOwn(node, found, isOutside);
  else {
    for (const [index, step] of node.steps.entries()) {
      if (step.tuple || step.focus || step.index || step.ancestor) throw new Unknown();
      visit(step, found, isOutside && index === 0);
    }
  }
  for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])]) {
    if (stage.type !== 'filter') throw new Unknown();
    visit(stage.expr, found, false);
  }
  for (const each of node.group?.lhs.flat() ?? []) visit(each, found, false);
}

function visitOwn(node: Node, found: Found, isOutside: boolean): void {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      return;
    case 'name':
    case 'wildcard':
    case 'descendant':
      found.usesContext ||= isOutside;
      return;
    case 'variable':
      if (node.value !== '') found.variables.add(node.value);
      else found.usesContext ||= isOutside;
      return;
    case 'binary':
      visit(node.lhs, found, isOutside);
      visit(node.rhs, found, isOutside);
      return;
    case 'block':
      if (node.expressions.length !== 1) throw new Unknown();
      visit(node.expressions[0] as Node, found, isOutside);
      return;
    case 'condition':
      for (const each of [node.condition, node.then, node.else])
        if (each !== undefined) visit(each, found, isOutside);
      return;
    case 'function':
      visitCall(node, { found, isOutside, args: node.arguments });
      return;
    case 'apply':
      if (node.rhs.type !== 'function') throw new Unknown();
      visitCall(node.rhs, { found, isOutside, args: [node.lhs, ...node.rhs.arguments] });
      return;
    default:
      throw new Unknown();
  }
}

function visitCall(
  { procedure, predicate, group }: CallNode,
  { found, isOutside, args }: { found: Found; isOutside: boolean; args: readonly Node[] },
): void {
  if (procedure.type !== 'variable' || procedure.predicate || procedure.group || predicate || group)
    throw new Unknown();
  if (NOT_FOLLOWED.has(procedure.value)) throw new Unknown();
  found.functions.add(procedure.value);
  if (args.length === 0 || takesContext(procedure.value, args.length)) found.usesContext ||= isOutside;
  for (const each of args) visit(each, found, isOutside);
}

/** Returns the conditions of `a and b and c`, in their order. */
export function conjunctsOf(node: Node): Node[] {
  if (node.type !== 'binary' || node.value !== 'and' || hasExtras(node)) return [node];
  return [...conjunctsOf(node.lhs), ...conjunctsOf(node.rhs)];
}

function hasExtras(node: Node): boolean {
  return node.predicate !== undefined || node.group !== undefined || node.keepArray === true;
}

/** Two sides of an equality. */
export interface Equality {
  readonly left: { readonly node: Node; readonly dependencies: Dependencies };
  readonly right: { readonly node: Node; readonly dependencies: Dependencies };
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', 'in']);

/** Returns whether a predicate returns true, false or nothing, so that it never selects by position. */
export function isComparison(node: Node): boolean {
  if (node.type !== 'binary' || hasExtras(node)) return false;
  return COMPARISONS.has(node.value) || node.value === 'and' || node.value === 'or';
}

/**
 * Returns the equalities of a predicate that hold for every selected item, and whose sides can be evaluated apart. One that
 * may fail is evaluated only where the conditions before it hold, so it must be the first one.
 */
export function equalitiesOf(predicate: Node): Equality[] {
  const equalities: Equality[] = [];
  for (const [position, node] of conjunctsOf(predicate).entries()) {
    if (node.type !== 'binary' || hasExtras(node) || !COMPARISONS.has(node.value)) break;
    const left = dependenciesOf(node.lhs);
    const right = dependenciesOf(node.rhs);
    if (left === undefined || right === undefined) break;
    const isSafe = cannotFail(node);
    if (node.value === '=' && (isSafe || position === 0)) {
      equalities.push({
        left: { node: node.lhs, dependencies: left },
        right: { node: node.rhs, dependencies: right },
      });
    }
    if (!isSafe) break;
  }
  return equalities;
}

/** Returns whether a comparison evaluates without an error for all values. */
export function cannotFail(node: Node & { type: 'binary' }): boolean {
  return ['=', '!=', 'in'].includes(node.value) && isPlain(node.lhs) && isPlain(node.rhs);
}

function isPlain(node: Node): boolean {
  if (hasExtras(node) || node.stages !== undefined) return false;
  if (node.type === 'path') return node.steps.every(isPlain);
  return ['string', 'number', 'value', 'name', 'variable'].includes(node.type);
}
