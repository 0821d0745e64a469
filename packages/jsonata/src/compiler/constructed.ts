/** Returns the items of a block that ends in an array constructor; the path maps over the characters of a string. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split('') : [];
}

/** Returns whether the path ends here because this value has no items. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
