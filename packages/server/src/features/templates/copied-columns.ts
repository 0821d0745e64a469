import { type SQL, sql } from 'drizzle-orm';
import { accountOf, type RecordSet, type StoredEntity } from '../records/index.ts';

/** A document field that a column copies. */
export interface Column {
  /** The field's path in the document. */
  path: readonly string[];
  kind: 'string' | 'number' | 'boolean' | 'instant' | 'list';
  /** The column itself, whose order is that of its known values. */
  column: SQL;
  /** Expression: the field's value, as JSONata sees it. */
  value: SQL;
  /** Condition, never null: the column does not show the field's value in this row. */
  isUnknown: SQL;
}

/** An entity whose documents have fields that the server adds. */
export type QueriedEntity = StoredEntity & {
  /** The added fields. */
  added?: readonly Column[];
};

/** Adds the field `account` of a set's documents to the columns of the entity. */
export function withAccounts(entity: StoredEntity, set: RecordSet): QueriedEntity {
  const value = accountOf(set);
  return {
    ...entity,
    added: [{ path: ['account'], kind: 'string', column: value, value, isUnknown: sql`false` }],
  };
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

/** Returns the columns of the row `r` that copy a field. In rows of another extraction version, all are unknown. */
export function columnsOf({ table, extraction, added = [] }: QueriedEntity): Column[] {
  const copied = Object.entries(table.columns).flatMap(
    ([name, { type, copies, standIns = [], fractionDigits }]) => {
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
      const isStandIn = standIns.map((standIn) => sql`${column} = ${standIn}`);
      const isUnknown = sql`(${sql.join([sql`${column} is null`, ...isStandIn, sql`r.extraction <> ${extraction}`], sql` or `)})`;
      return [{ path: copies, kind, column, value, isUnknown }];
    },
  );
  return [...added, ...copied];
}

/** Writes the path of a column in JSONata syntax. */
export const nameOf = ({ path }: Column): string =>
  path.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``)).join('.');
