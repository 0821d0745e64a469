import type { Component } from './component.ts';
import { type JinjaNode, parseTemplate } from './jinja/parse-template.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';

/** What a specification says of the configuration. */
export interface ConfigSpec {
  property(path: readonly string[]): Component | undefined;
  isSecret(path: readonly string[]): boolean;
}

/** A fixed text, or the path of a value of the configuration. */
export type ConfigPart = string | readonly string[];

/** Whether a part is a value of the configuration. */
export const isPath = (part: ConfigPart | undefined): part is readonly string[] => typeof part === 'object';

/** Holes of a text that hold paths, as JSON. */
const PATH_HOLE = /\{(\[[^{}]*\])\}/g;

const node = (value: unknown) => value as JinjaNode;
const isText = (value: JinjaNode) => value.type === 'StringLiteral';
/** Whether a default of `get` is as good as none. */
const isEmpty = ({ type, value }: JinjaNode) =>
  value === '' ||
  value === 'None' ||
  (type === 'ObjectLiteral' && (value as Map<unknown, unknown>).size === 0);

/** Returns the path that an expression reads: `config["a"].get("b")` is a and b; undefined for any other expression. */
function pathOf(expression: JinjaNode): string[] | undefined {
  if (expression.type === 'Identifier') return expression.value === 'config' ? [] : undefined;
  if (expression.type === 'CallExpression') {
    const [name, initial, ...more] = expression.args as JinjaNode[];
    const { type, object, property, computed } = node(expression.callee);
    const isGet = type === 'MemberExpression' && !computed && node(property).value === 'get';
    if (!isGet || !name || !isText(name) || (initial && !isEmpty(initial)) || more.length > 0)
      return undefined;
    const owner = pathOf(node(object));
    return owner && [...owner, String(name.value)];
  }
  if (expression.type !== 'MemberExpression') return undefined;
  const property = node(expression.property);
  const owner = pathOf(node(expression.object));
  const isName = expression.computed ? isText(property) : property.type === 'Identifier';
  return isName && owner ? [...owner, String(property.value)] : undefined;
}

const operatorOf = (expression: JinjaNode) =>
  expression.type === 'BinaryExpression' ? String(node(expression.operator).value) : '';

/** Returns the places that a condition reads; undefined where it reads more than the configuration. */
function placesOf(condition: JinjaNode): string[][] | undefined {
  const path = pathOf(condition);
  if (path) return [path];
  if (/Literal$/.test(condition.type)) return [];
  if (condition.type === 'TestExpression') return placesOf(node(condition.operand));
  if (condition.type === 'UnaryExpression') return placesOf(node(condition.argument));
  if (condition.type !== 'BinaryExpression') return undefined;
  const [left, right] = [node(condition.left), node(condition.right)];
  const owner = /^(?:not )?in$/.test(operatorOf(condition)) && isText(left) ? pathOf(right) : undefined;
  if (owner) return [[...owner, String(left.value)]];
  const [own, others] = [placesOf(left), placesOf(right)];
  return own && others && [...own, ...others];
}

/** Whether one of two places is in the other one, or is it. */
const isWithin = (one: readonly string[], other: readonly string[]) =>
  one.every((name, index) => index >= other.length || name === other[index]);

/**
 * Returns the places among which an expression chooses: `config["a"] or config["b"]`; none for any other expression. A choice by another
 * value is none, unless the specification has one place only.
 */
function choicesOf(expression: JinjaNode, spec: ConfigSpec): string[][] {
  const read = expression.type === 'Ternary' ? placesOf(node(expression.condition)) : undefined;
  if (!read && operatorOf(expression) !== 'or') {
    const path = pathOf(expression);
    return path && path.length > 0 ? [path] : [];
  }
  const { left, right, trueExpr, falseExpr } = expression;
  const sides = (read ? [trueExpr, falseExpr] : [left, right]).map((side) => choicesOf(node(side), spec));
  if (sides.some((side) => side.length === 0)) return [];
  const choices = sides.flat();
  const known = new Set(choices.filter((path) => spec.property(path) !== undefined).map(String));
  const isByOther = read?.some((place) => !choices.some((choice) => isWithin(place, choice))) === true;
  return isByOther && known.size > 1 ? [] : choices;
}

