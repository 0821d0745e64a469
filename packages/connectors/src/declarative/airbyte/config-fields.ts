import { isSecretName } from '../secret-parameter.ts';
import type { AddressValues } from './address-values.ts';
import { type Component, componentOf, isComponent, isPlain } from './component.ts';
import { type Code, call, code } from './jinja/code.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { propertiesAt, withoutTags } from './spec-properties.ts';

/** Longest name of a field. */
const MAX_NAME = 31;
/** Most fields of a connect form. */
const MAX_FIELDS = 12;

/** A field of the connect form that a manifest reads. */
export interface ConfigField {
  name: string;
  path: readonly string[];
  property: Component;
  /** Whether it is a further secret, which only the authentication names. */
  isHidden?: boolean;
}

/** Returns a name for a path in the form's style: `credentials.client_id` is `credentialsClientId`. */
function nameOf(path: readonly string[], taken: ReadonlySet<string>): string {
  const words = path.flatMap((part) => part.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('');
  const base = (/^[a-z]/.test(joined) ? joined : `f${joined}`).slice(0, MAX_NAME);
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base.slice(0, MAX_NAME - 2)}${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Whether a value identifies an account, and proves nothing: `realm_id`. Some manifests call such values secret. */
function isIdentifier(path: readonly string[]): boolean {
  const name = path.at(-1) ?? '';
  return /(?:^|[_-])id$|[a-z]Id$/.test(name) && !isSecretName(name);
}

/** The fields of the connect form: those that the translated parts of a manifest read. */
export class ConfigFields {
  readonly #schema: Component;
  readonly #secret: string;
  readonly #addresses: AddressValues;
  readonly #fields = new Map<string, ConfigField>();

  /**
   * @param secret path of the secret as JSON, which no expression may read
   * @param addresses values that are no fields, because addresses depend on them
   */
  constructor(spec: Component | undefined, secret: string, addresses: AddressValues) {
    this.#schema = componentOf(spec, 'connection_specification') ?? {};
    this.#addresses = addresses;
    this.#secret = secret;
  }

  get fields(): ConfigField[] {
    return [...this.#fields.values()];
  }

  property(path: readonly string[]): Component | undefined {
    return propertiesAt(this.#schema, path)[0];
  }

  /** Returns what removes the fields that were added since. */
  restorer(): () => void {
    const before = [...this.#fields];
    return () => {
      this.#fields.clear();
      for (const [key, field] of before) this.#fields.set(key, field);
    };
  }

  /** Whether a value is secret: by the specification, or by its name. */
  isSecret(path: readonly string[]): boolean {
    return this.property(path)?.airbyte_secret === true || isSecretName(path.at(-1) ?? '');
  }

  /** Returns the field of a path, which becomes one of the form. @throws UntranslatableError for the secret, an object, and too many */
  field(path: readonly string[]): ConfigField {
    const key = JSON.stringify(path);
    const known = this.#fields.get(key);
    if (known && !known.isHidden) return known;
    const property = this.property(path) ?? {};
    if (known || key === this.#secret || (this.isSecret(path) && !isIdentifier(path)))
      throw new UntranslatableError(`the secret ${path.join('.')} in a request`);
    if (property.type === 'object')
      throw new UntranslatableError(`the object ${path.join('.')} of the connect form`);
    return this.#add(path, property, false);
  }

  /** The fields that are not hidden, although the manifest calls them secret: `realm_id`. */
  get plainIdentifiers(): ConfigField[] {
    return this.fields.filter(({ path, isHidden }) => !isHidden && this.isSecret(path));
  }

  /** Returns the field that the authentication names: a further secret, if the manifest calls it one. @throws UntranslatableError */
  accessField(path: readonly string[], isSecret?: boolean): ConfigField {
    const property = this.property(path) ?? {};
    if (isSecret !== true && !this.isSecret(path)) return this.field(path);
    const known = this.#fields.get(JSON.stringify(path));
    return known ?? this.#add(path, { ...property, default: undefined, examples: [] }, true);
  }

  /** Returns a field that the manifest has a fixed value for. */
  fixedField(name: string, initial: string): ConfigField {
    return this.#fields.get(JSON.stringify([name])) ?? this.#add([name], { default: initial }, false);
  }

  #add(path: readonly string[], property: Component, isHidden: boolean): ConfigField {
    if (this.#fields.size >= MAX_FIELDS)
      throw new UntranslatableError('more than 12 fields of the connect form');
    const name = nameOf(path, new Set(this.fields.map((field) => field.name)));
    const field = { name, path, property, ...(isHidden && { isHidden }) };
    this.#fields.set(JSON.stringify(path), field);
    return field;
  }

  /** Returns the code of a path. A field that is left out is missing. */
  code(path: readonly string[]): Code {
    const fixed = this.#addresses.codeOf(path);
    if (fixed) return fixed;
    const { name, property } = this.field(path);
    const source = `config.${name}`;
    const entered = `(${source} != "" ? ${source})`;
    switch (property.type) {
      case 'integer':
      case 'number':
        return call(`(${source} != "" ? $number(${source}))`, 'any');
      case 'boolean':
        return code(`${source} = "true"`, 'boolean');
      case 'array':
        if (componentOf(property, 'items')?.type === 'object')
          throw new UntranslatableError(`the list of objects ${path.join('.')} of the connect form`);
        return call(`(${source} != "" ? $map($split(${source}, ","), $trim))`, 'any');
      default:
        return call(entered, 'any');
    }
  }
}

/** Returns a field of a connect form as documents have it. */
export function documentField(
  { name, path, property, isHidden }: ConfigField,
  required: boolean,
): Record<string, unknown> {
  const text = (value: unknown, most: number) => (typeof value === 'string' ? value.slice(0, most) : '');
  const examples = Array.isArray(property.examples) ? property.examples : [];
  const { default: initial } = property;
  return {
    name,
    label: text(property.title, 80).trim() || path.at(-1) || name,
    tip: withoutTags(text(property.description, 300)),
    required,
    ...(isHidden && { hidden: true }),
    placeholder:
      examples[0] === undefined || isComponent(examples[0]) ? '' : String(examples[0]).slice(0, 100),
    ...(isPlain(initial) && { defaultValue: String(initial).slice(0, 200) }),
  };
}
