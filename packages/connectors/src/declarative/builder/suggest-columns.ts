import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import { SYSTEM_COLUMNS } from '../../sdk/index.ts';
import { instantOf } from '../column-value.ts';

type ColumnType = DocumentEntity['columns'][string]['type'];
type Decode = DocumentEntity['request']['decode'];

/** A column that a field could fill: `{ name: 'author_name', type: 'text', value: 'record.author.name', example: 'Ada' }`. */
export interface Suggestion {
  name: string;
  type: ColumnType;
  value: string;
  /** A value of the field, of any length. */
  example: string;
}

const MAX_SUGGESTIONS = 60;
/** Records that are looked at, and fields of one of them. */
const MAX_RECORDS = 100;
const MAX_FIELDS = 300;
const MAX_DEPTH = 3;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,60}$/;
const KEYWORDS = ['and', 'or', 'in', 'true', 'false', 'null', 'function'];
const TAKEN: readonly string[] = [
  ...SYSTEM_COLUMNS,
  'account',
  'ctid',
  'xmin',
  'xmax',
  'cmin',
  'cmax',
  'tableoid',
];
const DATE = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d)|^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} /;
const TIME_NAME = /(?:_at|At|_on|time|Time|date|Date|stamp|created|updated|modified)$/;
const WHOLE = /^(?:0|-?[1-9]\d{0,8})$/;
const IDENTIFIER = /(?:^|_)id$|I[dD]$|phone|zip|code|number$/;
/** Members that stand for an object in a list of texts. */
const LABELS = ['name', 'title', 'label', 'login', 'username', 'key', 'id'];

/** Returns the name of a member as a path of JSONata has it; undefined for one that no path can name. */
export function pathName(name: string): string | undefined {
  if (PLAIN_NAME.test(name) && !KEYWORDS.includes(name)) return name;
  return name === '' || name.length > 100 || name.includes('`') ? undefined : `\`${name}\``;
}

/** Returns a name of a column: `authorName` is `author_name`. */
export function columnName(path: readonly string[]): string {
  const name = path
    .join('_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]{1,100}/, '')
    .slice(0, 41)
    .replace(/_$/, '');
  return name === '' ? 'field' : TAKEN.includes(name) ? `record_${name}` : name;
}

const isTimeNumber = (value: unknown) =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  ((value > 9e8 && value < 4.2e9) || (value > 9e11 && value < 4.2e12));

/** Returns the type that fits all values of a field; undefined for objects. */
export function guessType(name: string, values: readonly unknown[], decode: Decode): ColumnType | undefined {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '');
  if (present.length === 0) return undefined;
  const all = (is: (value: unknown) => boolean) => present.every(is);
  if (all((value) => typeof value === 'boolean')) return 'boolean';
  if (all((value) => typeof value === 'number')) {
    if (TIME_NAME.test(name) && all(isTimeNumber)) return 'time';
    if (!all(Number.isInteger)) return 'number';
    return all((value) => Math.abs(value as number) < 2 ** 31)
      ? 'integer'
      : all(Number.isSafeInteger)
        ? 'bigint'
        : 'number';
  }
  if (all((value) => typeof value === 'string')) {
    if (all((value) => DATE.test(value as string) && instantOf(value) !== null)) return 'time';
    const isTextual = decode === 'csv' || decode === 'xml';
    return isTextual && !IDENTIFIER.test(name) && all((value) => WHOLE.test(value as string))
      ? 'integer'
      : 'text';
  }
  if (
    all(
      (value) =>
        Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number'),
    )
  )
    return 'texts';
  return all((value) => ['string', 'number', 'boolean'].includes(typeof value)) ? 'text' : undefined;
}

/** Adds the fields of a record by path: scalars, lists of scalars, and the labels of lists of objects. */
function collect(
  value: unknown,
  path: readonly string[],
  found: Map<string, { path: readonly string[]; values: unknown[] }>,
): void {
  const add = (at: readonly string[], one: unknown) => {
    const key = JSON.stringify(at);
    const known = found.get(key);
    if (known) known.values.push(one);
    else if (found.size < MAX_FIELDS) found.set(key, { path: at, values: [one] });
  };
  if (isRecord(value)) {
    if (path.length >= MAX_DEPTH) return;
    for (const [name, inner] of Object.entries(value).slice(0, MAX_FIELDS))
      collect(inner, [...path, name], found);
    return;
  }
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (Array.isArray(value) && isRecord(first)) {
    const label = LABELS.find((name) => ['string', 'number'].includes(typeof first[name]));
    if (label === undefined || path.length >= MAX_DEPTH) return;
    add(
      [...path, label],
      value.flatMap((item) => (isRecord(item) && item[label] !== undefined ? [item[label]] : [])),
    );
    return;
  }
  add(path, value);
}

/** Returns whether an expression names a path, not a longer one. */
function names(expression: string, path: string): boolean {
  for (let at = expression.indexOf(path); at >= 0; at = expression.indexOf(path, at + 1))
    if (!/[A-Za-z0-9_`]/.test(expression[at + path.length] ?? '')) return true;
  return false;
}

/** Returns columns for the fields of records that no expression of `read` names, in the order of the fields. */
export function suggestColumns(
  records: readonly unknown[],
  { read, taken, decode }: { read: readonly string[]; taken: readonly string[]; decode: Decode },
): Suggestion[] {
  const fields = new Map<string, { path: readonly string[]; values: unknown[] }>();
  for (const record of records.slice(0, MAX_RECORDS)) collect(record, [], fields);
  const used = new Set(taken);
  const suggestions: Suggestion[] = [];
  for (const { path, values } of fields.values()) {
    const steps = path.map(pathName);
    const type = guessType(path.at(-1) ?? '', values, decode);
    if (type === undefined || steps.includes(undefined) || suggestions.length >= MAX_SUGGESTIONS) continue;
    const value = `record.${steps.join('.')}`;
    if (read.some((expression) => names(expression, value))) continue;
    const base = columnName(path);
    let name = base;
    for (let count = 2; used.has(name); count++) name = `${base.slice(0, 37)}_${count}`;
    used.add(name);
    const example = values.find((one) => one !== null && one !== undefined && one !== '');
    suggestions.push({
      name,
      type,
      value,
      example: Array.isArray(example) ? example.join(', ') : String(example),
    });
  }
  return suggestions;
}
