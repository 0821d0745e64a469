/** Closed lists that a command line offers. Imports nothing, so that a command starts without zod. */

/** Scopes of API tokens: `read` < `sync` < `manage`; `view` and `board` are for one of them only. */
export const TOKEN_SCOPES = ['read', 'sync', 'manage', 'view', 'board'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Formats of all stored records of an entity; mbox for mails only. */
export const EXPORT_FORMATS = ['ndjson', 'json', 'csv', 'xlsx', 'parquet', 'mbox'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Media types of files by format. */
export const FILE_TYPES: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  mbox: 'application/mbox',
};
