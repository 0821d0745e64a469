import { isRecord } from '@datadeck/contract/table-columns';

/** References that are followed, one after the other, and steps of one description: references may form circles. */
const MAX_REFERENCES = 20;
const MAX_STEPS = 200_000;
const MAX_DEPTH = 6;
const MAX_PROPERTIES = 60;

type Schema = Record<string, unknown>;

/** Reads parts of an OpenAPI description, and writes samples of what its schemas describe. */
export class OpenApiReader {
  readonly root: Schema;
  #steps = 0;

  constructor(root: Schema) {
    this.root = root;
  }

  /** Returns an object, following local references; an empty one for anything else. */
  object(value: unknown): Schema {
    let found = value;
    for (let count = 0; count < MAX_REFERENCES && isRecord(found); count++) {
      const reference = found.$ref;
      if (typeof reference !== 'string') return found;
      found = reference.startsWith('#/') ? this.#at(reference) : undefined;
    }
    return {};
  }

  list(value: unknown): unknown[] {
    return Array.isArray(value) ? value : [];
  }

  #at(reference: string): unknown {
    return reference
      .slice(2)
      .split('/')
      .slice(0, 50)
      .map((part) => safelyDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
        this.root,
      );
  }

  /** Returns a value as a schema describes it: dates of the year 2026, lists of one element. */
  sample(value: unknown, depth = 0): unknown {
    if (depth > MAX_DEPTH || ++this.#steps > MAX_STEPS) return null;
    const schema = this.object(value);
    const type = this.#typeOf(schema);
    if (type === 'array') return [this.sample(schema.items, depth + 1)];
    if (type === 'object') return this.#sampleObject(schema, depth);
    const choice = [...this.list(schema.oneOf), ...this.list(schema.anyOf)].find(
      (one) => this.object(one).type !== 'null',
    );
    if (choice !== undefined) return this.sample(choice, depth + 1);
    const [first] = this.list(schema.enum);
    const given = schema.example ?? schema.default ?? first;
    if (['string', 'number', 'boolean'].includes(typeof given) && type === undefined) return given;
    return sampleScalar(type, schema, given);
  }

  #typeOf(schema: Schema): string | undefined {
    const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
    if (typeof type === 'string') return type;
    if (isRecord(schema.properties) || this.list(schema.allOf).length > 0) return 'object';
    return schema.items === undefined ? undefined : 'array';
  }

  #sampleObject(schema: Schema, depth: number): unknown {
    const found: Schema = {};
    for (const part of this.list(schema.allOf).slice(0, 20)) {
      const inner = this.sample(part, depth + 1);
      if (isRecord(inner)) Object.assign(found, inner);
      else if (Array.isArray(inner)) return inner;
    }
    const properties = isRecord(schema.properties)
      ? Object.entries(schema.properties).slice(0, MAX_PROPERTIES)
      : [];
    for (const [name, property] of properties)
      if (name !== '__proto__') found[name] = this.sample(property, depth + 1);
    return found;
  }
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sampleScalar(type: string | undefined, { format }: Schema, given: unknown): unknown {
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
      return typeof given === 'number' ? given : 1;
    case 'number':
      return typeof given === 'number' ? given : 1.5;
    case 'string':
      if (format === 'date-time') return '2026-01-01T00:00:00Z';
      if (format === 'date') return '2026-01-01';
      return typeof given === 'string' && given !== '' ? given : 'text';
    default:
      return null;
  }
}
