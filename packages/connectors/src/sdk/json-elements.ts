import { isAscii } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The place of the quote that ends the string whose content begins at `from`. */
function endOfString(json: Buffer, from: number): number {
  for (let end = json.indexOf(QUOTE, from); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  throw new SyntaxError('a string does not end');
}

function trimmed(json: Buffer, start: number, end: number): Buffer {
  let from = start;
  let to = end;
  while (from < to && isSpace(json[from])) from++;
  while (to > from && isSpace(json[to - 1])) to--;
  return json.subarray(from, to);
}

/** Deeper documents are nobody's data: others, the database among them, read them with a stack. */
const DEEPEST = 1000;

/** What stands between the commas of an array; slices, nothing is copied. */
function slicesOf(json: Buffer): Buffer[] {
  const slices: Buffer[] = [];
  let depth = 0;
  let start = 1;
  for (let place = 0; place < json.length; place++) {
    const byte = json[place];
    if (byte === QUOTE) place = endOfString(json, place + 1);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > DEEPEST) throw new SyntaxError('the list is nested too deeply');
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (--depth > 0) continue;
      if (byte !== CLOSE_ARRAY || trimmed(json, place + 1, json.length).length > 0) break;
      const last = trimmed(json, start, place);
      return slices.length === 0 && last.length === 0 ? [] : [...slices, last];
    } else if (byte === COMMA && depth === 1) {
      slices.push(trimmed(json, start, place));
      start = place + 1;
    }
  }
  throw new SyntaxError('a list does not end');
}

/** Elements that are read in one go: a page would hold up what else the process does. */
const STRETCH = 20;

/**
 * Reads a JSON array element by element: each is parsed on its own and can be let go at once, which spares the garbage
 * collector the whole page, and comes with its own text (a slice, not a copy). Others have their turn in between.
 * @returns undefined when the JSON is something else than an array @throws SyntaxError when it is no JSON
 */
export async function parseElements<T>(
  json: Buffer,
  read: (element: unknown, source: Buffer) => T,
): Promise<T[] | undefined> {
  const whole = trimmed(json, 0, json.length);
  if (whole[0] !== OPEN_ARRAY) {
    JSON.parse(whole.toString());
    return undefined;
  }
  const encoding = isAscii(whole) ? 'latin1' : 'utf8';
  const elements: T[] = [];
  for (const slice of slicesOf(whole)) {
    if (elements.length % STRETCH === STRETCH - 1) await nextTurn();
    elements.push(read(JSON.parse(slice.toString(encoding)), slice));
  }
  return elements;
}
