import { type Component, splitTemplate } from './component.ts';
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

const QUOTED = `(?:"[^"'\\\\]+"|'[^"'\\\\]+')`;
const STEP = `(?:\\.get\\(\\s*${QUOTED}\\s*(?:,\\s*(?:\\{\\}|''|""|None)\\s*)?\\)|\\.(?!get\\()\\w+|\\[\\s*${QUOTED}\\s*\\])`;
const PLACE = `config(?:${STEP})+`;
const WHOLE = new RegExp(`^${PLACE}$`);
const CHOICE = new RegExp(`^(${PLACE})\\s+(?:or|if\\s[^]*?\\selse)\\s+`);
const TERM = new RegExp(`^(?:(${PLACE})|"([^"'\\\\]*)"|'([^"'\\\\]*)')\\s*`);
/** Longest expression that is read; those of manifests have some hundred characters. */
const MAX_EXPRESSION = 1000;
/** Holes of a text that hold paths, as JSON. */
const PATH_HOLE = /\{(\[[^{}]*\])\}/g;

/** Returns the path that an expression reads: `config["a"].b` is a and b. */
function pathOf(place: string): string[] {
  const steps = new RegExp(`\\.get\\(\\s*(${QUOTED})|\\.(\\w+)|\\[\\s*(${QUOTED})`, 'g');
  return [...place.slice('config'.length).matchAll(steps)].map(
    ([, got, name, quoted]) => name ?? (got ?? quoted ?? '').slice(1, -1),
  );
}

/** Returns the terms of a sum: `config["a"] + "/b"`; undefined for any other expression. */
function sumOf(expression: string): ConfigPart[] | undefined {
  const parts: ConfigPart[] = [];
  for (let rest = expression; ; ) {
    const [whole, place, double, single] = TERM.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    parts.push(place === undefined ? (double ?? single ?? '') : pathOf(place));
    rest = rest.slice(whole.length);
    if (rest === '') return parts;
    const [operator] = /^[+~]\s*/.exec(rest) ?? [];
    if (operator === undefined) return undefined;
    rest = rest.slice(operator.length);
  }
}

/** Returns the places among which an expression chooses: `config["a"] or config["b"]`; none for any other expression. */
function choicesOf(expression: string): string[][] {
  const found = CHOICE.exec(expression);
  if (found?.[1]) {
    const others = choicesOf(expression.slice(found[0].length));
    return others.length > 0 ? [pathOf(found[1]), ...others] : [];
  }
  return WHOLE.test(expression) ? [pathOf(expression)] : [];
}

/**
 * Returns the fixed texts and the values of a template in their order. Of places among which it chooses, the first one that the
 * specification has.
 * @throws UntranslatableError for any other expression
 */
export function partsOf(template: string, what: string, spec: ConfigSpec): ConfigPart[] {
  const parts = splitTemplate(template).flatMap((part, index): ConfigPart[] => {
    if (index % 2 === 0) return part === '' ? [] : [part];
    const expression = part.slice(2, -2).trim();
    const choices = expression.length > MAX_EXPRESSION ? [] : choicesOf(expression);
    const chosen = choices.find((path) => spec.property(path) !== undefined) ?? choices[0];
    const found = chosen ? [chosen] : expression.length > MAX_EXPRESSION ? undefined : sumOf(expression);
    if (!found) throw new UntranslatableError(`${what} is computed`);
    return found;
  });
  for (const part of parts) {
    const isPlain =
      typeof part === 'string' ? /^[\x20-\x7a|~]*$/.test(part) : part.every((name) => !/[{}]/.test(name));
    if (!isPlain) throw new UntranslatableError(`${what} has characters that no text of a document has`);
  }
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

/** How a header has user and password: as Basic, by a filter for the pair. */
const PAIR = /^Basic\s\{\{\s*(.+?)\s*\|\s*base64encode\s*\}\}\s*$/;

/** Returns user, colon and password of a header that is Basic by a filter of its own; undefined for any other one. */
export function basicPair(template: string, spec: ConfigSpec): ConfigPart[] | undefined {
  const inner = PAIR.exec(template)?.[1];
  if (inner === undefined || inner.length > MAX_EXPRESSION) return undefined;
  const list = /^\[([^,]+),([^,]+)\]\s*\|\s*join\(\s*(?:':'|":")\s*\)$/.exec(inner);
  // Without parentheses, the filter is for the last term only.
  const sum = list ? `${list[1]?.trim()} ~ ":" ~ ${list[2]?.trim()}` : /^\((.*)\)$/.exec(inner)?.[1];
  if (sum === undefined) return undefined;
  const read = attempt(() => partsOf(`{{ ${sum} }}`, 'the pair', spec));
  return 'value' in read ? read.value : undefined;
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
