/** Returns the text of a value for an address or a header: texts, numbers and booleans; undefined for others. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map((item) => plainText(item) ?? '').join(',') : undefined;
}
