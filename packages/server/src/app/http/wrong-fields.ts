/** Maximum number of invalid fields that an error names. */
export const MAX_FIELDS = 50;
/** Maximum length of a field's path in an error, in UTF-16 units. No real field is longer. */
const MAX_PATH_LENGTH = 200;

/** Shortens the path of a field. */
export function shortPath(path: string): string {
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH).toWellFormed()}…`;
}
