/** Decodes the Content-Transfer-Encoding of MIME parts. */

const LF = 0x0a;
const CR = 0x0d;
const EQUALS = 0x3d;
const SPACE = 0x20;
const TAB = 0x09;
const ESC = 0x1b;

/** Converts line ends to LF and ends the last line with LF. Keeps an empty body empty. */
function unixLines(body: Uint8Array): Buffer {
  const lines = Buffer.allocUnsafe(body.length + 1);
  let length = 0;
  /** End of the line without the CRs before its LF. */
  let end = 0;
  for (const byte of body) {
    if (byte === LF) length = end;
    lines[length++] = byte;
    if (byte !== CR) end = length;
  }
  if (body.length > 0 && body.at(-1) !== LF) {
    length = end;
    lines[length++] = LF;
  }
  return lines.subarray(0, length);
}

/** Returns the value of a hexadecimal digit, else -1. */
function hexValue(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Decodes quoted-printable in place; keeps invalid escapes and the line ends unchanged. */
function decodeQuotedPrintable(lines: Buffer): Buffer {
  let length = 0;
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at] as number;
    if (byte === EQUALS) {
      // A line that ends with `=`, maybe with blanks after it, continues in the next one (soft line break).
      let end = at + 1;
      while (lines[end] === SPACE || lines[end] === TAB || lines[end] === CR) end++;
      if (lines[end] === LF) {
        at = end;
        continue;
      }
      const [high, low] = [hexValue(lines[at + 1]), hexValue(lines[at + 2])];
      if (high >= 0 && low >= 0) {
        lines[length++] = 16 * high + low;
        at += 2;
        continue;
      }
    }
    lines[length++] = byte;
  }
  return lines.subarray(0, length);
}

/** What precedes the first line of base64. */
const FIRST = 'A';
const BASE64_LINE = /^[a-zA-Z0-9+/=]*$/;
/** Base64 with text after its padding. */
const PADDED = /^[a-zA-Z0-9+/]+={1,2}(?=\s)/;
const INNER_BLANK = /\S[ \t]+\S/;

/** Removes the text after base64 that mailing lists add: lines after padding, a blank or a shorter line. */
function withoutFooter(text: string): string {
  if (!/[^a-zA-Z0-9+/=\s]/.test(text) && !INNER_BLANK.test(text)) return text;
  let previous = FIRST;
  let length = 0;
  let widest = 0;
  for (const line of text.split('\n')) {
    const encoded = line.trim();
    const [padded] = PADDED.exec(encoded) ?? [];
    if (padded) return text.slice(0, length) + padded;
    const isEnded = previous === '' || previous.endsWith('=') || previous.length < widest;
    if (isEnded && !BASE64_LINE.test(encoded)) break;
    widest = Math.max(widest, encoded.length);
    // Blank lines before the first line say nothing.
    if (encoded !== '' || previous !== FIRST) previous = encoded;
    length += line.length + 1;
  }
  return text.slice(0, length);
}

/** Control characters, which no text has. */
const isControl = (byte: number) => byte < TAB || (byte > CR && byte < SPACE && byte !== ESC);

const latin1Of = (body: Uint8Array) =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');

/** Decodes base64; accepts padding at the end of any line, and ignores all that is not of its alphabet. */
function bytesOfBase64(text: string): Buffer {
  const units = text.replaceAll(/[^a-zA-Z0-9+/=]+/g, '').split(/=+/);
  return Buffer.concat(units.map((unit) => Buffer.from(unit, 'base64')));
}

/** Decodes a text in base64. Keeps a body of words, which is not encoded in spite of its header. */
function decodeBase64(body: Uint8Array): Buffer {
  const text = withoutFooter(latin1Of(body));
  const decoded = bytesOfBase64(text);
  return INNER_BLANK.test(text) && decoded.some(isControl) ? unixLines(body) : decoded;
}

/** Padding with more than a blank after it in its line, which ends base64. */
const TEXT_AFTER_PADDING = /=[ \t]+[^\s=]/;
/** Characters of a file in base64 for one that is foreign to it. Words have more of those: every point and comma. */
const MIN_PER_FOREIGN = 64;

/**
 * Decodes a file in base64, in which blanks mean nothing, wherever they are: a file has control characters, so that they do
 * not tell words from base64. Keeps a body that is hardly base64, which is not encoded in spite of its header.
 */
function decodeBase64File(body: Uint8Array): Buffer {
  const text = latin1Of(body);
  const end = TEXT_AFTER_PADDING.exec(text)?.index ?? text.length;
  const encoded = withoutFooter(text.slice(0, end).replaceAll(/[ \t]+/g, ''));
  const foreign = encoded.replaceAll(/[a-zA-Z0-9+/=\s]+/g, '').length;
  return foreign * MIN_PER_FOREIGN > encoded.length ? Buffer.from(body) : bytesOfBase64(encoded);
}

const UU_LINE = /^[ -`]{1,100}$/;

/** Decodes a line of uuencode: its length, then four characters for three bytes. */
function decodeUuLine(line: string): Buffer {
  const values = [...line].map((char) => (char.charCodeAt(0) - SPACE) & 0x3f);
  const [length = 0, ...units] = values;
  const bytes: number[] = [];
  for (let at = 0; at < units.length && bytes.length < length; at += 4) {
    const [first = 0, second = 0, third = 0, fourth = 0] = units.slice(at, at + 4);
    bytes.push(
      (first << 2) | (second >> 4),
      ((second & 0xf) << 4) | (third >> 2),
      ((third & 3) << 6) | fourth,
    );
  }
  return Buffer.from(bytes.slice(0, length));
}

/** Decodes uuencode between its first and its last line; a body without them stays as it is. */
function decodeUuencode(lines: Buffer): Buffer {
  const all = lines.toString('latin1').split('\n');
  const begin = all.findIndex((line) => /^begin [0-7]{3,4} /.test(line));
  if (begin < 0) return lines;
  const end = all.indexOf('end', begin);
  const encoded = all.slice(begin + 1, end < 0 ? all.length : end).filter((line) => UU_LINE.test(line));
  return Buffer.concat(encoded.map(decodeUuLine));
}

/** Returns the name of a transfer encoding in lower case, without comments. */
function encodingOf(header: string): string {
  const text = header.slice(0, 1000).replaceAll(/\([^()]{0,500}\)/g, ' ');
  return /[\w-]+/.exec(text.toLowerCase())?.[0] ?? '';
}

/** Decodes a body. @param header its Content-Transfer-Encoding, e.g. `base64`; an unknown one leaves it as it is */
export function decodeBody(body: Uint8Array, header: string): Buffer {
  const encoding = encodingOf(header);
  if (encoding.includes('base64')) return decodeBase64(body);
  const lines = unixLines(body);
  if (encoding.includes('quoted-printable')) return decodeQuotedPrintable(lines);
  return /^(x-)?uu(e|encode)?$/.test(encoding) ? decodeUuencode(lines) : lines;
}

/**
 * Decodes the content of a file, byte for byte: a body that is not encoded keeps its line ends.
 * @param header its Content-Transfer-Encoding; an unknown one leaves it as it is
 */
export function decodeFile(body: Uint8Array, header: string): Buffer {
  const encoding = encodingOf(header);
  if (encoding.includes('base64')) return decodeBase64File(body);
  if (encoding.includes('uu')) return decodeBody(body, header);
  const copy = Buffer.from(body);
  return encoding.includes('quoted-printable') ? decodeQuotedPrintable(copy) : copy;
}
