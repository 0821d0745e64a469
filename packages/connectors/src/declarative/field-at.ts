/** Returns a field of a document by its path, e.g. `author.name`; undefined if it has none. */
export function fieldAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    const isObject = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name);
    return isObject ? (inner as Record<string, unknown>)[name] : undefined;
  }, document);
}
