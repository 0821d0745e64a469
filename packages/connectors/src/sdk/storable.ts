import type { Json, JsonObject } from './json.ts';

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
