import { isRecord } from '@datadeck/contract/table-columns';

/** Returns a record's id at the provider. */
function recordIdOf(row: unknown): string | undefined {
  const id = isRecord(row) ? row.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** A record's id, and the account whose copy is meant. */
export interface RecordId {
  recordId: string;
  account?: string;
}

/** Returns a record's id and the account whose copy the row shows; undefined if it has no id. */
export function recordOf(row: unknown): RecordId | undefined {
  const recordId = recordIdOf(row);
  if (recordId === undefined) return undefined;
  const account = isRecord(row) ? row.account : undefined;
  return { recordId, ...(typeof account === 'string' && { account }) };
}

/** Returns the title, subject or name of a record, or else its id; undefined if it has no id. */
export function recordNameOf(row: unknown): string | undefined {
  const id = recordIdOf(row);
  if (id === undefined || !isRecord(row)) return undefined;
  const name = [row.title, row.subject, row.name].find((text) => typeof text === 'string' && text !== '');
  return String(name ?? id).slice(0, 80);
}

/** Returns the name of a row if it is a whole record in a result, which has the fields that the server adds; else undefined. */
export function wholeRecordName(row: unknown): string | undefined {
  const isWhole = isRecord(row) && typeof row.account === 'string' && Array.isArray(row.accounts);
  return isWhole ? recordNameOf(row) : undefined;
}
