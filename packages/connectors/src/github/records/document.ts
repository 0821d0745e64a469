import type { Json, JsonObject } from '../../sdk/json.ts';

/** Deepest nesting of a stored document, since readers may traverse it recursively. */
const MAX_DEPTH = 1000;
/** Stored fields of a repository, in GitHub's order; its other 80 fields are the same in all its records. */
const REPOSITORY_FIELDS = [
  'id',
  'name',
  'full_name',
  'private',
  'owner',
  'html_url',
  'fork',
  'default_branch',
];
const OWNER_FIELDS = ['login', 'id'];
/** Stored addresses of what a document contains, such as people; the others are of the API, and made of names. */
const INNER_ADDRESSES = ['avatar_url', 'html_url', 'browser_download_url'];

/** Returns whether a value of a document is an object, not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

/** Returns a repository with the fields that identify it. */
function trimRepository(repository: JsonObject): JsonObject {
  const kept = pick(repository, REPOSITORY_FIELDS);
  if (isObject(kept.owner)) kept.owner = pick(kept.owner, OWNER_FIELDS);
  return kept;
}

function trimSide(side: Json | undefined): void {
  if (isObject(side) && isObject(side.repo)) side.repo = trimRepository(side.repo);
}

/** Removes fields of the base and head repositories that do not identify them, in place. */
export function trimPull(pull: JsonObject): void {
  trimSide(pull.base);
  trimSide(pull.head);
}

/** Removes the fields whose names end with `_url`, in place, without the kept ones. */
function dropAddresses(object: JsonObject, kept: readonly string[]): void {
  for (const key of Object.keys(object)) if (key.endsWith('_url') && !kept.includes(key)) delete object[key];
}

/** Trims what is inside of a document, in place. @returns the value, or what replaces it */
function trimInside(value: Json): Json {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = trimInside(item);
    return value;
  }
  if (!isObject(value)) return value;
  if (typeof value.full_name === 'string') return trimRepository(value);
  dropAddresses(value, INNER_ADDRESSES);
  for (const [key, item] of Object.entries(value))
    if (typeof item === 'object' && item !== null) value[key] = trimInside(item);
  return value;
}

/**
 * Removes from a document what is the same in all records or can be derived, in place: addresses of the API, and most
 * fields of repositories.
 * @param document is not nested too deeply
 * @param kept its own fields that end with `_url` and stay
 */
export function trimDocument(document: JsonObject, kept: readonly string[]): void {
  delete document._links;
  dropAddresses(document, kept);
  for (const [key, item] of Object.entries(document))
    if (typeof item === 'object' && item !== null) document[key] = trimInside(item);
}

/** Returns whether a document is nested deeper than `levels`. */
export function isTooDeep(value: Json, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isTooDeep(inner, levels - 1));
  for (const key in value) if (isTooDeep(value[key] as Json, levels - 1)) return true;
  return false;
}
