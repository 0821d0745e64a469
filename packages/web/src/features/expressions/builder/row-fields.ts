import { isTimestamp } from '@datadeck/contract/calendar';
import { ACCOUNT_FIELDS, isIdentifier } from '@datadeck/contract/table-columns';
import { canBeQuoted } from '../../../ui/field-name.ts';
import { type Shape, shapeOfRows } from '../language/shape.ts';
import type { Path } from './write-steps.ts';

/** Depth of the fields that can be chosen, and their number at most. */
const MAX_DEPTH = 3;
const MAX_FIELDS = 200;

/** A field of the rows that holds plain values. */
export interface RowField {
  path: Path;
  /** The fields in words: `user.login`. */
  name: string;
  kind: 'text' | 'number' | 'boolean';
  /** Whether it, or an object around it, is a list. */
  isList: boolean;
  /** Whether its texts are moments in ISO 8601. */
  isMoment: boolean;
  /** Whether it is null in some rows. */
  hasNull: boolean;
  /** Whether some rows do not have it. */
  isSparse: boolean;
  example: string | number | boolean;
}

function fieldOf(path: Path, shape: Shape, isList: boolean): RowField | undefined {
  const { example, kinds, share } = shape;
  if (typeof example !== 'string' && typeof example !== 'number' && typeof example !== 'boolean')
    return undefined;
  return {
    path,
    name: path.join('.'),
    kind: typeof example === 'string' ? 'text' : typeof example === 'number' ? 'number' : 'boolean',
    isList,
    isMoment: isTimestamp(example),
    hasNull: kinds.has('null'),
    isSparse: share !== undefined && share.rows < share.of,
    example,
  };
}

function* fieldsBelow(shape: Shape, path: Path, isList: boolean): Generator<RowField> {
  for (const [name, member] of shape.fields) {
    if (name === '' || !canBeQuoted(name)) continue;
    const [at, isInList] = [[...path, name], isList || member.isList];
    const field = fieldOf(at, member, isInList);
    if (field) yield field;
    if (at.length < MAX_DEPTH) yield* fieldsBelow(member, at, isInList);
  }
}

/** Returns the fields of rows that hold plain values, those of the preferred columns first. */
export function fieldsOfRows(rows: readonly unknown[], preferred: readonly string[]): RowField[] {
  const shape = shapeOfRows(rows);
  const rank = ({ path }: RowField) => {
    const at = preferred.indexOf(path[0] ?? '');
    if (ACCOUNT_FIELDS.some((name) => name === path[0])) return preferred.length + 1;
    return at < 0 ? preferred.length : at;
  };
  // Sorting is stable: other fields stay in their order.
  return [...fieldsBelow(shape, [], false)].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_FIELDS);
}

/** Returns the value of a field in a row, which has no lists on the way. */
export function valueAt(row: unknown, path: Path): unknown {
  let value = row;
  for (const name of path)
    value =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value;
}

/** Returns whether rows can be grouped by a field. Names of groups are texts, so numbers would be in the order of texts. */
export const canGroup = ({ isList, kind }: RowField) => !isList && kind !== 'number';

/** Returns whether rows can be sorted by a field: only texts and numbers have an order. */
export const canSort = ({ isList, kind }: RowField) => !isList && kind !== 'boolean';

/** Returns whether a field holds numbers to compute with: not identifiers. */
export const canMeasure = ({ kind, path }: RowField) => kind === 'number' && !isIdentifier(path.at(-1) ?? '');
