import type { EntityDefinition } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type { Path } from './condition.ts';

/**
 * A field of the documents that the database also has as a column. Wherever the field is a value of the kind, the column
 * holds the same, except in records that are `unsure`.
 */
export interface Column {
  readonly path: Path;
  readonly kind: 'text' | 'number' | 'instant' | 'list';
  /** Text for text and instants, double precision for numbers, text[] for lists. */
  readonly value: SQL;
  /** Whether the column cannot tell the field's value. Never null. */
  readonly unsure: SQL;
}

const KINDS = {
  text: 'text',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  timestamptz: 'instant',
  'text[]': 'list',
} as const;

function columnValue(name: string, kind: Column['kind'], fractionDigits: 0 | 3): SQL {
  const column = sql`r.${sql.identifier(name)}`;
  if (kind === 'number') return sql`${column}::double precision`;
  if (kind !== 'instant') return column;
  const fraction = fractionDigits === 3 ? '.MS' : '';
  return sql`to_char(${column} at time zone 'UTC', ${sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS${fraction}"Z"'`)})`;
}

/** The columns of the row `r` that copy a field. Records of another extraction are unsure. */
export function columnsOf({ table, extraction }: Pick<EntityDefinition, 'table' | 'extraction'>): Column[] {
  return Object.entries(table.columns).flatMap(([name, definition]) => {
    const { type, copies, standIns = [], fractionDigits = 0 } = definition;
    if (copies === undefined || type === 'boolean') return [];
    const kind = KINDS[type];
    const column = sql`r.${sql.identifier(name)}`;
    const signs = standIns.map((value) => sql`${column} = ${value}`);
    const isOld = sql`r.extraction <> ${extraction}`;
    const unsure = sql`(${sql.join([sql`${column} is null`, ...signs, isOld], sql` or `)})`;
    return [{ path: copies, kind, value: columnValue(name, kind, fractionDigits), unsure }];
  });
}

/** The column of a path, if there is one. */
export function columnOf(columns: readonly Column[], path: Path): Column | undefined {
  return columns.find((column) => column.path.join('\0') === path.join('\0'));
}
