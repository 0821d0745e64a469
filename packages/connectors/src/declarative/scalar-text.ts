/** Returns the text of a text, number or boolean; joins the texts of a list with commas; undefined for objects and null. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map((item) => scalarText(item) ?? '').join(',') : undefined;
}
