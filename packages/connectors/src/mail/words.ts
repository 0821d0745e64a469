import { decodeText } from './charset.ts';

/** A run of encoded words of one charset. */
interface Run {
  charset: string;
  pieces: Buffer[];
}

const OPENING = /=\?([^?\s]{1,100})\?([bq])\?/iy;
const ESCAPE = /=[ \t]{0,9}([0-9a-f]{2})/gi;

/** Returns the bytes of base64, which may be padded in its middle. */
function bytesOfBase64(text: string): Buffer {
  return Buffer.concat(text.split(/=+/).map((unit) => Buffer.from(unit, 'base64')));
}

/** Returns the bytes of text in which `pattern` matches bytes in hexadecimal digits; other characters are UTF-8. */
export function bytesOfEscapes(text: string, pattern: RegExp): Buffer {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replaceAll(pattern, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

const textOf = ({ charset, pieces }: Run) => decodeText(Buffer.concat(pieces), { charset });

/**
 * Decodes the encoded words (RFC 2047) of a header in one pass. Adjacent words of one charset are decoded together, because
 * many senders split characters between words.
 */
export function decodeWords(value: string): string {
  const out: string[] = [];
  let run: Run | undefined;
  let last = 0;
  for (let start = value.indexOf('=?'); start >= 0; ) {
    OPENING.lastIndex = start;
    const [opening = '', charset = '', encoding = ''] = OPENING.exec(value) ?? [];
    const from = start + opening.length;
    const close = opening === '' ? -1 : value.indexOf('?=', from);
    if (opening !== '' && close < 0) break;
    if (opening !== '') {
      const between = value.slice(last, start);
      const isNeighbour = run !== undefined && between.trim() === '';
      if (!isNeighbour || run?.charset !== charset.toLowerCase()) {
        if (run) out.push(textOf(run));
        run = { charset: charset.toLowerCase(), pieces: [] };
      }
      if (!isNeighbour) out.push(between);
      const text = value.slice(from, close);
      const isBase64 = encoding.toLowerCase() === 'b';
      run?.pieces.push(isBase64 ? bytesOfBase64(text) : bytesOfEscapes(text.replaceAll('_', ' '), ESCAPE));
      last = close + 2;
    }
    start = value.indexOf('=?', opening === '' ? start + 2 : last);
  }
  if (run) out.push(textOf(run));
  return out.join('') + value.slice(last);
}
