import { isRecord } from '@datadeck/contract/table-columns';

/** Returns a record's id at the provider. */
export function recordIdOf(row: unknown): string | undefined {
  const id = isRecord(row) ? row.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Returns the title, subject or name of a record, or else its id; undefined if it has no id. */
export function recordNameOf(row: unknown): string | undefined {
  const id = recordIdOf(row);
  if (id === undefined || !isRecord(row)) return undefined;
  const name = [row.title, row.subject, row.name].find((text) => typeof text === 'string' && text !== '');
  return String(name ?? id).slice(0, 80);
}
