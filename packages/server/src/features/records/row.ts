import { hash } from 'node:crypto';
import {
  type ColumnType,
  type ColumnValue,
  type ConnectorRecord,
  mayContainRejected,
  SYSTEM_COLUMNS,
  storable,
  storableJson,
} from '@datadeck/connectors';
import type { CopyRows } from '../../platform/db/copy.ts';
import type { StoredEntity, WriteTarget } from './source.ts';

function jsonDocument({ data }: Pick<ConnectorRecord, 'data'>): Buffer {
  if (!Buffer.isBuffer(data)) return Buffer.from(storableJson(JSON.stringify(data)));
  // COPY and the evaluator read one document per line, so line breaks are removed.
  if (data.includes('\n') || data.includes('\r')) return jsonDocument({ data: JSON.parse(data.toString()) });
  return mayContainRejected(data) ? Buffer.from(storableJson(data.toString())) : data;
}

/** A record in the form that is stored. */
export interface Row {
  id: string;
  occurredAt: Date;
  /** SHA-1 of the document, base64. */
  hash: string;
  columns: Readonly<Record<string, ColumnValue>>;
  /** The document as JSON in UTF-8, without line breaks. */
  document: Buffer;
}

function storableColumn(value: ColumnValue | undefined): ColumnValue {
  if (typeof value === 'string') return storable(value);
  return Array.isArray(value) ? value.map(storable) : ((value ?? null) as ColumnValue);
}

/** Converts a record to its stored form. */
export function rowOf(record: ConnectorRecord, { table }: StoredEntity): Row {
  const document = jsonDocument(record);
  const columns = Object.keys(table.columns).map((name) => [name, storableColumn(record.columns[name])]);
  return {
    id: storable(record.id),
    occurredAt: record.occurredAt,
    hash: hash('sha1', document, 'base64'),
    columns: Object.fromEntries(columns),
    document,
  };
}

/** Converts records to rows by id. The last record wins when ids repeat. */
export function rowsOf(records: readonly ConnectorRecord[], entity: StoredEntity): Map<string, Row> {
  return new Map(
    records.map((record) => {
      const row = rowOf(record, entity);
      return [row.id, row];
    }),
  );
}

/** Returns the column names in the order in which `copyRow` writes them. */
export function copiedColumns({ table }: StoredEntity): string[] {
  return [...SYSTEM_COLUMNS, ...Object.keys(table.columns)];
}

function copyValue(copy: CopyRows, type: ColumnType, value: ColumnValue): void {
  if (value === null) copy.null();
  else if (type === 'text') copy.text(value as string);
  else if (type === 'integer') copy.integer(value as number);
  else if (type === 'bigint') copy.bigint(value as number);
  else if (type === 'double precision') copy.double(value as number);
  else if (type === 'boolean') copy.boolean(value as boolean);
  else if (type === 'timestamptz') copy.instant(value as Date);
  else copy.textArray(value as readonly string[]);
}

/** The source, scopes and runs that are stored with each row. */
export type RowOrigin = Omit<WriteTarget, 'scope' | 'syncId' | 'isRestart'> & {
  scopes: readonly string[];
  createdSync: string;
  changedSync: string;
};

/** Appends a row to a binary COPY into the entity's table. */
export function copyRow(copy: CopyRows, row: Row, entity: StoredEntity, origin: RowOrigin): void {
  const columns = Object.entries(entity.table.columns);
  const systemColumns = 10;
  copy.row(systemColumns + columns.length);
  copy.uuid(origin.userId);
  copy.uuid(origin.connectionId);
  copy.text(row.id);
  copy.textArray(origin.scopes);
  copy.instant(row.occurredAt);
  copy.text(row.hash);
  copy.integer(entity.extraction);
  copy.uuid(origin.createdSync);
  copy.uuid(origin.changedSync);
  copy.bytes(row.document);
  for (const [name, { type }] of columns) copyValue(copy, type, row.columns[name] ?? null);
}

/** Estimates the size of a COPY in bytes, so that its buffer is allocated once. */
export function copiedBytes(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + row.document.length + 2000, 64);
}

/** Serialises a whole table row as JSON, for `json_populate_recordset` and the undo log. */
export function jsonOfStoredRow(row: Row, { extraction }: StoredEntity, origin: RowOrigin): string {
  const json = JSON.stringify({
    ...row.columns,
    user_id: origin.userId,
    connection_id: origin.connectionId,
    id: row.id,
    scopes: origin.scopes,
    occurred_at: row.occurredAt,
    hash: row.hash,
    extraction,
    created_sync: origin.createdSync,
    changed_sync: origin.changedSync,
  });
  return withDocument(json, row.document);
}

/** Adds the document to a JSON object as its member `data`. */
function withDocument(json: string, document: Buffer): string {
  return `${json.slice(0, -1)},"data":${document.toString()}}`;
}

/** Serialises the updatable columns of rows as a JSON array, for `json_populate_recordset`. */
export function jsonOfRows(rows: readonly Row[]): string {
  const objects = rows.map(({ id, occurredAt, hash: sha, columns, document }) => {
    return withDocument(JSON.stringify({ ...columns, id, occurred_at: occurredAt, hash: sha }), document);
  });
  return `[${objects.join(',')}]`;
}
