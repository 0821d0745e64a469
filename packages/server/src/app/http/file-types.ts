import type { EXPORT_FORMATS } from '@datadeck/contract';

/** Content types of files by format. */
export const FILE_TYPES: Readonly<Record<(typeof EXPORT_FORMATS)[number], string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  mbox: 'application/mbox',
};
