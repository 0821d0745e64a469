import type { Node } from '@datadeck/jsonata';

export type Path = readonly string[];
export type Scalar = string | number | boolean | null;
export type Order = '<' | '<=' | '>' | '>=';

/** What a predicate asks of one field. */
export type FieldCondition =
  | { readonly kind: 'equals' | 'differs'; readonly path: Path; readonly value: Scalar }
  | { readonly kind: 'compare'; readonly path: Path; readonly order: Order; readonly value: string | number }
  | { readonly kind: 'contains'; readonly path: Path; readonly value: string }
  | { readonly kind: 'includes'; readonly path: Path; readonly value: string | number }
  | { readonly kind: 'exists'; readonly path: Path };

/** What a predicate asks of a record, as far as the database can tell. */
export type Condition =
  | FieldCondition
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  /** Anything else: true, false or an error. */
  | { readonly kind: 'unknown' };

/** Values of variables that the caller binds. */
export type Bindings = Readonly<Record<string, unknown>>;

const MIRRORED: Readonly<Record<Order, Order>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const UNKNOWN: Condition = { kind: 'unknown' };

/** Whether the database can be handed the text: it knows no NUL and no half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isBare(node: Node): boolean {
  return !(node.predicate || node.stages || node.group || node.keepArray || node.tuple || node.focus);
}

/** The names of a path that is nothing but names. */
function pathOf(node: Node): Path | undefined {
  if (node.type !== 'path' || !isBare(node) || node.keepSingletonArray) return undefined;
  const names = node.steps.map((step) =>
    step.type === 'name' && isBare(step) && isStorable(step.value) ? step.value : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}

function scalarOf(node: Node, bindings: Bindings): { value: Scalar } | undefined {
  if (!isBare(node)) return undefined;
  let value: unknown;
  if (node.type === 'string' || node.type === 'number' || node.type === 'value') value = node.value;
  else if (node.type === 'variable' && Object.hasOwn(bindings, node.value)) value = bindings[node.value];
  else return undefined;
  if (typeof value === 'string') return isStorable(value) ? { value } : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : undefined;
  return typeof value === 'boolean' || value === null ? { value } : undefined;
}

function isOrder(operator: string): operator is Order {
  return Object.hasOwn(MIRRORED, operator);
}

/** Reads a part of a predicate whose value is taken as true or false. */
export function conditionOf(node: Node, bindings: Bindings): Condition {
  if (!isBare(node)) return UNKNOWN;
  if (node.type === 'block' && node.expressions.length === 1)
    return conditionOf(node.expressions[0] as Node, bindings);
  if (node.type === 'function') return callCondition(node, bindings);
  if (node.type !== 'binary') return UNKNOWN;
  const { value: operator, lhs, rhs } = node;
  if (operator === 'and' || operator === 'or')
    return { kind: operator, parts: [lhs, rhs].flatMap((side) => partsOf(side, operator, bindings)) };
  if (operator === 'in') return membership(lhs, rhs, bindings);
  const [left, right] = [pathOf(lhs), scalarOf(rhs, bindings)];
  if (left !== undefined && right !== undefined) return comparison(operator, left, right.value);
  const [constant, path] = [scalarOf(lhs, bindings), pathOf(rhs)];
  if (constant === undefined || path === undefined) return UNKNOWN;
  return comparison(isOrder(operator) ? MIRRORED[operator] : operator, path, constant.value);
}

/** The parts of a chain of the same operator. */
function partsOf(node: Node, operator: 'and' | 'or', bindings: Bindings): readonly Condition[] {
  const condition = conditionOf(node, bindings);
  return condition.kind === operator ? condition.parts : [condition];
}

function comparison(operator: string, path: Path, value: Scalar): Condition {
  if (operator === '=') return { kind: 'equals', path, value };
  if (operator === '!=') return { kind: 'differs', path, value };
  if (!isOrder(operator) || (typeof value !== 'string' && typeof value !== 'number')) return UNKNOWN;
  return { kind: 'compare', path, order: operator, value };
}

/** `value in path` and `path in [value, ...]`. */
function membership(lhs: Node, rhs: Node, bindings: Bindings): Condition {
  const item = scalarOf(lhs, bindings);
  const list = pathOf(rhs);
  if (item !== undefined && list !== undefined) {
    const { value } = item;
    return typeof value === 'string' || typeof value === 'number'
      ? { kind: 'includes', path: list, value }
      : UNKNOWN;
  }
  const path = pathOf(lhs);
  if (path === undefined || rhs.type !== 'unary' || rhs.value !== '[' || !isBare(rhs)) return UNKNOWN;
  const values = rhs.expressions.map((each) => scalarOf(each, bindings));
  if (!values.every((value) => value !== undefined)) return UNKNOWN;
  return { kind: 'or', parts: values.map(({ value }) => ({ kind: 'equals', path, value })) };
}

function callCondition(node: Node & { type: 'function' | 'partial' }, bindings: Bindings): Condition {
  const { procedure, arguments: args } = node;
  if (procedure.type !== 'variable' || !isBare(procedure)) return UNKNOWN;
  const [first, second] = args;
  const path = first === undefined ? undefined : pathOf(first);
  if (path === undefined) return UNKNOWN;
  if (procedure.value === 'exists' && args.length === 1) return { kind: 'exists', path };
  const text = second === undefined ? undefined : scalarOf(second, bindings)?.value;
  if (procedure.value === 'contains' && args.length === 2 && typeof text === 'string')
    return { kind: 'contains', path, value: text };
  return UNKNOWN;
}

/** The parts of a conjunction that count: what stands behind one that may fail matters no more. */
function countingParts(parts: readonly Condition[]): readonly Condition[] {
  const end = parts.findIndex((part) => !isUseful(part));
  return end < 0 ? parts : parts.slice(0, end);
}

/** Whether anything in the condition can be asked of the database. */
export function isUseful(condition: Condition): boolean {
  if (condition.kind === 'and') return countingParts(condition.parts).length > 0;
  if (condition.kind === 'or') return condition.parts.every(isUseful);
  return condition.kind !== 'unknown';
}

/** The condition as a person would write it; parts that the database is not asked are left out. */
export function describe(condition: Condition): string {
  const name = 'path' in condition ? condition.path.map(quoted).join('.') : '';
  switch (condition.kind) {
    case 'and':
      return countingParts(condition.parts)
        .map((part) => (part.kind === 'or' ? `(${describe(part)})` : describe(part)))
        .join(' and ');
    case 'or':
      return condition.parts.map(describe).join(' or ');
    case 'equals':
      return `${name} = ${JSON.stringify(condition.value)}`;
    case 'differs':
      return `${name} != ${JSON.stringify(condition.value)}`;
    case 'compare':
      return `${name} ${condition.order} ${JSON.stringify(condition.value)}`;
    case 'contains':
      return `$contains(${name}, ${JSON.stringify(condition.value)})`;
    case 'includes':
      return `${JSON.stringify(condition.value)} in ${name}`;
    case 'exists':
      return `$exists(${name})`;
    default:
      return '';
  }
}

/** A name as an expression writes it. */
function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !['and', 'or', 'in', 'true', 'false', 'null'].includes(name)
    ? name
    : `\`${name}\``;
}
