import { isAscii } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEEPEST_PART, SharedParts, type SharedPiece } from './shared-parts.ts';

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

/** A piece of JSON by its places, without the space around it, and what is known of its inside. */
interface Span {
  from: number;
  to: number;
  pieces: SharedPiece[];
}

function trimmed(json: Buffer, start: number, end: number, pieces: SharedPiece[] = []): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(json[from])) from++;
  while (to > from && isSpace(json[to - 1])) to--;
  return {
    from,
    to,
    pieces: pieces.map((one) => ({ ...one, start: one.start - from, end: one.end - from })),
  };
}

/** Deeper documents are nobody's data: others, the database among them, read them with a stack. */
const DEEPEST = 1000;

/** An object or array that has begun: its place, and how deep it goes so far. */
interface Open {
  start: number;
  deepest: number;
  /** Bytes of shared parts that were recognised in it. */
  recognised: number;
}

/** Cuts an array's JSON at its commas; nothing is copied. What is recognised is passed over. */
class Cutter {
  readonly #json: Buffer;
  readonly #parts: SharedParts;
  readonly #open: Open[] = [];
  readonly #elements: Span[] = [];
  #pieces: SharedPiece[] = [];
  /** Where the element begins that is being read. */
  #start = 1;

  constructor(json: Buffer, parts: SharedParts) {
    this.#json = json;
    this.#parts = parts;
  }

  /** @throws SyntaxError */
  cut(): Span[] {
    const json = this.#json;
    for (let place = 0; place < json.length; place++) {
      const byte = json[place];
      if (byte === QUOTE) place = endOfString(json, place + 1);
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) place = this.#begin(place, byte);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#open.length > 1) this.#end(place, byte);
        else return this.#finish(place, byte);
      } else if (byte === COMMA && this.#open.length === 1) this.#take(place);
    }
    throw new SyntaxError('a list does not end');
  }

  /** @returns the last place of what is passed over */
  #begin(place: number, byte: number): number {
    const depth = this.#open.length;
    if (depth >= DEEPEST) throw new SyntaxError('the list is nested too deeply');
    // An element itself is no part of another.
    const mayBePart = byte === OPEN_OBJECT && depth > 1 && depth < DEEPEST - DEEPEST_PART;
    const part = mayBePart ? this.#parts.at(this.#json, place) : undefined;
    if (!part) {
      this.#open.push({ start: place, deepest: depth, recognised: 0 });
      return place;
    }
    const end = place + part.text.length;
    this.#pieces.push({ start: place, end, part });
    const within = this.#open.at(-1) as Open;
    within.recognised += part.text.length;
    within.deepest = Math.max(within.deepest, depth + part.depth);
    return end - 1;
  }

  #end(place: number, byte: number): void {
    const { start, deepest, recognised } = this.#open.pop() as Open;
    const outer = this.#open.at(-1) as Open;
    outer.deepest = Math.max(outer.deepest, deepest);
    outer.recognised += recognised;
    const depth = this.#open.length;
    if (byte === CLOSE_OBJECT && depth > 1)
      this.#parts.note(this.#json, { start, end: place + 1, depth: deepest - depth, recognised });
  }

  #take(end: number): void {
    this.#elements.push(trimmed(this.#json, this.#start, end, this.#pieces));
    this.#pieces = [];
    this.#start = end + 1;
  }

  #finish(place: number, byte: number): Span[] {
    const rest = trimmed(this.#json, place + 1, this.#json.length);
    if (byte !== CLOSE_ARRAY || rest.from < rest.to) throw new SyntaxError('a list does not end');
    this.#take(place);
    const [only] = this.#elements;
    const isEmpty = this.#elements.length === 1 && only?.from === only?.to;
    return isEmpty ? [] : this.#elements;
  }
}

/**
 * Numbers from here on, alone in an array, stand for shared parts in what is parsed. Nobody else can know them; and an
 * array may stand where an object may, and nowhere else.
 */
const FIRST_PLACEHOLDER = 2 ** 52 + randomInt(2 ** 47);

/** As JSON, by the number of the piece. */
const placeholders: Buffer[] = [];

function placeholderOf(piece: number): Buffer {
  placeholders[piece] ??= Buffer.from(`[${FIRST_PLACEHOLDER + piece}]`);
  return placeholders[piece];
}

function pieceOf(value: object): number | undefined {
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [only] = value as unknown[];
  // Compared with a number, a list of one placeholder would be taken for the placeholder.
  return typeof only === 'number' && only >= FIRST_PLACEHOLDER ? only - FIRST_PLACEHOLDER : undefined;
}

/** Puts shared parts where their placeholders stand. @returns how many are still to be found */
function fillIn(holder: Record<string, unknown>, pieces: readonly SharedPiece[], missing: number): number {
  let left = missing;
  for (const key of Object.keys(holder)) {
    if (left === 0) break;
    const value = holder[key];
    if (typeof value !== 'object' || value === null) continue;
    const piece = pieces[pieceOf(value) ?? -1];
    if (piece) {
      holder[key] = piece.part.value;
      left--;
    } else left = fillIn(value as Record<string, unknown>, pieces, left);
  }
  return left;
}

/** Where elements of a usual size are put together, one after the other. */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);

/** The JSON of an element with placeholders for its shared parts. */
function withPlaceholders(
  source: Buffer,
  pieces: readonly SharedPiece[],
  encoding: 'latin1' | 'utf8',
): string {
  const placed = pieces.reduce(
    (sum, { start, end }, index) => sum + placeholderOf(index).length - (end - start),
    0,
  );
  const size = source.length + placed;
  const scratch = size <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafeSlow(size);
  let from = 0;
  let at = 0;
  for (const [index, { start, end }] of pieces.entries()) {
    at += source.copy(scratch, at, from, start);
    at += placeholderOf(index).copy(scratch, at);
    from = end;
  }
  source.copy(scratch, at, from);
  return scratch.toString(encoding, 0, size);
}

/** Parses an element; of its shared parts each is parsed once for all. */
function parseElement(source: Buffer, pieces: readonly SharedPiece[], encoding: 'latin1' | 'utf8'): unknown {
  if (pieces.length === 0) return JSON.parse(source.toString(encoding));
  const element = JSON.parse(withPlaceholders(source, pieces, encoding)) as Record<string, unknown>;
  fillIn(element, pieces, pieces.length);
  return element;
}

/** Elements that are read in one go: a page would hold up what else the process does. */
const STRETCH = 10;

/**
 * Reads a JSON array element by element: each is parsed on its own and can be let go at once, which spares the garbage
 * collector the whole page, and comes with its own text (a slice, not a copy). Others have their turn in between.
 * @param parts what earlier arrays held: what is recognised comes with the element, and is frozen in it
 * @returns undefined when the JSON is something else than an array @throws SyntaxError when it is no JSON
 */
export async function parseElements<T>(
  json: Buffer,
  read: (element: unknown, source: Buffer, pieces: readonly SharedPiece[]) => T,
  parts = new SharedParts(),
): Promise<T[] | undefined> {
  const { from, to } = trimmed(json, 0, json.length);
  const whole = json.subarray(from, to);
  if (whole[0] !== OPEN_ARRAY) {
    JSON.parse(whole.toString());
    return undefined;
  }
  const encoding = isAscii(whole) ? 'latin1' : 'utf8';
  const elements: T[] = [];
  for (const { from, to, pieces } of new Cutter(whole, parts).cut()) {
    if (elements.length % STRETCH === STRETCH - 1) await nextTurn();
    const source = whole.subarray(from, to);
    elements.push(read(parseElement(source, pieces, encoding), source, pieces));
  }
  return elements;
}
