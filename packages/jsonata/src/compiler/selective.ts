import type { Node } from './ast.ts';

/** Built-in functions whose value is a string, a number or a boolean. */
const SCALAR: ReadonlySet<string> = new Set(
  (
    'sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim join ' +
    'contains number abs floor ceil round sqrt power formatNumber formatBase formatInteger parseInteger exists boolean ' +
    'not type now millis fromMillis toMillis'
  ).split(' '),
);

/** Built-in functions that give some of the items of their first argument, each once. */
const SELECTING: ReadonlySet<string> = new Set([
  'sort',
  'distinct',
  'reverse',
  'shuffle',
  'filter',
  'single',
]);

/**
 * Whether the result cannot outgrow the input: every part of the input comes into it at most as often as the
 * expression names it. Such a result need not be counted.
 */
export function isSelective(node: Node): boolean {
  if (node.group !== undefined && !node.group.lhs.every(([, value]) => isSelective(value))) return false;
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
    case 'name':
    case 'wildcard':
    case 'sort':
      return true;
    case 'binary':
      return node.value !== '..';
    case 'variable':
      return node.value === '';
    case 'path':
      return !node.steps.some((step) => step.tuple) && node.steps.every(isSelective);
    case 'block':
      return node.expressions.length === 1 && node.expressions.every(isSelective);
    case 'condition':
      return isSelective(node.then) && (node.else === undefined || isSelective(node.else));
    case 'unary':
      if (node.value === '-') return true;
      return node.value === '['
        ? node.expressions.every(isSelective)
        : node.lhs.every(([, value]) => isSelective(value));
    case 'function': {
      const { procedure, arguments: args } = node;
      if (procedure.type !== 'variable') return false;
      if (SCALAR.has(procedure.value)) return true;
      return SELECTING.has(procedure.value) && args[0] !== undefined && isSelective(args[0]);
    }
    default:
      return false;
  }
}
