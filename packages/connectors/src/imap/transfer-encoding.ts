/** Decodes the Content-Transfer-Encoding of MIME parts. */

const LF = 0x0a;
const CR = 0x0d;
const EQUALS = 0x3d;
const SPACE = 0x20;
const TAB = 0x09;

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

/** Decodes quoted-printable in place; keeps invalid escapes unchanged. */
function decodeQuotedPrintable(lines: Buffer): Buffer {
  let length = 0;
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at] as number;
    if (byte === EQUALS) {
      // A line that ends with `=`, maybe with blanks after it, continues in the next one (soft line break).
      let end = at + 1;
      while (lines[end] === SPACE || lines[end] === TAB) end++;
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

/** Decodes base64; accepts padding at the end of any line. */
function decodeBase64(body: Uint8Array): Buffer {
  const units = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1')
    .replaceAll(/[^a-zA-Z0-9+/=]+/g, '')
    .split(/=+/);
  return Buffer.concat(units.map((unit) => Buffer.from(unit, 'base64')));
}

/** Decodes a body of a mail's source. @param encoding the transfer encoding in lower case, e.g. `base64` */
export function decodeBody(body: Uint8Array, encoding: string): Buffer {
  if (encoding.includes('base64')) return decodeBase64(body);
  const lines = unixLines(body);
  return encoding.includes('quoted-printable') ? decodeQuotedPrintable(lines) : lines;
}
