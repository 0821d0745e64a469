import type { Sort } from './protocol.ts';

/** Thrown when items cannot be sorted by a field, because its values are lists or objects. */
export class UnsortableError extends Error {}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Numbers come before texts, texts before booleans. */
const TYPES = ['number', 'string', 'boolean'];

/**
 * Returns items in the order of a field: numbers, texts by their code units, false and true; the other way round if
 * descending. Items without a value come last, and equal ones keep their order.
 * @throws UnsortableError
 */
export function sortItems(items: readonly unknown[], { path, isDescending }: Sort): unknown[] {
  const groups = TYPES.map((): { item: unknown; key: number | string | boolean }[] => []);
  const missing: unknown[] = [];
  for (const item of items) {
    const key = valueAt(item, path);
    const group = groups[TYPES.indexOf(typeof key)];
    if (group) group.push({ item, key: key as number | string | boolean });
    else if (key === undefined || key === null) missing.push(item);
    else {
      const field = path.length === 0 ? 'their values' : `'${path.join('.').slice(0, 100)}'`;
      throw new UnsortableError(
        `The results cannot be sorted by ${field}, because some of the values are lists or objects.`,
      );
    }
  }
  const sign = isDescending ? -1 : 1;
  for (const group of groups) group.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
  const sorted = (isDescending ? groups.toReversed() : groups).flatMap((group) =>
    group.map(({ item }) => item),
  );
  return sorted.concat(missing);
}
