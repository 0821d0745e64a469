import { RESERVED_COLUMNS } from '../document-problems.ts';
import { type Component, componentOf, isComponent, joinWords } from './component.ts';
import { stepOf } from './jinja/code.ts';

/** Most columns of an imported entity. */
const MAX_COLUMNS = 60;
const TITLES = ['title', 'name', 'subject', 'full_name', 'display_name', 'label', 'email', 'key', 'id'];
const DATES = [
  'updated_at',
  'updatedat',
  'updated',
  'modified_at',
  'modified',
  'last_modified',
  'created_at',
  'createdat',
  'created',
  'date',
  'timestamp',
];

/** The columns of an entity, and which of them are its title and its date. */
export interface ImportedColumns {
  columns: Record<string, { type: string; value: string }>;
  titleColumn: string;
  /** Field of the date; undefined without one. */
  date: string | undefined;
}

function typesOf(property: Component): string[] {
  const { type } = property;
  return (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === 'string' && one !== 'null',
  );
}

function columnType(property: Component): string | undefined {
  const [type, other] = typesOf(property);
  if (other !== undefined) return 'text';
  switch (type) {
    case 'string':
      return String(property.format).startsWith('date') ? 'time' : 'text';
    case 'integer':
      return 'bigint';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const items = componentOf(property, 'items');
      return items && typesOf(items)[0] === 'string' ? 'texts' : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns a name of a column for a field: `createdAt` is `created_at`. */
export function columnName(field: string, taken: Readonly<Record<string, unknown>>): string {
  const snake = joinWords(field.replace(/([a-z0-9])([A-Z])/g, '$1_$2'), '_').toLowerCase();
  const base = (
    RESERVED_COLUMNS.includes(snake) ? `record_${snake}` : /^[a-z]/.test(snake) ? snake : `c_${snake}`
  ).slice(0, 38);
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}_${count}`;
    const isFree = !Object.hasOwn(taken, name) && !RESERVED_COLUMNS.includes(name);
    if (isFree) return name;
  }
}

/** Returns the columns of a schema of records. @param cursor field by which records are read again */
export function importColumns(schema: Component | undefined, cursor: string | undefined): ImportedColumns {
  const properties = componentOf(schema, 'properties') ?? {};
  const columns: ImportedColumns['columns'] = {};
  const names = new Map<string, string>();
  const add = (field: string, type: string) => {
    const name = columnName(field, columns);
    columns[name] = { type, value: `record.${stepOf(field)}` };
    names.set(field, name);
  };
  if (cursor !== undefined) add(cursor, 'time');
  for (const [field, property] of Object.entries(properties)) {
    if (Object.keys(columns).length >= MAX_COLUMNS) break;
    const type = isComponent(property) && field !== cursor ? columnType(property) : undefined;
    if (type !== undefined && field.length <= 100) add(field, type);
  }
  const texts = [...names].filter(([, name]) => columns[name]?.type === 'text');
  const title =
    TITLES.map((one) => texts.find(([field]) => field.toLowerCase() === one)).find((one) => one) ?? texts[0];
  if (!title) columns.title = { type: 'text', value: '$string(record.id)' };
  const times = [...names].filter(([, name]) => columns[name]?.type === 'time').map(([field]) => field);
  const date =
    cursor ??
    DATES.map((one) => times.find((field) => field.toLowerCase() === one)).find((one) => one) ??
    times[0];
  return { columns, titleColumn: title?.[1] ?? 'title', date };
}
