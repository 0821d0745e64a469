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
   * Path of the document field that the column copies. The column holds the field's value, or null or one of `standIns`
   * where it cannot. A timestamptz column copies ISO texts in UTC with exactly `fractionDigits` fraction digits.
   */
  copies?: readonly string[];
  /** Values of the column where the field is missing, malformed or has another meaning. Null is always one of them. */
  standIns?: readonly (string | number)[];
  fractionDigits?: 0 | 3;
  /** Longest text, UTF-16 units; 2,000 by default. Only for a text column that the search reads. */
  maxLength?: number;
  /** Name under which people see the column, if that is not its name: a column of a document whose type changed. */
  shownAs?: string;
}

/** Declares the table of an entity. The server adds its own columns (`SYSTEM_COLUMNS`) and `data`, the document. */
export interface TableDefinition {
  /** Name in the database: the entity's id with underscores, e.g. `gh_pulls`. */
  name: string;
  columns: Readonly<Record<string, ColumnDefinition>>;
  /** Text column that identifies a record to users, e.g. `subject`. */
  title: string;
  /**
   * Timestamptz column with the date by which the provider lists records newest first, if that is not the date of the
   * record, e.g. the arrival of a mail. The plan's cap keeps the newest by it. Null means `occurred_at`, as without it.
   */
  listedBy?: string;
  /**
   * SQL expressions in the GROUP BY of templates, other than plain columns. PostgreSQL keeps statistics of them, so that it
   * expects few groups and aggregates in parallel. Append only; never change the order.
   */
  groups?: readonly string[];
}

/** Columns that the server adds to every table; declared columns must have other names. */
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

/** One term of an ORDER BY. */
export interface OrderTerm {
  /** An SQL expression over the table. */
  by: string;
  descending?: true;
}

interface TemplateBase {
  /** Unique over all connectors; part of URLs. */
  key: string;
  title: string;
  description: string;
  /** The most important fields of the rows, in display order. */
  columns?: readonly string[];
}

/** Lists whole documents in a total order, which therefore ends with `id`. */
export interface DocumentsTemplate extends TemplateBase {
  kind: 'documents';
  orderBy: readonly OrderTerm[];
}

/** Plain SQL with a total order over the entity's table; each result column is a field of the row. Also runs in psql. */
export interface RowsTemplate extends TemplateBase {
  kind: 'rows';
  sql: string;
  /** Entity whose table the SQL also reads, one of `dependsOn`; the rows change with its records, too. */
  alsoReads?: string;
  /** True if the rows depend on the current time. */
  changesWithTime?: true;
}

export type TemplateDefinition = DocumentsTemplate | RowsTemplate;
