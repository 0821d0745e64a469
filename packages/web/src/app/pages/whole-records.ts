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
