import { meaningOf } from '../language/format.ts';
import { parseTolerantly } from '../language/parse-tolerantly.ts';
import type { SyntaxNode } from '../language/tree.ts';
import {
  type Condition,
  type Filter,
  type Grouping,
  type Measure,
  NO_STEPS,
  type Order,
  type Path,
  PERIODS,
  type Period,
  type Steps,
  type Summary,
  writeSteps,
} from './write-steps.ts';

/** Longest expression that is read, UTF-16 units: that of one which runs over all rows. */
const MAX_LENGTH = 10_000;

const CONDITIONS: Readonly<Record<string, Condition>> = {
  '=': 'is',
  '!=': 'is-not',
  '>': 'more',
  '>=': 'at-least',
  '<': 'less',
  '<=': 'at-most',
};
const SUMMARIES: readonly string[] = ['count', 'sum', 'average', 'min', 'max'] satisfies Summary[];

const isSummary = (name: string): name is Summary => SUMMARIES.includes(name);
const isRows = (node: SyntaxNode | undefined) => node?.kind === 'variable' && node.text === '';

/** Returns the fields of a path such as `user.login`; undefined for anything else. */
function pathOf(node: SyntaxNode | undefined): Path | undefined {
  if (node?.kind === 'name') return [node.text];
  if (node?.kind !== 'path') return undefined;
  const [start, last] = [pathOf(node.children[0]), node.children[1]];
  if (!start || !last) return undefined;
  // A text after a period is a name too.
  const name = last.kind === 'name' ? last.text : last.kind === 'string' ? literalOf(last) : undefined;
  return typeof name === 'string' ? [...start, name] : undefined;
}

/** Returns the value of a text, number, boolean or null; undefined for anything else. */
function literalOf(node: SyntaxNode | undefined): string | number | boolean | null | undefined {
  if (node?.kind === 'negation') {
    const number = literalOf(node.children[0]);
    return typeof number === 'number' ? -number : undefined;
  }
  if (node?.kind !== 'string' && node?.kind !== 'number' && node?.kind !== 'value') return undefined;
  try {
    const text = node.text.startsWith("'")
      ? `"${node.text.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`
      : node.text;
    return JSON.parse(text) as string | number | boolean | null;
  } catch {
    return undefined;
  }
}

/** Returns the arguments of a call of a built-in function. */
function argumentsOf(node: SyntaxNode | undefined, name: string): readonly SyntaxNode[] | undefined {
  const [callee, ...list] = node?.kind === 'call' ? node.children : [];
  return callee?.kind === 'variable' && callee.text === name ? list : undefined;
}

function filterOf(node: SyntaxNode | undefined): Filter | undefined {
  const unguarded = { skipsNull: false };
  if (node?.kind === 'call') {
    const inner = argumentsOf(node, 'not')?.[0];
    const missing = pathOf(argumentsOf(inner, 'exists')?.[0]);
    if (missing) return { path: missing, condition: 'missing', ...unguarded };
    const existing = pathOf(argumentsOf(node, 'exists')?.[0]);
    if (existing) return { path: existing, condition: 'exists', ...unguarded };
    const [field, part] = argumentsOf(node, 'contains') ?? [];
    const path = pathOf(argumentsOf(field, 'lowercase')?.[0]);
    const value = literalOf(argumentsOf(part, 'lowercase')?.[0]);
    return path && typeof value === 'string'
      ? { path, condition: 'contains', value, ...unguarded }
      : undefined;
  }
  if (node?.kind !== 'binary') return undefined;
  const [left, right] = node.children;
  if (node.text === 'and') {
    const [guard, filter] = [filterOf(left), filterOf(right)];
    return guard?.condition === 'not-null' && filter ? { ...filter, skipsNull: true } : undefined;
  }
  const isIn = node.text === 'in';
  const [field, literal] = isIn ? [right, left] : [left, right];
  const [moment] = argumentsOf(field, 'substring') ?? [];
  const [path, value] = [pathOf(moment ?? field), literalOf(literal)];
  const condition = isIn ? 'has' : CONDITIONS[node.text];
  if (!path || !condition || value === undefined) return undefined;
  if (value !== null) return { path, condition, value, ...(moment && { byDay: true }), ...unguarded };
  if (condition === 'is') return { path, condition: 'null', ...unguarded };
  return condition === 'is-not' ? { path, condition: 'not-null', ...unguarded } : undefined;
}

