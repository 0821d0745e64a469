import { repeatedParts } from '../repeated-parts.ts';
import { type Component, componentOf, isComponent, textOf } from './component.ts';
import { type ConfigPart, type ConfigSpec, partsOf, textWithPaths } from './config-text.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';

/** A part of a request for a token. */
export interface TokenPart {
  in: 'body' | 'query' | 'header';
  name: string;
  parts: readonly ConfigPart[];
}

/** The type of a form. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Headers that belong to the connection. */
const OWN_HEADERS = ['accept-encoding', 'content-length', 'connection', 'host'];

/** Returns a fixed address of a request for tokens, and its parameters. @throws UntranslatableError for a computed one */
export function tokenAddress(address: string): { tokenUrl: string; parts: TokenPart[] } {
  const [tokenUrl = '', ...search] = address.split('?');
  if (!/^https:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?$/.test(tokenUrl) || search.length > 1)
    throw new UntranslatableError('an address of tokens that is computed');
  const parts = [...new URLSearchParams(search[0] ?? '')].map(
    ([name, value]): TokenPart => ({ in: 'query', name, parts: [value] }),
  );
  if (parts.some(({ parts: [value] }) => value === '' || /[{}]/.test(String(value))))
    throw new UntranslatableError('an address of tokens that is computed');
  return { tokenUrl, parts };
}

/**
 * Returns the value of a mapping, which Python reads as a literal where it looks like one.
 * @returns undefined for what is left out
 * @throws UntranslatableError
 */
function valueIn(value: unknown, what: string, { spec, isJson }: { spec: ConfigSpec; isJson: boolean }) {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value !== 'string' && (typeof value !== 'number' || isJson))
    throw new UntranslatableError(`${what} is no text`);
  const parts = partsOf(String(value), what, spec);
  const [first, inner, last, ...more] = parts;
  // Quotes around a value make it a text.
  if (first === last && /^["']$/.test(String(first)) && typeof inner === 'object' && more.length === 0)
    return [inner];
  if (typeof first !== 'string') return parts;
  const isNumber = parts.length === 1 && isJson && /^[-+.\d]/.test(first) && !Number.isNaN(Number(first));
  if (isNumber || /^\s*["'([]/.test(first) || (parts.length === 1 && /^(?:None|True|False)$/.test(first)))
    throw new UntranslatableError(`${what} is no text`);
  return parts;
}

/** Returns the parts of a mapping of a requester. @throws UntranslatableError */
export function partsIn(
  given: unknown,
  {
    what,
    place,
    spec,
    isJson = false,
  }: { what: string; place: TokenPart['in']; spec: ConfigSpec; isJson?: boolean },
): TokenPart[] {
  if (given === undefined || given === null) return [];
  if (!isComponent(given)) throw new UntranslatableError(`${what} as one text`);
  return Object.entries(given).flatMap(([name, value]): TokenPart[] => {
    if (name.startsWith('$')) return [];
    if (!/^[\x21-\x7a|~]{1,100}$/.test(name)) throw new UntranslatableError(`a computed name in ${what}`);
    const parts = valueIn(value, `${name} of ${what}`, { spec, isJson });
    return parts === undefined ? [] : [{ in: place, name, parts }];
  });
}

/** Returns the headers of a request but those that it has without them. @throws UntranslatableError */
export function headersIn(
  given: unknown,
  { what, spec, type }: { what: string; spec: ConfigSpec; type: string | undefined },
): TokenPart[] {
  return partsIn(given, { what, place: 'header', spec }).filter(({ name, parts: [value] }) => {
    const header = name.toLowerCase();
    const isOwn =
      (header === 'content-type' && value === type) || (header === 'accept' && value === 'application/json');
    return !isOwn && !OWN_HEADERS.includes(header);
  });
}

/** Returns the body of a requester. @throws UntranslatableError */
export function bodyOf(
  requester: Component,
  spec: ConfigSpec,
): { isForm: boolean; type: string | undefined; parts: TokenPart[] } {
  const typed = componentOf(requester, 'request_body');
  const kind = textOf(typed, 'type');
  const { request_body_json: json, request_body_data: data } = requester;
  if (typed && kind !== 'RequestBodyJsonObject' && kind !== 'RequestBodyUrlEncodedForm')
    throw new UntranslatableError(`the body ${kind}`);
  const isForm = kind === 'RequestBodyUrlEncodedForm' || (json === undefined && data !== undefined);
  const given = [json, data, typed?.value].filter(
    (value) =>
      value !== undefined && value !== null && !(isComponent(value) && Object.keys(value).length === 0),
  );
  if (given.length > 1) throw new UntranslatableError('a sign-in with two bodies');
  const parts = partsIn(given[0], { what: 'the body of the sign-in', place: 'body', spec, isJson: !isForm });
  return {
    isForm: isForm || parts.length === 0,
    type: parts.length === 0 ? undefined : isForm ? FORM_TYPE : 'application/json',
    parts,
  };
}

/**
 * Returns parts as documents have them, with paths in their holes.
 * @param own parts that the request has without them
 * @throws UntranslatableError for two of one name
 */
export function partsOfDocument(
  parts: readonly TokenPart[],
  own?: Parameters<typeof repeatedParts>[1],
): object[] {
  if (repeatedParts(parts, own).length > 0)
    throw new UntranslatableError('two parts of one name in a request for tokens');
  return parts.map(({ parts: value, ...part }) => ({ ...part, value: textWithPaths(value) }));
}
