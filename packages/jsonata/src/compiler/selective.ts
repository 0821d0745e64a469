import type { Node } from './ast.ts';

/** Built-in functions whose value is a string, a number or a boolean. */
const SCALAR: ReadonlySet<string> = new Set(
  (
    'sum count max min average length number abs floor ceil round sqrt power formatBase parseInteger exists boolean ' +
    'not type now millis toMillis'
  ).split(' '),
);

/** Built-in functions that return some of the items of their first argument, each once. */
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

/** How often a part of the input may come into a result that is not counted. */
const MOST_GROWTH = 8;
/** Text of the expression itself that an item may carry, UTF-16 units. */
const MOST_TEXT = 64;

/**
 * Whether the result is at most a few times as large as the input, so that it need not be counted. Growth multiplies along
 * a path: `{"a": $, "b": $}` doubles, seventeen of them in a row make 131,072 of one.
 */
export function isSelective(node: Node): boolean {
  return growthOf(node) <= MOST_GROWTH;
}

function total(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + growthOf(node), 0);
}

/** The field of the input that a path of nothing but names selects from. */
function fieldOf(node: Node): string | undefined {
  if (node.type !== 'path' || node.group !== undefined) return undefined;
  const [first] = node.steps;
  const isPlain = node.steps.every(({ type, group }) => type === 'name' && group === undefined);
  return isPlain && first?.type === 'name' ? first.value : undefined;
}

/** Members of a constructor: fields of different names are different parts of the input. */
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

/** How often a part of the input comes into the result at most; infinite where that is not known. */
function growthOf(node: Node): number {
  const group = node.group === undefined ? 1 : Math.max(1, membersGrowth(node.group.lhs));
  return group * ownGrowth(node);
}

function ownGrowth(node: Node): number {
  switch (node.type) {
    case 'string':
      return String(node.value).length > MOST_TEXT ? Number.POSITIVE_INFINITY : 0;
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
      // A step that makes something of nothing, such as a text, still makes it of each item.
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
