/** Place of a value in decoded JSON: `['data', 0, 'name']`. */
export type Place = readonly (string | number)[];
/** A value of a decoded answer that is no list and no object. */
export interface Leaf {
  place: Place;
  value: unknown;
}

/** Most values of an answer that are looked at, and how deep they are. */
const MAX_VALUES = 2000;
const MAX_DEPTH = 8;

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the value at a place; undefined without one. */
export function valueAt(tree: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (value, key) =>
      isTree(value) && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    tree,
  );
}

/** Returns a copy with another value at a place, for which it makes objects; `undefined` removes the value. */
export function withValue(tree: unknown, place: Place, value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  if (Array.isArray(tree)) {
    const copy = [...tree];
    copy[Number(key)] = withValue(copy[Number(key)], rest, value);
    return copy;
  }
  const fields = isTree(tree) ? (tree as Record<string, unknown>) : {};
  const changed = withValue(Object.hasOwn(fields, key) ? fields[key] : undefined, rest, value);
  if (changed !== undefined) return { ...fields, [key]: changed };
  const { [key]: _, ...others } = fields;
  return others;
}

/** Yields all values of a tree with their places, parents first. */
export function* valuesOf(tree: unknown): Generator<Leaf> {
  let left = MAX_VALUES;
  const open: Leaf[] = [{ place: [], value: tree }];
  for (let at = 0; at < open.length; at++) {
    const one = open[at] as Leaf;
    if (left-- <= 0) return;
    yield one;
    if (!isTree(one.value) || one.place.length >= MAX_DEPTH) continue;
    const entries = Array.isArray(one.value) ? one.value.entries() : Object.entries(one.value);
    for (const [key, value] of entries) open.push({ place: [...one.place, key], value });
  }
}

/** Returns the texts, numbers, truth values and nulls of a tree. @param without place whose values are left out */
export function leavesOf(tree: unknown, without?: Place): Leaf[] {
  const isLeftOut = (place: Place) => without?.every((key, index) => place[index] === key) ?? false;
  return [...valuesOf(tree)].filter(({ place, value }) => !isTree(value) && !isLeftOut(place));
}

/** Returns the name of the field at a place: `updated_at`. */
export function nameOf(place: Place): string {
  return String(place.findLast((key) => typeof key === 'string') ?? '');
}
