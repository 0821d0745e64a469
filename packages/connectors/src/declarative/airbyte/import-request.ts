import { type Component, componentOf, isComponent, textOf } from './component.ts';
import type { ImportedAccess } from './imported-access.ts';
import { withHelpers } from './jinja/python-functions.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { type Literal, LiteralText, readLiteral } from './python-literal.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

/** A body as it is built: expressions by names, in objects and lists. */
type Body = string | Body[] | { [name: string]: Body };

/** Headers that the product sets itself. */
const OWN_HEADERS = ['accept-encoding', 'content-type', 'content-length', 'user-agent', 'connection', 'host'];
/** What Python’s `literal_eval` reads as a value of its own. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false' };

/** Whether a template is one value of the configuration that is a list. */
function isListOf(template: string, { config }: TemplateScope): boolean {
  const [, dotted, quoted] =
    /^\s*\{\{\s*config(?:\.(\w+)|\[\s*["'](\w+)["']\s*\])\s*\}\}\s*$/.exec(template) ?? [];
  const name = dotted ?? quoted;
  return name !== undefined && config.property([name])?.type === 'array';
}

/**
 * Returns an expression that yields nothing for an empty text: the CDK leaves such parameters out.
 * @throws UntranslatableError for a list, which the CDK sends as several parameters
 */
function sentText(template: string, scope: TemplateScope): string | undefined {
  const literal = readLiteral(template);
  if (Array.isArray(literal) || isListOf(template, scope))
    throw new UntranslatableError('a parameter with several values');
  const { text, constant } = translateTemplate(
    literal instanceof LiteralText ? literal.template : template,
    variablesOf(scope),
  );
  if (constant !== undefined) return constant === '' ? undefined : JSON.stringify(constant);
  return `($sent := ${text}; $sent != "" ? $sent)`;
}

/** Returns the expressions of a literal. */
function literalBody(literal: Literal, scope: TemplateScope): Body {
  if (literal instanceof LiteralText)
    return literal.isQuoted
      ? translateTemplate(literal.template, variablesOf(scope)).text
      : (textValue(literal.template, scope) ?? 'null');
  if (Array.isArray(literal)) return literal.map((item) => literalBody(item, scope));
  if (typeof literal !== 'object' || literal === null) return JSON.stringify(literal);
  return Object.fromEntries(Object.entries(literal).map(([name, own]) => [name, literalBody(own, scope)]));
}

/** Returns the expressions of a value in JSON: texts that look like lists, objects or numbers are such, as Python reads them. */
function jsonValue(template: string, scope: TemplateScope): Body | undefined {
  const literal = readLiteral(template);
  return literal === undefined ? textValue(template, scope) : literalBody(literal, scope);
}

function textValue(template: string, scope: TemplateScope): string | undefined {
  const { value, constant } = translateTemplate(template, variablesOf(scope));
  if (constant === undefined) return withHelpers(`$literal(${value})`);
  if (constant === '' || constant === 'None') return undefined;
  if (NUMBER.test(constant)) return constant;
  return WORDS[constant] ?? JSON.stringify(constant);
}

function bodyOf(value: unknown, scope: TemplateScope): Body | undefined {
  if (Array.isArray(value))
    return value.map((item) => bodyOf(item, scope)).filter((item) => item !== undefined);
  if (isComponent(value)) {
    const members = Object.entries(value).filter(([name]) => !name.startsWith('$'));
    const built = members.map(([name, inner]) => [name, bodyOf(inner, scope)] as const);
    return Object.fromEntries(built.filter((one): one is [string, Body] => one[1] !== undefined));
  }
  if (typeof value !== 'string')
    return value === null || value === undefined ? undefined : JSON.stringify(value);
  return jsonValue(value, scope);
}

function printedBody(body: Body): string {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return `[${body.map(printedBody).join(', ')}]`;
  const members = Object.entries(body).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${printedBody(inner)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Where a value is injected into a request. */
export interface InjectedAt {
  in: 'query' | 'header' | 'body';
  name: string;
}

/** Returns the place of a request option. @throws UntranslatableError */
function placeOf(option: Component, outer: TemplateScope): InjectedAt {
  const place = textOf(option, 'inject_into');
  const fixed = (template: string) =>
    translateTemplate(template, variablesOf(scopeAt(option, outer))).constant ?? '';
  const path = Array.isArray(option.field_path) ? option.field_path.map((part) => fixed(String(part))) : [];
  const name = path.length > 0 ? path.join('.') : fixed(textOf(option, 'field_name'));
  if (name === '') throw new UntranslatableError('an option of the request without a fixed name');
  if (
    path.length > 0 ? path.some((part) => part.includes('.')) : place.startsWith('body') && name.includes('.')
  )
    throw new UntranslatableError(`the name ${name} with a dot in the body`);
  switch (place) {
    case 'request_parameter':
      return { in: 'query', name };
    case 'header':
      return { in: 'header', name: name.toLowerCase() };
    case 'body_json':
    case 'body_data':
      return { in: 'body', name };
    default:
      throw new UntranslatableError(`an option of the request in ${place || 'no place'}`);
  }
}

/** The parts of a request as expressions, to which paginators, cursors and routers add theirs. */
export class RequestParts {
  readonly query: Record<string, string> = {};
  readonly headers: Record<string, string> = {};
  readonly #scope: TemplateScope;
  readonly #places: InjectedAt[] = [];
  #body: Body | undefined;
  isForm = false;

  private constructor(scope: TemplateScope) {
    this.#scope = scope;
  }

  /**
   * Reads parameters, headers and body of a requester.
   * @param movedSecrets parameters and headers that the authentication sends
   * @throws UntranslatableError
   */
  static of(
    requester: Component,
    outer: TemplateScope,
    movedSecrets: ImportedAccess['movedSecrets'],
  ): RequestParts {
    const parts = new RequestParts(outer);
    const scope = scopeAt(requester, outer);
    for (const [member, into] of [
      ['request_parameters', parts.query],
      ['request_headers', parts.headers],
    ] as const)
      for (const [name, value] of mappingOf(requester, member, scope, movedSecrets)) {
        const key = member === 'request_headers' ? name.toLowerCase() : name;
        if (!(member === 'request_headers' && OWN_HEADERS.includes(key))) into[key] = value;
      }
    parts.#readBody(requester, scope);
    return parts;
  }

  #readBody(requester: Component, scope: TemplateScope): void {
    const { request_body_json: json, request_body_data: data } = requester;
    const typed = componentOf(requester, 'request_body');
    const kind = String(typed?.type ?? '');
    const value = json ?? data ?? typed?.value;
    if (value === undefined || value === null) return;
    if (kind === 'RequestBodyGraphQL' || kind === 'RequestBodyPlainText')
      throw new UntranslatableError(`the body ${kind}`);
    this.isForm = json === undefined && (data !== undefined || kind === 'RequestBodyUrlEncodedForm');
    if (this.isForm) {
      if (!isComponent(value)) throw new UntranslatableError('a body that is a text');
      this.#body = Object.fromEntries(mappingOf({ value }, 'value', scope));
      return;
    }
    const body = bodyOf(value, scope);
    if (typeof body === 'string') throw new UntranslatableError('a body that is a text');
    this.#body = body;
  }

  /** Returns the place of an option. @throws UntranslatableError */
  placeOf(option: Component): InjectedAt {
    return placeOf(option, this.#scope);
  }

  /** Adds the value of an expression at the place of an option. @throws UntranslatableError */
  inject(option: Component | undefined, source: string): void {
    if (!option) return;
    const at = this.placeOf(option);
    this.#places.push(at);
    const { in: place, name } = at;
    if (place === 'query') this.query[name] = source;
    else if (place === 'header') this.headers[name] = source;
    else this.#injectInBody(name.split('.'), source, textOf(option, 'inject_into') === 'body_data');
  }

  #injectInBody(path: readonly string[], source: string, isForm: boolean): void {
    this.openBody(isForm);
    let owner: Body = this.#body as Body;
    for (const [index, name] of path.entries()) {
      if (typeof owner === 'string' || Array.isArray(owner))
        throw new UntranslatableError('an option of the request in a body that is computed');
      if (index === path.length - 1) owner[name] = source;
      else owner = owner[name] ??= {};
    }
  }

  /** Returns where values were injected, in their order. */
  places(): readonly InjectedAt[] {
    return [...this.#places];
  }

  /** Makes a body, to which later pages add. */
  openBody(isForm: boolean): void {
    if (this.#body === undefined) {
      this.#body = {};
      this.isForm = isForm;
    }
    if (this.isForm !== isForm) throw new UntranslatableError('a body of two formats');
  }

  /** Whether the request has a body, also one that is added for later pages. */
  get hasBody(): boolean {
    return this.#body !== undefined;
  }

  /** Returns the members of a document's request. */
  document(): Record<string, unknown> {
    const body = printedBody(this.#body ?? {});
    return {
      query: this.query,
      headers: this.headers,
      // Without members nothing is sent; later pages may add some.
      ...(body !== '{}' && { body }),
      ...(this.isForm && { bodyFormat: 'form' }),
    };
  }
}

/** Returns the entries of a mapping of templates; what prints nothing is left out. @throws UntranslatableError */
function mappingOf(
  owner: Component,
  name: string,
  scope: TemplateScope,
  movedSecrets: ImportedAccess['movedSecrets'] = [],
): [string, string][] {
  const given = owner[name];
  if (given === undefined || given === null) return [];
  if (!isComponent(given)) throw new UntranslatableError(`${name} as one text`);
  return Object.entries(given).flatMap(([key, value]): [string, string][] => {
    if (key.startsWith('$') || value === null) return [];
    const place = name === 'request_headers' ? 'header' : 'query';
    const secret = movedSecrets.find((one) => one.in === place && one.name === key);
    if (secret && String(value).includes(secret.path.at(-1) ?? '')) return [];
    if (secret) throw new UntranslatableError(`another value of ${key} than other streams have`);
    if (isComponent(value) && value.type === 'QueryProperties')
      throw new UntranslatableError('the properties of a query');
    if (isComponent(value) || Array.isArray(value))
      throw new UntranslatableError(`a list or object in ${name}`);
    if (/\{\{/.test(key)) throw new UntranslatableError(`a computed name in ${name}`);
    const template = typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
    const source = sentText(template, scope);
    return source === undefined ? [] : [[key, source]];
  });
}
