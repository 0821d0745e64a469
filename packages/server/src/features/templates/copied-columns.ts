import { type SQL, sql } from 'drizzle-orm';
import type { StoredEntity } from '../sync/index.ts';

/** A field of the documents that a column copies, except in rows that are `unsure`. */
export interface Column {
  path: readonly string[];
  kind: 'string' | 'number' | 'boolean' | 'instant' | 'list';
  value: SQL;
  /** Never null. */
  unsure: SQL;
}

const KINDS = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  timestamptz: 'instant',
  'text[]': 'list',
} as const;

/** The columns of the row `r` that copy a field. Rows of another extraction are unsure. */
export function columnsOf({ table, extraction }: StoredEntity): Column[] {
  return Object.entries(table.columns).flatMap(([name, { type, copies, standIns = [], fractionDigits }]) => {
    if (!copies) return [];
    const column = sql`r.${sql.identifier(name)}`;
    const kind = KINDS[type];
    const format = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS${fractionDigits === 3 ? '.MS' : ''}"Z"'`);
    const value =
      kind === 'instant'
        ? sql`to_char(${column} at time zone 'UTC', ${format})`
        : kind === 'number'
          ? sql`${column}::double precision`
          : column;
    const signs = standIns.map((standIn) => sql`${column} = ${standIn}`);
    const unsure = sql`(${sql.join([sql`${column} is null`, ...signs, sql`r.extraction <> ${extraction}`], sql` or `)})`;
    return [{ path: copies, kind, value, unsure }];
  });
}

/** Writes the path of a column as an expression does. */
export const nameOf = ({ path }: Column): string =>
  path.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``)).join('.');
