import { storable } from '../sdk/storable.ts';

/** Longest body text in a record, UTF-16 units. */
export const BODY_LIMIT = 64 * 1024;
const SNIPPET_LIMIT = 200;

/** Returns the start of a text as one line. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, 8 * SNIPPET_LIMIT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return storable(line.slice(0, SNIPPET_LIMIT));
}
