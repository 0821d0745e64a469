import { decode as decodeQuotedPrintable } from 'libqp';
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
  if (name === 'quoted-printable') return decodeQuotedPrintable(bytes.toString('latin1'));
  if (/^(x-)?uu(e|encode)?$/.test(name)) return decodeUu(bytes);
  return bytes;
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
