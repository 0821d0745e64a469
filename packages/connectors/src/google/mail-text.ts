import { storable } from '../sdk/index.ts';

/** Longest body text in a record, UTF-16 units; longer ones are cut and marked `truncated`. */
export const BODY_LIMIT = 256 * 1024;
/** Largest part of a body that is decoded, bytes: a character has at most four bytes, also in UTF-16. */
const MAX_BYTES = 4 * BODY_LIMIT + 4;

/** Longest snippet in a record, UTF-16 units; Gmail's have about 200. */
const MAX_SNIPPET_LENGTH = 2000;

/** Charset names found in real mail that TextDecoder does not support. */
const ALIASES: Record<string, string> = {
  'iso-8859-8-i': 'iso-8859-8',
  'x-unknown': 'windows-1252',
  'ansi_x3.110-1983': 'windows-1252',
  cp1252: 'windows-1252',
  'cp-850': 'ibm866',
  binary: 'windows-1252',
  ascii: 'windows-1252',
};

function decoderFor(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(ALIASES[charset] ?? charset);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

/** Returns whether the charset uses escape sequences in pure ASCII, which would be valid UTF-8. */
function isEscapedCharset(charset: string): boolean {
  return charset.startsWith('iso-2022-');
}

/** Decodes the first `MAX_BYTES` bytes of the API's base64url; skips characters outside the alphabet. */
export function decodeBase64Url(data: string): Uint8Array {
  return Buffer.from(data.slice(0, Math.ceil(MAX_BYTES / 3) * 4), 'base64url');
}

/**
 * Decodes a text part. Gmail sends bodies in UTF-8 and ignores the declared charset; other servers keep that charset. So
 * this tries UTF-8, then the declared charset, then windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const declared = charset.trim().toLowerCase();
  if (isEscapedCharset(declared) && bytes.includes(0x1b)) return decoderFor(declared).decode(bytes);
  try {
    // Decode as a stream, since truncated bytes may end inside a character.
    const isTruncated = bytes.length >= MAX_BYTES;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated });
  } catch {
    const isUnicode = declared === '' || declared === 'utf-8' || declared === 'us-ascii';
    return decoderFor(isUnicode ? 'windows-1252' : declared).decode(bytes);
  }
}

/** Truncates a body text to `BODY_LIMIT`. */
export function truncateBody(text: string): { text: string; truncated: boolean } {
  const clean = storable(text);
  if (clean.length <= BODY_LIMIT) return { text: clean, truncated: false };
  return { text: clean.slice(0, BODY_LIMIT).toWellFormed(), truncated: true };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Removes the HTML escapes of Gmail's snippets. */
export function unescapeSnippet(snippet: string): string {
  return snippet
    .slice(0, MAX_SNIPPET_LENGTH)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}
