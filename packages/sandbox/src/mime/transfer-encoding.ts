import { decodeBase64 } from './base64.ts';

/** Decodes a body by the encoding that its header names; returns the bytes unchanged for unknown encodings. */
export function decodeTransfer(bytes: Buffer, encoding: string | undefined): Buffer {
  // A comment may precede the name.
  const [name = ''] = (encoding ?? '')
    .replace(/^\s{0,99}\([^()]{0,999}\)/, '')
    .trim()
    .toLowerCase()
    .replaceAll('"', '')
    .split(/[;\s]/, 1);
  if (name === 'base64') return decodeBase64(bytes);
  if (name === 'quoted-printable') return decodeQuotedPrintable(bytes);
  if (/^(x-)?uu(e|encode)?$/.test(name)) return decodeUu(bytes);
  return bytes;
}

const EQUALS = 0x3d;

/** Decodes quoted-printable (RFC 2045, 6.7); malformed escapes are kept. */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== EQUALS) {
      out[length++] = byte;
      continue;
    }
    const rest = bytes.toString('latin1', at + 1, at + 64);
    const softBreak = /^[ \t]*(\r\n|\n|\r|$)/.exec(rest);
    const hex = /^[0-9A-Fa-f]{2}/.exec(rest);
    if (hex) {
      out[length++] = Number.parseInt(hex[0], 16);
      at += 2;
    } else if (softBreak) at += softBreak[0].length;
    else out[length++] = byte;
  }
  return out.subarray(0, length);
}

function decodeUu(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split(/\r?\n/);
  const begin = lines.findIndex((line) => /^begin [0-7]+ /.test(line));
  const decoded: number[] = [];
  for (const line of lines.slice(begin + 1)) {
    if (line === 'end') break;
    const count = (line.charCodeAt(0) - 32) & 63;
    const start = decoded.length;
    for (let at = 1; at + 3 < line.length + 3 && decoded.length - start < count; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map(
        (offset) => ((line.charCodeAt(at + offset) || 32) - 32) & 63,
      );
      decoded.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
    }
    decoded.length = Math.min(decoded.length, start + count);
  }
  return Buffer.from(decoded);
}
