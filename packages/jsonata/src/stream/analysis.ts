import { type CallNode, childrenOf, directBinds, type Node, type Stage } from '../compiler/ast.ts';
import { FUNCTIONS } from '../functions/library.ts';
import { NotStreamableError, type Planner } from './planner.ts';

const SIGNATURES: ReadonlyMap<string, string> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, signature]),
);

/** Checks that a node evaluated for one row cannot read other rows. @throws NotStreamableError */
export function checkRowWise(node: Node, planner: Planner): void {
  if (node.type === 'variable' && node.value === '$')
    throw new NotStreamableError('`$$` refers to all rows at once.');
  if (node.type === 'variable' && planner.bound.has(node.value) && !binds(node, node.value))
    throw new NotStreamableError(
      `$${node.value} is computed by the expression itself. Write its value in place, or use a parameter.`,
    );
  const isTuple = node.tuple ?? node.focus ?? node.index ?? node.ancestor;
  if (isTuple !== undefined || node.type === 'parent')
    throw new NotStreamableError('`@`, `#` and `%` need all rows at once.');
  for (const stage of node.stages ?? [])
    if (stage.type === 'index') throw new NotStreamableError('`#` needs all rows at once.');
  for (const child of childrenOf(node)) checkRowWise(child, withoutBinds(node, planner));
}

function binds(node: Node, name: string): boolean {
  return directBinds([node]).includes(name);
}

/** Returns the planner for the inside of a block or function, without the variables that it binds itself. */
function withoutBinds(node: Node, planner: Planner): Planner {
  const own = new Set<string>();
  if (node.type === 'block') for (const name of directBinds(node.expressions)) own.add(name);
  if (node.type === 'lambda') {
    for (const { value } of node.arguments) own.add(value);
    for (const name of directBinds([node.body])) own.add(name);
  }
  if (own.size === 0) return planner;
  return { ...planner, bound: new Set([...planner.bound].filter((name) => !own.has(name))) };
}

/** Returns whether a node has the same value for all rows. */
export function isIndependent(node: Node, planner: Planner): boolean {
  switch (node.type) {
    case 'variable':
      return node.value !== '' && node.value !== '$' && node.group === undefined && !node.predicate;
    case 'name':
    case 'wildcard':
    case 'descendant':
    case 'parent':
      return false;
    case 'path': {
      const [first, ...rest] = node.steps;
      if (first === undefined || node.steps.some((step) => step.tuple)) return false;
      return isIndependent(first, planner) && ![...rest, ...groupNodes(node)].some(seesInput);
    }
    case 'function':
      return (
        hasItsArguments(node, planner) && childrenOf(node).every((child) => isIndependent(child, planner))
      );
    case 'lambda':
      return !node.signature?.definition.includes('-') && isIndependent(node.body, planner);
    default:
      return childrenOf(node).every((child) => isIndependent(child, planner));
  }
}

function groupNodes(node: Node): Node[] {
  return node.group?.lhs.flat() ?? [];
}

/** Returns whether a node evaluated for an item reads the whole input. */
export function seesInput(node: Node): boolean {
  return (node.type === 'variable' && node.value === '$') || childrenOf(node).some(seesInput);
}

/** Returns whether a call passes every argument that the context value would otherwise replace. */
export function hasItsArguments(node: CallNode, planner: Planner): boolean {
  const { procedure } = node;
  if (procedure.type !== 'variable' || !planner.isBuiltin(procedure.value)) return true;
  const signature = SIGNATURES.get(procedure.value) ?? '';
  const [parameters = ''] = signature
    .slice(1, -1)
    .replace(/<[^<>]*>/g, '')
    .split(':');
  if (!parameters.includes('-')) return true;
  const all = parameters.replace(/\(\w*\)/g, 'x').match(/[a-z][-?+]*/g) ?? [];
  return node.arguments.length >= all.filter((each) => !each.includes('?')).length;
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in', '&']);
const CONDITIONS: ReadonlySet<string> = new Set(['exists', 'not', 'boolean', 'contains']);

/** Returns whether a predicate never returns a number, which would select by position. */
export function isCondition(node: Node, planner: Planner): boolean {
  if (node.predicate !== undefined || node.group !== undefined) return false;
  switch (node.type) {
    case 'binary':
      return COMPARISONS.has(node.value);
    case 'value':
    case 'string':
      return true;
    case 'block': {
      const last = node.expressions.at(-1);
      return last !== undefined && isCondition(last, planner);
    }
    case 'condition':
      return isCondition(node.then, planner) && (node.else === undefined || isCondition(node.else, planner));
    case 'function':
      return (
        node.procedure.type === 'variable' &&
        CONDITIONS.has(node.procedure.value) &&
        planner.isBuiltin(node.procedure.value)
      );
    default:
      return false;
  }
}

/** Maximum length of a streamed slice, items; a longer one needs all rows. */
const MAX_SLICE_LENGTH = 100_000;

/** Returns how many items a slice such as `[0]`, `[-1]` or `[[0..9]]` needs: the first ones or, if negative, the last ones. */
export function sliceOf({ expr }: Stage & { type: 'filter' }): number | undefined {
  const positions = expr.type === 'unary' && expr.value === '[' ? expr.expressions : [expr];
  if (expr.predicate || expr.group || positions.length === 0) return undefined;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const position of positions) {
    const isRange = position.type === 'binary' && position.value === '..';
    for (const end of isRange ? [position.lhs, position.rhs] : [position]) {
      const number = literalNumber(end);
      if (number === undefined) return undefined;
      least = Math.min(least, Math.floor(number));
      most = Math.max(most, Math.floor(number));
    }
  }
  if (least < 0 && most >= 0) return undefined;
  const count = least < 0 ? least : most + 1;
  return Math.abs(count) > MAX_SLICE_LENGTH ? undefined : count;
}

function literalNumber(node: Node): number | undefined {
  if (node.predicate !== undefined || node.group !== undefined) return undefined;
  if (node.type === 'number' && typeof node.value === 'number') return node.value;
  if (node.type !== 'unary' || node.value !== '-') return undefined;
  const operand = literalNumber(node.expression);
  return operand === undefined ? undefined : -operand;
}
