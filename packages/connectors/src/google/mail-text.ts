import { storable } from '../sdk/index.ts';

/** Longest text of a body that is kept, UTF-16 units; beyond it `truncated` says so. */
export const BODY_LIMIT = 256 * 1024;
/** Bytes of a body that are decoded: a character takes four at most, in UTF-16 too. */
const MAX_BYTES = 4 * BODY_LIMIT + 4;

/** Longest snippet that is kept, UTF-16 units; Gmail's have some 200. */
const MAX_SNIPPET_LENGTH = 2000;

/** Charset names of real mail that TextDecoder does not know. */
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

/** ISO-2022 mail is pure ASCII with escape sequences, so it would pass as UTF-8. */
function isEscapedCharset(charset: string): boolean {
  return charset.startsWith('iso-2022-');
}

/** base64url of the API -> its first bytes; characters outside the alphabet are skipped. */
export function bytesOf(data: string): Uint8Array {
  return Buffer.from(data.slice(0, Math.ceil(MAX_BYTES / 3) * 4), 'base64url');
}

/**
 * Bytes of a text part -> text. Gmail hands bodies over in UTF-8 whatever the part declared; other servers
 * keep the declared charset. So: UTF-8 when the bytes are, else what the part says, else windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const declared = charset.trim().toLowerCase();
  if (isEscapedCharset(declared) && bytes.includes(0x1b)) return decoderFor(declared).decode(bytes);
  try {
    // As a stream: bytes that were cut may end inside a character.
    const isCut = bytes.length >= MAX_BYTES;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    const isUnicode = declared === '' || declared === 'utf-8' || declared === 'us-ascii';
    return decoderFor(isUnicode ? 'windows-1252' : declared).decode(bytes);
  }
}

/** Cuts a body to the length kept. */
export function clip(text: string): { text: string; truncated: boolean } {
  const clean = storable(text);
  if (clean.length <= BODY_LIMIT) return { text: clean, truncated: false };
  return { text: clean.slice(0, BODY_LIMIT).toWellFormed(), truncated: true };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Gmail escapes snippets for HTML; this undoes it. */
export function unescapeSnippet(snippet: string): string {
  return snippet
    .slice(0, MAX_SNIPPET_LENGTH)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}
