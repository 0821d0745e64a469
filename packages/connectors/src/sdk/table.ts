/** Types that a column of an entity's table may have, by their PostgreSQL names. */
export const COLUMN_TYPES = [
  'text',
  'integer',
  'bigint',
  'double precision',
  'boolean',
  'timestamptz',
  'text[]',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** The value of one column: `Date` for timestamptz, numbers for the three numeric types. */
export type ColumnValue = string | number | boolean | Date | readonly string[] | null;
/** A row's declared columns by name. */
export type ColumnValues = Readonly<Record<string, ColumnValue>>;

/** Declares one column of an entity's table. */
export interface ColumnDefinition {
  type: ColumnType;
  /**
   * Path of the document's field that the column copies. Wherever the field has a value of this type, the column holds the
   * same value, except where the column is null or one of `standIns`. A timestamptz column copies ISO texts in UTC with
   * exactly `fractionDigits` digits of the second's fraction.
   */
  copies?: readonly string[];
  /** Values that the column holds where the field is missing, odd, or means something else. Null always counts as one. */
  standIns?: readonly (string | number)[];
  fractionDigits?: 0 | 3;
}

/** Declares the table of an entity. The server adds its own columns (`SYSTEM_COLUMNS`) and `data`, the document. */
export interface TableDefinition {
  /** Name in the database: the entity's id with underscores, as `gh_pulls`. */
  name: string;
  columns: Readonly<Record<string, ColumnDefinition>>;
  /** Text column by which people recognise a record. */
  title: string;
  /**
   * SQL expressions by which templates group, other than plain columns. PostgreSQL keeps statistics of them: it expects
   * few groups then, and aggregates in parallel. Add at the end, never change the order.
   */
  groups?: readonly string[];
}

/** Columns that the server adds to every table: declared columns have other names. */
export const SYSTEM_COLUMNS = [
  'user_id',
  'connection_id',
  'id',
  'scopes',
  'occurred_at',
  'hash',
  'extraction',
  'created_sync',
  'changed_sync',
  'data',
] as const;

/** One term of an order. */
export interface OrderTerm {
  /** An SQL expression over the table. */
  by: string;
  descending?: true;
}

interface TemplateBase {
  /** Unique over all connectors; part of addresses. */
  key: string;
  title: string;
  description: string;
  /** Fields of the rows that people look at first. */
  columns?: readonly string[];
}

/** Lists whole documents in an order that ends with `id`, so that it is total. */
export interface DocumentsTemplate extends TemplateBase {
  kind: 'documents';
  orderBy: readonly OrderTerm[];
}

/** Plain SQL over the entity's table, ordered totally; each column of the result is a field of the row. Runs as it stands in psql. */
export interface RowsTemplate extends TemplateBase {
  kind: 'rows';
  sql: string;
  /** The rows depend on the current time. */
  changesWithTime?: true;
}

export type TemplateDefinition = DocumentsTemplate | RowsTemplate;
