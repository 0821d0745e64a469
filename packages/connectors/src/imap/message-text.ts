import { type Json, type JsonObject, storable } from '../sdk/index.ts';

/** Longest text of a body that is kept, UTF-16 units. */
const BODY_LIMIT = 64 * 1024;
const SNIPPET_LIMIT = 200;

/** Cuts a body to the length kept. */
export function clipped(text: string): string {
  return storable(text.slice(0, BODY_LIMIT));
}

/** The beginning of a text as one line. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, 8 * SNIPPET_LIMIT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return storable(line.slice(0, SNIPPET_LIMIT));
}

/** What a page of HTML says, roughly: for a snippet, never for display as HTML. */
export function textOfHtml(html: string): string {
  return html
    .slice(0, BODY_LIMIT)
    .replaceAll(/<(style|script)\b[^>]*>[^<]*/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ');
}

/** A document whose every text can be stored. */
export function storableDocument(value: Json): Json {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableDocument);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, inner]) => [storable(key), storableDocument(inner as Json)]));
}
