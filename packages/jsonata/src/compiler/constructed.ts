/** A block that ends in an array written out may give something else: then the path goes on as over its characters. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split('') : [];
}

/** Whether a path ends here, with this value. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