/** Returns the filters of `$[…][…]`, the first one first. */
function filtersOf(node: SyntaxNode | undefined): Filter[] | undefined {
  if (isRows(node)) return [];
  if (node?.kind !== 'filter') return undefined;
  const [before, filter] = [filtersOf(node.children[0]), filterOf(node.children[1])];
  return before && filter ? [...before, filter] : undefined;
}

function orderOf(term: SyntaxNode | undefined): Order | undefined {
  let key = term?.children[0];
  if (key?.kind === 'block') key = key.children[0];
  const skipsNull = key?.kind === 'condition';
  const path = pathOf(skipsNull ? key?.children[1] : key);
  return path && { path, descending: term?.text === '>', ...(skipsNull && { skipsNull }) };
}

function groupingOf(name: SyntaxNode | undefined): Grouping | undefined {
  const [moment, from, length] = argumentsOf(name, 'substring') ?? [];
  const period = (Object.keys(PERIODS) as Period[]).find((one) => PERIODS[one] === literalOf(length));
  if (moment && (literalOf(from) !== 0 || !period)) return undefined;
  const field = moment ?? name;
  const converted = argumentsOf(field, 'string')?.[0];
  const path = pathOf(converted ?? field);
  return path && { path, ...(period && { period }), convertsToText: converted !== undefined };
}

/** Reads `$count(rows)` or `$sum(rows.field)`. */
function measureOf(node: SyntaxNode | undefined): { measure: Measure; rows: SyntaxNode } | undefined {
  const callee = node?.kind === 'call' ? node.children[0] : undefined;
  const summary = callee?.kind === 'variable' ? callee.text : '';
  const [numbers] = argumentsOf(node, summary) ?? [];
  if (!numbers || !isSummary(summary)) return undefined;
  if (summary === 'count') return { measure: { summary }, rows: numbers };
  const skipsNull = lastOf(numbers)?.kind === 'filter';
  let rows: SyntaxNode | undefined = numbers;
  const names: string[] = [];
  while (rows?.kind === 'path') {
    const name = pathOf(unfiltered(rows.children[1]));
    if (!name) return undefined;
    names.unshift(...name);
    rows = rows.children[0];
  }
  const first = pathOf(unfiltered(rows));
  if (first) names.unshift(...first);
  if (!rows || names.length === 0) return undefined;
  return {
    measure: { summary, path: names, ...(skipsNull && { skipsNull }) },
    rows: first ? ROWS : rows,
  };
}

/** Returns the last step of a path. */
const lastOf = (node: SyntaxNode) => (node.kind === 'path' ? node.children[1] : node);

/** Returns a name without the filter behind it. */
const unfiltered = (node: SyntaxNode | undefined) =>
  node?.kind === 'filter' && node.children[0]?.kind === 'name' ? node.children[0] : node;

const ROWS: SyntaxNode = { kind: 'variable', from: 0, to: 0, text: '', children: [] };

function groupsOf(node: SyntaxNode | undefined): Steps | undefined {
  const [groups] = argumentsOf(node, 'each') ?? [];
  if (groups?.kind !== 'group') return undefined;
  const [rows, name, value] = groups.children;
  const [filters, grouping, measured] = [filtersOf(rows), groupingOf(name), measureOf(value)];
  return filters && grouping && measured && { filters, grouping, measure: measured.measure };
}

function stepsOf(node: SyntaxNode | undefined): Steps | undefined {
  if (node?.kind === 'sort') {
    const [inner, term] = node.children;
    const [steps, order] = [stepsOf(inner), orderOf(term)];
    return steps && order && { ...steps, order };
  }
  const groups = groupsOf(node);
  if (groups) return groups;
  const measured = measureOf(node);
  const filters = filtersOf(measured ? measured.rows : node);
  return filters && { filters, ...(measured && { measure: measured.measure }) };
}

/**
 * Reads an expression as steps; none for an empty one and `$`. Undefined if it is too long, has errors or comments, or is, apart
 * from its layout, not what `writeSteps` writes: changing a step then changes nothing else.
 */
export function readSteps(expression: string): Steps | undefined {
  const text = expression.trim();
  if (text === '' || text === '$') return NO_STEPS;
  if (text.length > MAX_LENGTH) return undefined;
  const { root, comments, problems } = parseTolerantly(text);
  if (problems.length > 0 || comments.length > 0) return undefined;
  const meaning = meaningOf(text);
  const steps = meaning === undefined ? undefined : stepsOf(root);
  return steps && meaningOf(writeSteps(steps)) === meaning ? steps : undefined;
}
