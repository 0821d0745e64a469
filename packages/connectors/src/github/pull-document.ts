import type { Json, JsonObject } from '../sdk/json.ts';

/** Deepest nesting of a stored document, since readers may traverse it recursively. */
const MAX_DEPTH = 1000;
/** Stored fields of a repository, in GitHub's order; its other 80 fields are the same in all its pull requests. */
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

function isObject(value: Json | undefined): value is JsonObject {
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

function trimSide(side: Json | undefined): void {
  if (!isObject(side) || !isObject(side.repo)) return;
  const kept = pick(side.repo, REPOSITORY_FIELDS);
  if (isObject(kept.owner)) kept.owner = pick(kept.owner, OWNER_FIELDS);
  side.repo = kept;
}

/** Removes fields of the base and head repositories that do not identify them, in place. */
export function trimPull(pull: JsonObject): void {
  trimSide(pull.base);
  trimSide(pull.head);
}

/** Returns whether a document is nested deeper than `levels`. */
export function isTooDeep(value: Json, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isTooDeep(inner, levels - 1));
  for (const key in value) if (isTooDeep(value[key] as Json, levels - 1)) return true;
  return false;
}
