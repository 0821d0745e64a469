/** Fields that a refusal names at most. */
export const MOST_FIELDS = 50;
/** UTF-16 units of a field's path that a refusal repeats: longer names are nobody's field. */
const LONGEST_PATH = 200;

/** Shortens the path of a field. */
export function shortPath(path: string): string {
  return path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH).toWellFormed()}…`;
}
