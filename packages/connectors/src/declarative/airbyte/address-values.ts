import { JsonataError } from '@datadeck/jsonata';
import { compileBounded } from '../expression.ts';
import { isSecretName } from '../secret-parameter.ts';
import { type Component, componentOf, isComponent, isPlain, splitTemplate, textOf } from './component.ts';
import { aroundLabel, fixedOriginOf, originOf, urlBaseOf } from './import-address.ts';
import { type Code, literal, MISSING } from './jinja/code.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';
import { choicesOf, propertiesAt, withoutTags } from './spec-properties.ts';
import { variablesOf } from './variables.ts';

/** A value of the configuration on which addresses depend. All accounts of the connector have the same one. */
export interface AddressValue {
  /** Its place in the configuration: `credentials.region`. */
  path: string;
  label: string;
  tip: string;
  /** The given value, otherwise that of the specification; empty without one. */
  value: string;
  /** The values among which the specification lets people choose; none for a free one. */
  choices: string[];
  example: string;
}

/** Most values on which addresses depend. */
const MAX_VALUES = 12;
/** Names of values that are addresses, also with other words in their names: `token_refresh_endpoint`. */
const ADDRESS_NAME = /(?:endpoint|url|uri|host|domain)$/i;
/** Whether an address, as far as it is known, has a slash after its host. */
const isPastHost = (address: string) => address.replace(/^https?:\/\//, '').includes('/');

/** Returns a given value as the type of its property has it. @throws UntranslatableError for another one */
function typed(text: string, properties: readonly Component[], name: string): string | number | boolean {
  const [{ type, default: initial } = {} as Component] = properties;
  const choices = choicesOf(properties);
  const isNumber = type === 'integer' || type === 'number';
  const isChosen = choices.length === 0 || [...choices, String(initial)].includes(text);
  if (!isChosen || /[{}]/.test(text) || (isNumber && !/^-?\d+(?:\.\d+)?$/.test(text)))
    throw new UntranslatableError(`the value “${text.slice(0, 80)}” of ${name}`);
  return type === 'boolean' ? text === 'true' : isNumber ? Number(text) : text;
}

/**
 * Replaces the templates in hosts and in addresses of tokens by values of the configuration. The person who imports a manifest enters
 * these values, not those who connect accounts: the document names the hosts that get secrets.
 */
export class AddressValues {
  readonly #schema: Component;
  readonly #given: Readonly<Record<string, string>>;
  readonly #used = new Map<string, { path: readonly string[]; value?: string | number | boolean }>();
  readonly #reasons = new WeakMap<Component, string>();
  /** Places of the values that addresses have. */
  readonly #filled = new Set<string>();
  /** Places that the address that is being filled in reads. */
  #read = new Set<string>();

  /** @param given values by their places in the configuration: `{ 'credentials.region': 'eu' }` */
  constructor(spec: Component | undefined, given: Readonly<Record<string, string>>) {
    this.#schema = componentOf(spec, 'connection_specification') ?? {};
    this.#given = given;
  }

  /** The values that addresses read, also those that have none yet. */
  get used(): AddressValue[] {
    return [...this.#used].map(([name, { path, value }]) => {
      const properties = propertiesAt(this.#schema, path);
      const [property = {}] = properties;
      const [example] = Array.isArray(property.examples) ? property.examples : [];
      return {
        path: name,
        label: textOf(property, 'title').trim().slice(0, 80) || name,
        tip: withoutTags(textOf(property, 'description')).slice(0, 300),
        value: value === undefined ? '' : String(value),
        choices: choicesOf(properties),
        example: isPlain(example) ? String(example).slice(0, 100) : '',
      };
    });
  }

  /** Returns the literal of a value that a filled address reads; undefined for a value that stays a field of the form. */
  codeOf(path: readonly string[]): Code | undefined {
    return this.#filled.has(path.join('.')) ? this.#codeOf(path) : undefined;
  }

  #codeOf(path: readonly string[]): Code {
    const value = this.#used.get(path.join('.'))?.value;
    return value === undefined ? MISSING : literal(value);
  }

  /** Fills in an address, which has the values that it reads from then on. */
  #attempt(fill: () => string): ReturnType<typeof attempt<string>> {
    this.#read = new Set();
    const filled = attempt(fill);
    if ('value' in filled) for (const name of this.#read) this.#filled.add(name);
    return filled;
  }

  /** Returns why the address of a requester, or of the tokens of an authenticator, could not be filled in; undefined if it could. */
  reasonOf(component: Component): string | undefined {
    return this.#reasons.get(component);
  }

  /** Fills in the addresses of a component and of all within it, in place; `reasonOf` says where that failed. */
  fillIn(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.fillIn(item);
    if (!isComponent(value)) return;
    for (const [name, inner] of Object.entries(value)) if (name !== '$parameters') this.fillIn(inner);
    if (value.type === 'OAuthAuthenticator') this.#fillTokenAddress(value);
    // After its authenticator: a label that the address of tokens has is no field of the form.
    if (value.type === 'HttpRequester') this.#fillRequester(value);
  }

  #fillRequester(requester: Component): void {
    const base = urlBaseOf(requester);
    if (!/\{[{%]/.test(base)) return;
    const kept = attempt(() => originOf(base));
    if ('value' in kept) {
      const label = aroundLabel(kept.value)?.name;
      const isKnown = label !== undefined && (Object.hasOwn(this.#given, label) || this.#filled.has(label));
      // A label that each person enters.
      if (fixedOriginOf(base) === kept.value || (label !== undefined && !isKnown)) return;
    }
    const filled = this.#attempt(() => this.#filledIn(base, requester));
    if ('reason' in filled) {
      this.#reasons.set(requester, filled.reason);
      return;
    }
    delete requester.url;
    requester.url_base = filled.value;
  }

  #fillTokenAddress(authenticator: Component): void {
    const address = textOf(authenticator, 'token_refresh_endpoint');
    if (!/\{[{%]/.test(address)) return;
    const filled = this.#attempt(() => {
      const text = this.#text(address, authenticator);
      if (fixedOriginOf(text)) return text;
      this.#requireValues('an address of tokens');
      throw new UntranslatableError('an address of tokens that is computed');
    });
    if ('value' in filled) authenticator.token_refresh_endpoint = filled.value;
    else this.#reasons.set(authenticator, filled.reason);
  }

  /** Fills in the host of an address. What follows the host stays a template. @throws UntranslatableError */
  #filledIn(base: string, requester: Component): string {
    let address = '';
    if (base.includes('{%')) address = this.#text(base, requester);
    else
      for (const [index, part] of splitTemplate(base).entries())
        address += index % 2 === 1 && !isPastHost(address) ? this.#text(part, requester) : part;
    // Where a manifest has the scheme, people enter whole addresses too.
    address = address.replace(/^https:\/\/https?:\/\//, 'https://');
    const origin = fixedOriginOf(address);
    if (origin !== undefined) return origin + address.slice(origin.length);
    this.#requireValues('an address');
    throw new UntranslatableError(
      address.startsWith('http:') ? 'an address without TLS' : `“${address.slice(0, 80)}” as an address`,
    );
  }

  /** Requires that the values that an address reads are known. @throws UntranslatableError */
  #requireValues(what: string): void {
    const unset = [...this.#read].filter((name) => this.#used.get(name)?.value === undefined);
    if (unset.length > 0)
      throw new UntranslatableError(`${what} that needs a value of ${unset.join(' and ')}`);
  }

  /** Returns the text of a template that reads the configuration alone. @throws UntranslatableError */
  #text(template: string, owner: Component): string {
    if (/\bregex_/.test(template)) throw new UntranslatableError('an address with a pattern');
    const { text, constant } = translateTemplate(
      template,
      variablesOf({
        config: {
          property: (path) => propertiesAt(this.#schema, path)[0],
          code: (path) => this.#use(path),
        },
        parameters: componentOf(owner, '$parameters') ?? {},
        slice: new Map(),
      }),
    );
    if (constant !== undefined) return constant.trim();
    try {
      const value = compileBounded(text).evaluate({});
      if (typeof value === 'string') return value.trim();
    } catch (error) {
      if (!(error instanceof JsonataError)) throw error;
    }
    throw new UntranslatableError('an address that cannot be computed');
  }

  #use(path: readonly string[]): Code {
    const name = path.join('.');
    const properties = propertiesAt(this.#schema, path);
    const [property = {}] = properties;
    const last = path.at(-1) ?? '';
    if (property.airbyte_secret === true || (isSecretName(last) && !ADDRESS_NAME.test(last)))
      throw new UntranslatableError(`the secret ${name} in an address`);
    if (!this.#used.has(name)) {
      if (this.#used.size >= MAX_VALUES)
        throw new UntranslatableError('an address that needs too many values');
      const given = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
      const value =
        given === undefined || given === '' ? property.default : typed(given.trim(), properties, name);
      this.#used.set(name, { path, ...(isPlain(value) && value !== '' && { value }) });
    }
    this.#read.add(name);
    return this.#codeOf(path);
  }
}
