import { decodeText } from './charset.ts';
import { decodeQuotedPrintable } from './transfer-encoding.ts';

/** An encoded word of a value, with its start and end. */
interface Word {
  start: number;
  end: number;
  charset: string;
  bytes: Buffer;
}

const OPENING = /=\?([^?\s]+)\?([bBqQ])\?/y;

/**
 * Decodes the encoded words (RFC 2047) of a header value in one pass. Adjacent words of the same charset are joined before
 * decoding, because real senders split characters between words.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value;
  const out: string[] = [];
  let run: Word[] = [];
  let last = 0;
  for (const word of wordsIn(value)) {
    const between = value.slice(last, word.start);
    const isNeighbour = run.length > 0 && between.trim() === '';
    if (!isNeighbour || !isJoined(run[0], word)) {
      out.push(decodeRun(run));
      run = [];
    }
    if (!isNeighbour) out.push(between);
    run.push(word);
    last = word.end;
  }
  out.push(decodeRun(run), value.slice(last));
  return out.join('');
}

function* wordsIn(value: string): Generator<Word> {
  for (let start = value.indexOf('=?'); start >= 0; ) {
    OPENING.lastIndex = start;
    const opening = OPENING.exec(value);
    const from = OPENING.lastIndex;
    const close = opening ? value.indexOf('?=', from) : -1;
    if (opening && close < 0) return;
    if (opening) {
      const [, charset = '', encoding = ''] = opening;
      const bytes = decodeWord(encoding, value.slice(from, close));
      yield { start, end: close + 2, charset: (charset.split('*')[0] ?? '').toLowerCase(), bytes };
    }
    start = value.indexOf('=?', opening ? close + 2 : start + 2);
  }
}

/** Returns whether two words are decoded as one text; words with escape sequences are decoded separately. */
function isJoined(one: Word | undefined, other: Word): boolean {
  return one?.charset === other.charset && !other.charset.includes('2022');
}

function decodeRun(run: readonly Word[]): string {
  const [first] = run;
  return first ? decodeText(Buffer.concat(run.map((word) => word.bytes)), first.charset) : '';
}

function decodeWord(encoding: string, text: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(text.replace(/[^A-Za-z0-9+/_-]/g, ''), 'base64');
  return decodeQuotedPrintable(Buffer.from(text.replaceAll('_', ' '), 'latin1'));
}
