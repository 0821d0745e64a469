/** Longest body text in a record, UTF-16 units; longer ones are cut and marked `truncated`. */
export const BODY_LIMIT = 256 * 1024;
/** Largest part of a body that is decoded, bytes: a character has at most four bytes, also in UTF-16. */
const MAX_BYTES = 4 * BODY_LIMIT + 4;

/** Longest snippet in a record, UTF-16 units; Gmail's have about 200. */
const MAX_SNIPPET_LENGTH = 2000;

/** Decodes the first `MAX_BYTES` bytes of the API's base64url; skips characters outside the alphabet. */
export function decodeBase64Url(data: string): Buffer {
  return Buffer.from(data.slice(0, Math.ceil(MAX_BYTES / 3) * 4), 'base64url');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Removes the HTML escapes of Gmail's snippets. */
export function unescapeSnippet(snippet: string): string {
  return snippet
    .slice(0, MAX_SNIPPET_LENGTH)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}
