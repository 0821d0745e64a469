import type { Template } from '@datadeck/contract';

/** Whether the rows of a template are the records themselves, as the provider gave them. */
export function isOfWholeRecords({ templateKey }: Template): boolean {
  return templateKey.endsWith('-all');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The id of a record at its provider. */
export function recordIdOf(row: unknown): string | undefined {
  const id = isObject(row) ? row.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** How people call a record: title, subject or name, else its id; undefined where it has no id. */
export function recordNameOf(row: unknown): string | undefined {
  const id = recordIdOf(row);
  if (id === undefined || !isObject(row)) return undefined;
  const name = [row.title, row.subject, row.name].find((text) => typeof text === 'string' && text !== '');
  return String(name ?? id).slice(0, 80);
}
