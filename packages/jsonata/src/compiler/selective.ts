import type { Node } from './ast.ts';

/** Built-in functions that return a string, a number or a boolean. */
const SCALAR: ReadonlySet<string> = new Set(
  (
    'sum count max min average length number abs floor ceil round sqrt power formatBase parseInteger exists boolean ' +
    'not type now millis toMillis'
  ).split(' '),
);

/** Built-in functions that return some items of their first argument, each once. */
const SELECTING: ReadonlySet<string> = new Set([
  'sort',
  'distinct',
  'reverse',
  'shuffle',
  'filter',
  'single',
  'lowercase',
  'uppercase',
  'trim',
  'substring',
  'substringBefore',
  'substringAfter',
]);

/** Maximum growth factor of a result whose size is not counted. */
const MAX_GROWTH = 8;
/** Maximum length of literal text per item, UTF-16 units. */
const MAX_LITERAL_LENGTH = 64;

/**
 * Returns whether the result is at most a few times as large as the input, so that its size need not be counted. Growth
 * multiplies along a path: `{"a": $, "b": $}` doubles it, and 17 such steps make it 131,072 times as large.
 */
export function isSelective(node: Node): boolean {
  return growthOf(node) <= MAX_GROWTH;
}

function total(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + growthOf(node), 0);
}

/** Returns the first field name of a path that consists only of names. */
function fieldOf(node: Node): string | undefined {
  if (node.type !== 'path' || node.group !== undefined) return undefined;
  const [first] = node.steps;
  const isPlain = node.steps.every(({ type, group }) => type === 'name' && group === undefined);
  return isPlain && first?.type === 'name' ? first.value : undefined;
}

/** Returns the growth of a constructor's members; fields with different names are different parts of the input. */
function membersGrowth(members: readonly (readonly [Node, Node])[]): number {
  const uses = new Map<string, number>();
  let others = 0;
  for (const [key, value] of members) {
    const field = fieldOf(value);
    if (field === undefined) others += growthOf(value);
    else uses.set(field, (uses.get(field) ?? 0) + 1);
    others += growthOf(key);
  }
  return Math.max(0, ...uses.values()) + others;
}

/** Returns an upper bound for how often the result repeats a part of the input; infinite when unknown. */
function growthOf(node: Node): number {
  const group = node.group === undefined ? 1 : Math.max(1, membersGrowth(node.group.lhs));
  return group * ownGrowth(node);
}

function ownGrowth(node: Node): number {
  switch (node.type) {
    case 'string':
      return String(node.value).length > MAX_LITERAL_LENGTH ? Number.POSITIVE_INFINITY : 0;
    case 'number':
    case 'value':
      return 0;
    case 'name':
    case 'wildcard':
    case 'sort':
      return 1;
    case 'binary':
      return node.value === '..' || node.value === '&' ? Number.POSITIVE_INFINITY : 0;
    case 'variable':
      return node.value === '' ? 1 : Number.POSITIVE_INFINITY;
    case 'path':
      if (node.steps.some((step) => step.tuple)) return Number.POSITIVE_INFINITY;
      // A step that creates new values, such as a text, creates one for each item.
      return node.steps.reduce((product, step) => product * Math.max(1, growthOf(step)), 1);
    case 'block':
      return node.expressions.length === 1 ? total(node.expressions) : Number.POSITIVE_INFINITY;
    case 'condition':
      return Math.max(growthOf(node.then), node.else === undefined ? 0 : growthOf(node.else));
    case 'unary':
      if (node.value === '-') return 0;
      return node.value === '[' ? total(node.expressions) : membersGrowth(node.lhs);
    case 'function': {
      const { procedure, arguments: args } = node;
      if (procedure.type !== 'variable') return Number.POSITIVE_INFINITY;
      if (SCALAR.has(procedure.value)) return 0;
      return SELECTING.has(procedure.value) && args[0] !== undefined
        ? growthOf(args[0])
        : Number.POSITIVE_INFINITY;
    }
    default:
      return Number.POSITIVE_INFINITY;
  }
}
