/** Longest name of a file, bytes in UTF-8: file systems allow 255, and browsers add a number to names that exist. */
const MAX_BYTES = 180;
/** Longest extension that is kept when a name is cut, with its dot, UTF-16 units. */
const MAX_EXTENSION = 16;
/** Longest part of a name that is read, UTF-16 units. */
const MAX_READ = 1000;
/** Characters that separate folders, or that file systems forbid. */
const FORBIDDEN = /[\\/:*?"<>|]/g;
/**
 * Control characters, line separators, and characters that show nothing: those that hide or reorder letters (`gpj.exe` shown as
 * `exe.jpg`), and letters that look like blanks, by which an ending is moved out of sight. Joiners and variation selectors are
 * kept: Persian, Indic scripts, names in Japanese and emoji are written with them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]|(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Joiners and variation selectors after nothing that they could change. */
const LONE_JOINERS = /(?<=^|[\s.])(?:[\u200c\u200d]|\p{Variation_Selector})+/gu;
/** Names of devices on Windows, with any extension, maybe with blanks before it. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/** Names of files without one, by type. */
const UNNAMED: Readonly<Record<string, string>> = { 'message/rfc822': 'message.eml' };

/** Cuts a text to a length in bytes, between characters. */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > maxBytes) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** Removes dots and blanks: at the start they hide a file, and Windows drops those at the end. */
function withoutDotsAround(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && '. '.includes(text[start] as string)) start++;
  while (end > start && '. '.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

/** Cuts a name that is too long, but keeps its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : '';
  const stem = name.slice(0, name.length - extension.length);
  return cutToBytes(stem, MAX_BYTES - Buffer.byteLength(extension)).trimEnd() + extension;
}

/**
 * Returns a name under which a file of a stranger can be saved on any system: without folders, without characters that hide
 * what it is, never hidden, never the name of a device, never empty.
 */
export function safeFileName({ filename, mimeType }: { filename: string; mimeType: string }): string {
  const visible = filename
    .slice(0, MAX_READ)
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(LONE_JOINERS, '')
    .normalize('NFC')
    .replaceAll(FORBIDDEN, '_')
    .replaceAll(/\s+/g, ' ');
  const name = withoutDotsAround(visible);
  if (name.replaceAll('_', '') === '') return UNNAMED[mimeType.toLowerCase()] ?? 'attachment';
  return withoutDotsAround(shortened(DEVICE.test(name) ? `_${name}` : name));
}
