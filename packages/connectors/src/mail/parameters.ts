import { decodeText } from './charset.ts';
import { bytesOfEscapes, decodeWords } from './words.ts';

/** Longest part of a header that is read, UTF-16 units. */
const MAX_LENGTH = 64 * 1024;
const MAX_PARAMETERS = 1000;
const SPACE = /\s/;
/** A comment at the end of a value that is not a file name. */
const COMMENT = /\s\([^()]{0,500}\)\s{0,99}$/;

/** A parameter, or a piece of one (RFC 2231), as written. */
interface Piece {
  /** Number of the piece; -1 for a whole parameter. */
  index: number;
  text: string;
  /** Whether the text has percent escapes, and a charset in front. */
  isEncoded: boolean;
}

/** Reads a quoted text from its first quote; one without an end extends to the end of the header. */
function readQuoted(header: string, start: number): { text: string; next: number } {
  const pieces: string[] = [];
  let from = start + 1;
  for (let at = from; at < header.length; at++) {
    if (header[at] === '"') return { text: pieces.join('') + header.slice(from, at), next: at + 1 };
    // Other backslashes belong to paths of Windows.
    if (header[at] !== '\\' || !'"\\'.includes(header[at + 1] ?? 'x')) continue;
    pieces.push(header.slice(from, at));
    from = ++at;
  }
  return { text: pieces.join('') + header.slice(from), next: header.length };
}

/** Yields the parameters of a header as written, in one pass. A missing semicolon or quote is tolerated. */
function* writtenParameters(header: string): Generator<[key: string, text: string]> {
  let equals = header.indexOf('=');
  for (let at = 0, count = 0; equals >= 0 && count < MAX_PARAMETERS; count++) {
    const semicolon = header.lastIndexOf(';', equals);
    const words = header.slice(Math.max(at, semicolon + 1), equals).trimEnd();
    const key = words.slice(Math.max(words.lastIndexOf(' '), words.lastIndexOf('\t')) + 1).toLowerCase();
    let start = equals + 1;
    while (SPACE.test(header[start] ?? '')) start++;
    const end = header.indexOf(';', start);
    const token = { text: header.slice(start, end < 0 ? header.length : end).trim(), next: end };
    const { text, next } = header[start] === '"' ? readQuoted(header, start) : token;
    yield [key, text];
    at = next < 0 ? header.length : next;
    equals = header.indexOf('=', at);
  }
}

/**
 * Decodes a parameter: a whole encoded one, else its numbered pieces up to the first gap, else the first whole one. The first
 * piece names the charset; characters may be split between pieces.
 */
function decodePieces(pieces: readonly Piece[]): string {
  const whole = pieces.find(({ index, isEncoded }) => index < 0 && isEncoded);
  const numbered = pieces.filter(({ index }) => index >= 0).sort((one, other) => one.index - other.index);
  const first = numbered[0]?.index ?? 0;
  const unbroken = numbered.filter(({ index }, at) => index === first + at);
  const joined = whole ? [whole] : unbroken.length > 0 ? unbroken : pieces.slice(0, 1);
  if (!joined.some(({ isEncoded }) => isEncoded)) return decodeWords(joined.map(({ text }) => text).join(''));
  const [prefix, charset = ''] = /^([^']{0,100})'[^']{0,100}'/.exec(joined[0]?.text ?? '') ?? [''];
  const bytes = joined.map(({ text, isEncoded }, at) => {
    const value = at === 0 ? text.slice(prefix.length) : text;
    return isEncoded ? bytesOfEscapes(value, /%([0-9a-f]{2})/gi) : Buffer.from(value);
  });
  return decodeText(Buffer.concat(bytes), { charset });
}

/**
 * Joins parameters by name: of several forms the best is used, which is `name*` (RFC 2231), then the pieces `name*0`,
 * `name*1`, then the first `name`. Encoded words are decoded.
 */
export function joinParameters(written: Iterable<readonly [key: string, text: string]>): Map<string, string> {
  const found = new Map<string, Piece[]>();
  for (const [key, text] of written) {
    const [, name = '', index = '-1', star] = /^([^*]{1,100})(?:\*(\d{1,4}))?(\*)?$/.exec(key) ?? [];
    if (name === '') continue;
    const pieces = found.get(name) ?? [];
    const piece = { index: Number(index), text, isEncoded: star !== undefined };
    const isSame = (one: Piece) =>
      one.index === piece.index && (piece.index >= 0 || one.isEncoded === piece.isEncoded);
    if (!pieces.some(isSame)) pieces.push(piece);
    found.set(name, pieces);
  }
  return new Map(
    [...found].map(([name, pieces]) => {
      const value = decodePieces(pieces);
      return [name, /name$/.test(name) ? value : value.replace(COMMENT, '')];
    }),
  );
}

/** Returns the parameters of a structured header (RFC 2045, RFC 2231), e.g. `charset`, by name in lower case. */
export function readParameters(header: string): Map<string, string> {
  return header.includes('=') ? joinParameters(writtenParameters(header.slice(0, MAX_LENGTH))) : new Map();
}
