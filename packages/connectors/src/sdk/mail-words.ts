import { decodeText } from './mail-charset.ts';

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
function bytesOfEscapes(text: string, pattern: RegExp): Buffer {
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

/** Largest number of pieces of a parameter. */
const MAX_PIECES = 1000;

/**
 * Returns a parameter of a structured header that is written with its charset (RFC 2231), e.g. `filename*=cp850''Gr%94%E1e`;
 * undefined if there is none.
 */
export function extendedParameter(header: string, name: 'filename' | 'name'): string | undefined {
  const pieces: { index: number; text: string; isEncoded: boolean }[] = [];
  const pattern =
    /[;\s](filename|name)\*(?:(\d{1,3})(\*)?)?\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|([^\s;"]{0,2000}))/gi;
  for (const [, key = '', index, star, quoted, token] of header.matchAll(pattern)) {
    if (key.toLowerCase() !== name || pieces.length === MAX_PIECES) continue;
    const isEncoded = index === undefined || star !== undefined;
    pieces.push({ index: Number(index ?? -1), text: quoted ?? token ?? '', isEncoded });
  }
  if (!pieces.some(({ isEncoded }) => isEncoded)) return undefined;
  const whole = pieces.find(({ index }) => index < 0);
  const sorted = whole ? [whole] : pieces.sort((one, other) => one.index - other.index);
  const [prefix, charset = ''] = /^([^']{0,100})'[^']{0,100}'/.exec(sorted[0]?.text ?? '') ?? [''];
  const bytes = sorted.map(({ text, isEncoded }, at) => {
    const value = at === 0 ? text.slice(prefix.length) : text;
    return isEncoded ? bytesOfEscapes(value, /%([0-9a-f]{2})/gi) : Buffer.from(value);
  });
  return decodeText(Buffer.concat(bytes), { charset });
}
