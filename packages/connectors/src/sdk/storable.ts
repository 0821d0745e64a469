import type { Json, JsonObject } from './json.ts';

/** Returns whether PostgreSQL can store a text: without NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Replaces NUL and lone surrogates, which PostgreSQL cannot store, with U+FFFD. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed();
}

/** Applies `storable` to all texts and keys of a document, as the server does when it stores the document. */
export function storableDocument(value: Json): Json {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableDocument);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, inner]) => [storable(key), storableDocument(inner as Json)]));
}

/**
 * Matches escapes in JSON text. Alternatives, in order: valid surrogate pairs; NUL and lone surrogates (captured),
 * which PostgreSQL's JSON functions reject; any other escape, so that `\\u` is not misread as an escape.
 */
const ESCAPE =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u0000|\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g;
const REJECTED_PREFIXES = ['\\u0000', '\\ud', '\\uD'];

/** Returns whether JSON text may have escapes that PostgreSQL's JSON functions reject. */
export function mayContainRejected(json: string | Buffer): boolean {
  // Fast path: most documents have no \u escape at all.
  return json.includes('\\u') && REJECTED_PREFIXES.some((prefix) => json.includes(prefix));
}

/** Replaces the escapes that PostgreSQL's JSON functions reject by U+FFFD. */
export function storableJson(text: string): string {
  if (!mayContainRejected(text)) return text;
  return text.replace(ESCAPE, (found, refused?: string) => (refused === undefined ? found : '\ufffd'));
}
