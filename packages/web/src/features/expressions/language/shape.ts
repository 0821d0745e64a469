export type Kind = 'text' | 'number' | 'boolean' | 'null' | 'object' | 'function';

/** The inferred type of the values at one path of the data. A list has the shape of its items, as paths map over lists. */
export interface Shape {
  /** Kinds of the values; for lists, of their items. */
  readonly kinds: ReadonlySet<Kind>;
  /** Whether at least one value is a list. */
  readonly isList: boolean;
  /** Fields of the objects. */
  readonly fields: ReadonlyMap<string, Shape>;
  /** Whether there may be more fields than are known; then no field is reported as missing. */
  readonly isOpen: boolean;
  /** One of the values. */
  readonly example: unknown;
  /** The number of rows that have a value, out of how many; absent for computed values. */
  readonly share?: { readonly rows: number; readonly of: number } | undefined;
}

/** Maximum depth, fields per object and items per list that are inspected. */
const MAX_DEPTH = 12;
const MAX_FIELDS = 500;
const MAX_ITEMS = 200;

/** A shape under construction, to which values are added one by one. */
interface Draft {
  kinds: Set<Kind>;
  isList: boolean;
  fields: Map<string, Draft>;
  isOpen: boolean;
  example: unknown;
  rows: number;
  lastRow: number;
}

const draft = (): Draft => ({
  kinds: new Set(),
  isList: false,
  fields: new Map(),
  isOpen: false,
  example: undefined,
  rows: 0,
  lastRow: -1,
});

/** Returns the kind of a single value. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as Kind;
  return 'object';
}

function observe(target: Draft, value: unknown, row: number, depth: number): void {
  if (row !== target.lastRow) {
    target.rows++;
    target.lastRow = row;
  }
  if (Array.isArray(value)) {
    target.isList = true;
    if (value.length > MAX_ITEMS) target.isOpen = true;
    for (const item of value.slice(0, MAX_ITEMS)) observe(target, item, row, depth);
    return;
  }
  target.kinds.add(kindOf(value));
  if (typeof value !== 'object' || value === null) {
    target.example ??= value ?? undefined;
    return;
  }
  if (depth >= MAX_DEPTH) {
    target.isOpen = true;
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    let field = target.fields.get(name);
    if (!field) {
      if (target.fields.size >= MAX_FIELDS) {
        target.isOpen = true;
        return;
      }
      field = draft();
      target.fields.set(name, field);
    }
    observe(field, member, row, depth + 1);
  }
}

function finish(target: Draft, of: number): Shape {
  const { kinds, isList, isOpen, example, rows } = target;
  const fields = new Map([...target.fields].map(([name, field]) => [name, finish(field, of)]));
  return { kinds, isList, isOpen, example, fields, share: { rows, of } };
}

/** Returns the shape of rows, as the input of an expression. */
export function shapeOfRows(rows: readonly unknown[]): Shape {
  const target = draft();
  target.isList = true;
  for (const [row, value] of rows.entries()) observe(target, value, row, 0);
  return finish(target, rows.length);
}

/** Returns the shape of one value. */
export function shapeOfValue(value: unknown): Shape {
  const target = draft();
  observe(target, value, 0, 0);
  return { ...finish(target, 1), share: undefined };
}

const NO_FIELDS: ReadonlyMap<string, Shape> = new Map();

/** Returns the shape of computed values of known kinds. */
export function shapeOfKinds(kinds: readonly Kind[], isList = false): Shape {
  return {
    kinds: new Set(kinds),
    isList,
    fields: NO_FIELDS,
    isOpen: kinds.includes('object'),
    example: undefined,
  };
}

/** Returns the shape of objects with these fields. */
export function objectOf(fields: ReadonlyMap<string, Shape>, isOpen: boolean): Shape {
  return { kinds: new Set<Kind>(['object']), isList: false, fields, isOpen, example: undefined };
}

/** Returns the shape of a list's items. */
export function itemsOf(shape: Shape): Shape {
  return shape.isList ? { ...shape, isList: false } : shape;
}

/** Returns the shape of a list of these values. */
export function listOf(shape: Shape): Shape {
  return shape.isList ? shape : { ...shape, isList: true };
}

/** Returns the union of two shapes; undefined when either is unknown. */
export function unionOf(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (!one || !other) return undefined;
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) {
    const known = fields.get(name);
    fields.set(name, known ? (unionOf(known, field) ?? field) : field);
  }
  return {
    kinds: new Set([...one.kinds, ...other.kinds]),
    isList: one.isList || other.isList,
    fields,
    isOpen: one.isOpen || other.isOpen,
    example: one.example ?? other.example,
  };
}

const PLURALS: Readonly<Record<Kind, string>> = {
  text: 'texts',
  number: 'numbers',
  boolean: 'booleans',
  null: 'nulls',
  object: 'objects',
  function: 'functions',
};

/** Describes a shape in words: `text`, `list of objects`, `number or null`. */
export function describeShape(shape: Shape): string {
  const kinds = [...shape.kinds].filter((kind) => kind !== 'null' || shape.kinds.size === 1);
  const names = kinds.map((kind) => (shape.isList ? PLURALS[kind] : kind));
  const orNull = shape.kinds.size > 1 && shape.kinds.has('null') && !shape.isList ? ' or null' : '';
  if (names.length === 0) return shape.isList ? 'empty list' : 'anything';
  return `${shape.isList ? 'list of ' : ''}${names.join(' or ')}${orNull}`;
}
