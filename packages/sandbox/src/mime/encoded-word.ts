import { decodeText } from './charset.ts';
import { decodeQuotedPrintable } from './transfer-encoding.ts';

const WORD = /=\?([^?\s]+)\?([bBqQ])\?([^?]*(?:\?(?!=)[^?]*)*)\?=/g;

interface Piece {
  charset: string;
  bytes: Buffer;
}

/**
 * The text of a header value with its encoded words (RFC 2047) decoded. Neighbouring words of one charset are joined
 * before they are decoded, since real senders cut through characters.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value;
  let out = '';
  let last = 0;
  let pending: Piece | undefined;
  for (const match of value.matchAll(WORD)) {
    const [whole, charset = '', encoding = '', text = ''] = match;
    const between = value.slice(last, match.index);
    if (pending && /\S/.test(between)) {
      out += decodeText(pending.bytes, pending.charset) + between;
      pending = undefined;
    } else if (!pending) out += between;
    pending = join(
      pending,
      { charset: charset.split('*')[0] ?? '', bytes: decodeWord(encoding, text) },
      (done) => {
        out += done;
      },
    );
    last = match.index + whole.length;
  }
  if (pending) out += decodeText(pending.bytes, pending.charset);
  return out + value.slice(last);
}

function join(pending: Piece | undefined, next: Piece, emit: (text: string) => void): Piece {
  if (!pending) return next;
  if (pending.charset.toLowerCase() === next.charset.toLowerCase() && !/2022/.test(next.charset)) {
    return { charset: next.charset, bytes: Buffer.concat([pending.bytes, next.bytes]) };
  }
  emit(decodeText(pending.bytes, pending.charset));
  return next;
}

function decodeWord(encoding: string, text: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(text.replace(/[^A-Za-z0-9+/_-]/g, ''), 'base64');
  return decodeQuotedPrintable(Buffer.from(text.replaceAll('_', ' '), 'latin1'));
}