/** Returns the fixed texts and the values of an expression in their order; undefined for any other expression. */
function termsOf(expression: JinjaNode, spec: ConfigSpec): ConfigPart[] | undefined {
  if (isText(expression)) return expression.value === '' ? [] : [String(expression.value)];
  if (operatorOf(expression) === '+' || operatorOf(expression) === '~') {
    const [left, right] = [expression.left, expression.right].map((side) => termsOf(node(side), spec));
    return left && right && [...left, ...right];
  }
  const choices = choicesOf(expression, spec);
  const chosen = choices.find((path) => spec.property(path) !== undefined) ?? choices[0];
  return chosen && [chosen];
}

/** Requires that texts and names can be in the text of a document. @throws UntranslatableError */
function requirePlain(parts: readonly ConfigPart[], what: string): void {
  for (const part of parts) {
    const isPlain =
      typeof part === 'string' ? /^[\x20-\x7a|~]*$/.test(part) : part.every((name) => !/[{}]/.test(name));
    if (!isPlain) throw new UntranslatableError(`${what} has characters that no text of a document has`);
  }
}

/**
 * Returns the fixed texts and the values of a template in their order. Of places among which it chooses, the first one that the
 * specification has.
 * @throws UntranslatableError for any other expression
 */
export function partsOf(template: string, what: string, spec: ConfigSpec): ConfigPart[] {
  const parts = parseTemplate(template).flatMap((one) => {
    const found = termsOf(one, spec);
    if (!found) throw new UntranslatableError(`${what} is computed`);
    return found;
  });
  requirePlain(parts, what);
  return parts;
}

/** Returns the path of a template that is one value of the configuration. @throws UntranslatableError */
export function wholePath(template: string, what: string, spec: ConfigSpec): readonly string[] {
  const trimmed = template.trim();
  const [part, ...others] = trimmed.includes('{{') ? partsOf(trimmed, what, spec) : [];
  if (part === undefined || typeof part === 'string' || others.length > 0)
    throw new UntranslatableError(`${what} is no single value of the configuration`);
  return part;
}

/** Returns the operand of a filter; undefined for any other expression. */
function filtered(expression: JinjaNode | undefined, name: string): JinjaNode | undefined {
  if (expression?.type !== 'FilterExpression') return undefined;
  const filter = node(expression.filter);
  const isCall = filter.type === 'CallExpression';
  const [separator] = isCall ? (filter.args as JinjaNode[]) : [];
  const found = String(node(isCall ? filter.callee : filter).value);
  const isPair = name !== 'join' || separator?.value === ':';
  return found === name && isPair ? node(expression.operand) : undefined;
}

/**
 * Returns the parts that a template encodes as Basic: `Basic {{ (config.a ~ ':' ~ config.b) | base64encode }}`. Callers require that they
 * are user, colon and password. Returns undefined for any other template.
 */
export function basicPair(template: string, spec: ConfigSpec): ConfigPart[] | undefined {
  const read = attempt(() => parseTemplate(template.trimEnd()));
  const [scheme, encoded, ...more] = 'value' in read ? read.value : [];
  const pair = filtered(encoded, 'base64encode');
  if (scheme?.value !== 'Basic ' || !pair || more.length > 0) return undefined;
  const list = filtered(pair, 'join');
  if (list && list.type !== 'ArrayLiteral') return undefined;
  const members = list ? (list.value as JinjaNode[]).map((member) => termsOf(member, spec)) : [];
  const [user, password] = members;
  const parts = list
    ? user && password && members.length === 2 && [...user, ':', ...password]
    : termsOf(pair, spec);
  if (!parts || 'reason' in attempt(() => requirePlain(parts, 'the pair'))) return undefined;
  return parts;
}

/** Returns the paths among parts. */
export const pathsIn = (parts: readonly ConfigPart[]): (readonly string[])[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));

/** Returns parts as a text whose holes hold paths; `withFieldNames` puts the names of fields there. */
export function textWithPaths(parts: readonly ConfigPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : `{${JSON.stringify(part)}}`)).join('');
}

/** Returns a copy of an authentication whose texts have the names of fields in place of paths. */
export function withFieldNames<T>(authentication: T, nameOf: (path: readonly string[]) => string): T {
  return JSON.parse(JSON.stringify(authentication), (_name, value: unknown) =>
    typeof value === 'string'
      ? value.replace(PATH_HOLE, (_hole, path: string) => `{${nameOf(JSON.parse(path))}}`)
      : value,
  );
}
