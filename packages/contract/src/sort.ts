import { z } from 'zod';

/** Longest text of a sort, UTF-16 units, and most names of its path. */
const MAX_TEXT = 300;
const MAX_NAMES = 10;

/** The field by which results are sorted; an empty path means the values themselves. */
export interface Sort {
  path: readonly string[];
  isDescending: boolean;
}

/** Reads a name in backticks, or one without a period. @returns the name and where it ends */
function nameAt(text: string, from: number): { name: string; end: number } | undefined {
  const isQuoted = text[from] === '`';
  const start = isQuoted ? from + 1 : from;
  const found = text.indexOf(isQuoted ? '`' : '.', start);
  if (isQuoted && found < 0) return undefined;
  const stop = found < 0 ? text.length : found;
  const name = text.slice(start, stop);
  if (name === '' || (!isQuoted && name.includes('`'))) return undefined;
  return { name, end: isQuoted ? stop + 1 : stop };
}

/**
 * Parses a sort as in JSONata: `size`, `-user.login`, or `` `first name` ``; `$` for the values themselves. A hyphen at the
 * beginning sorts in descending order. @returns undefined if it is none
 */
export function parseSort(text: string): Sort | undefined {
  const isDescending = text.startsWith('-');
  const path: string[] = [];
  let at = isDescending ? 1 : 0;
  if (text.slice(at) === '$') return { path, isDescending };
  for (;;) {
    const found = nameAt(text, at);
    if (!found || path.length === MAX_NAMES) return undefined;
    path.push(found.name);
    if (found.end === text.length) return { path, isDescending };
    if (text[found.end] !== '.') return undefined;
    at = found.end + 1;
  }
}

/** Returns the text of a sort; undefined for a field that cannot be named in one. */
export function sortText({ path, isDescending }: Sort): string | undefined {
  const names = path.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``));
  const text = `${isDescending ? '-' : ''}${names.join('.') || '$'}`;
  const isWhole = text.length <= MAX_TEXT && path.length <= MAX_NAMES;
  return isWhole && !path.some((name) => name === '' || name.includes('`')) ? text : undefined;
}

/** A sort of all results of a call, e.g. `-size`. Missing values come last. */
export const sortSchema = z
  .string()
  .max(MAX_TEXT, `Must be ${MAX_TEXT} characters or less`)
  .refine(
    (text) => parseSort(text) !== undefined,
    'Must be a field, such as size, or -size for descending order',
  )
  .optional();
