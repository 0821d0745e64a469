/** Returns the value that a setting uses from a record: its id, or else its first text. */
export function exampleValue(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const fields = Object.entries(record);
  const named =
    fields.find(([name]) => name === 'id') ?? fields.find(([, value]) => typeof value === 'string');
  return named === undefined ? '' : String(named[1]);
}
