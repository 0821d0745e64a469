export type Kind = 'text' | 'number' | 'boolean' | 'null' | 'object' | 'function';

/** What the values at one place of the data look like. Lists are looked through, as paths do. */
export interface Shape {
  /** Kinds of the values, or of the items where they are lists. */
  readonly kinds: ReadonlySet<Kind>;
  /** Whether a list was seen here. */
  readonly isList: boolean;
  /** Fields of the objects. */
  readonly fields: ReadonlyMap<string, Shape>;
  /** There may be more than is known: nothing here is reported as missing. */
  readonly isOpen: boolean;
  /** A value that was seen. */
  readonly example: unknown;
  /** In how many of how many rows there is a value; absent for what is computed. */
  readonly share?: { readonly rows: number; readonly of: number } | undefined;
}

/** Levels, fields of one object and items of one list that are looked at. */
const DEEPEST = 12;
const MOST_FIELDS = 500;
const MOST_ITEMS = 200;

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

/** The kind of a single value. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as Kind;
  return 'object';
}

function observe(place: Draft, value: unknown, row: number, depth: number): void {
  if (row !== place.lastRow) {
    place.rows++;
    place.lastRow = row;
  }
  if (Array.isArray(value)) {
    place.isList = true;
    if (value.length > MOST_ITEMS) place.isOpen = true;
    for (const item of value.slice(0, MOST_ITEMS)) observe(place, item, row, depth);
    return;
  }
  place.kinds.add(kindOf(value));
  if (typeof value !== 'object' || value === null) {
    place.example ??= value ?? undefined;
    return;
  }
  if (depth >= DEEPEST) {
    place.isOpen = true;
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    let field = place.fields.get(name);
    if (!field) {
      if (place.fields.size >= MOST_FIELDS) {
        place.isOpen = true;
        return;
      }
      field = draft();
      place.fields.set(name, field);
    }
    observe(field, member, row, depth + 1);
  }
}

function finish(place: Draft, of: number): Shape {
  const { kinds, isList, isOpen, example, rows } = place;
  const fields = new Map([...place.fields].map(([name, field]) => [name, finish(field, of)]));
  return { kinds, isList, isOpen, example, fields, share: { rows, of } };
}

/** The shape of rows, as the input of an expression. */
export function shapeOfRows(rows: readonly unknown[]): Shape {
  const place = draft();
  place.isList = true;
  for (const [row, value] of rows.entries()) observe(place, value, row, 0);
  return finish(place, rows.length);
}

/** The shape of one known value. */
export function shapeOfValue(value: unknown): Shape {
  const place = draft();
  observe(place, value, 0, 0);
  return { ...finish(place, 1), share: undefined };
}

const NO_FIELDS: ReadonlyMap<string, Shape> = new Map();

/** The shape of computed values of known kinds. */
export function simple(kinds: readonly Kind[], isList = false): Shape {
  return {
    kinds: new Set(kinds),
    isList,
    fields: NO_FIELDS,
    isOpen: kinds.includes('object'),
    example: undefined,
  };
}

/** The shape of objects with these fields. */
export function objectOf(fields: ReadonlyMap<string, Shape>, isOpen: boolean): Shape {
  return { kinds: new Set<Kind>(['object']), isList: false, fields, isOpen, example: undefined };
}

/** The same values, one at a time. */
export function itemsOf(shape: Shape): Shape {
  return shape.isList ? { ...shape, isList: false } : shape;
}

/** The same values, as a list. */
export function listOf(shape: Shape): Shape {
  return shape.isList ? shape : { ...shape, isList: true };
}

/** Either the one or the other; unknown when one is. */
export function either(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (!one || !other) return undefined;
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) {
    const known = fields.get(name);
    fields.set(name, known ? (either(known, field) ?? field) : field);
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

/** A shape in words: `text`, `list of objects`, `number or null`. */
export function describeShape(shape: Shape): string {
  const kinds = [...shape.kinds].filter((kind) => kind !== 'null' || shape.kinds.size === 1);
  const names = kinds.map((kind) => (shape.isList ? PLURALS[kind] : kind));
  const orNull = shape.kinds.size > 1 && shape.kinds.has('null') && !shape.isList ? ' or null' : '';
  if (names.length === 0) return shape.isList ? 'empty list' : 'anything';
  return `${shape.isList ? 'list of ' : ''}${names.join(' or ')}${orNull}`;
}
