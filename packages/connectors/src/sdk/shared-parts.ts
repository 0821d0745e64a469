import { hash } from 'node:crypto';

/** Smaller objects are not worth a place of their own. */
const LEAST_BYTES = 512;
/**
 * From here on an object is remembered when it is met first, whatever it holds. Smaller ones are many, and most of them
 * never come again; what has so little beside parts is better stored with them taken out.
 */
const LARGE_BYTES = 2048;
const MOST_BYTES = 64 * 1024;
/** Deeper ones are not shared. */
export const DEEPEST_PART = 50;
/** What is remembered at most: that which was met last. */
const MOST_BEGINNINGS = 2000;
const MOST_TOTAL_BYTES = 16 * 1024 * 1024;
/** Objects that begin alike which are remembered. */
const ALIKE = 4;
/** After so many in a row that were other objects with a known beginning, such ones are not believed to come again. */
const MOST_MISSES = 16;

/** An object's JSON that several documents hold to the letter, as those of one repository hold the repository. */
export class SharedPart {
  readonly text: Buffer;
  /** How deep it goes below itself. */
  readonly depth: number;
  #value: object | undefined;
  #hash: string | undefined;

  /** @param text its JSON; nobody else's memory */
  constructor(text: Buffer, depth = 0) {
    this.text = text;
    this.depth = depth;
  }

  /** What the JSON means, frozen. @throws SyntaxError when it is no JSON */
  get value(): object {
    this.#value ??= Object.freeze(JSON.parse(this.text.toString()) as object);
    return this.#value;
  }

  /** SHA-256 of the text, base64: whoever writes the texts must not make two with one hash. */
  get hash(): string {
    this.#hash ??= hash('sha256', this.text, 'base64');
    return this.#hash;
  }
}

/** Bytes from an object's beginning that tell it from others before all are compared: the first key and most of its value. */
const BEGINNING = 24;

function beginningOf(json: Buffer, place: number): number {
  let mixed = 0;
  for (let at = place; at < place + BEGINNING; at += 4)
    mixed = Math.imul(mixed ^ json.readUInt32LE(at), 0x9e3779b1) ^ (mixed >>> 15);
  return mixed;
}

/** Where a document holds a shared part; bytes. */
export interface SharedPiece {
  start: number;
  end: number;
  part: SharedPart;
}

/** What is known of objects with one beginning. */
interface Alike {
  parts: SharedPart[];
  /** The length of the one met last, when it was not remembered. */
  length: number;
  /** Others met since one was recognised. */
  misses: number;
}

/** An object that was read to its end. */
export interface MetObject {
  start: number;
  end: number;
  /** How deep it goes below itself. */
  depth: number;
  /** Bytes of it that were recognised as shared parts. */
  recognised: number;
}

/**
 * Remembers the larger objects of the documents that one read brings, to recognise them in later ones by their bytes.
 * What is recognised need not be searched, parsed or stored once more.
 */
export class SharedParts {
  readonly #known = new Map<number, Alike>();
  #bytes = 0;

  /** The remembered object that stands at a place; undefined for none. */
  at(json: Buffer, place: number): SharedPart | undefined {
    if (place + LEAST_BYTES > json.length) return undefined;
    const beginning = beginningOf(json, place);
    const alike = this.#known.get(beginning);
    if (!alike) return undefined;
    const found = alike.parts.find(
      ({ text: { length }, text }) =>
        place + length <= json.length && json.compare(text, 0, length, place, place + length) === 0,
    );
    if (!found) {
      alike.misses++;
      return undefined;
    }
    alike.misses = 0;
    this.#keepLongest(beginning, alike);
    return found;
  }

  /** Remembers an object, when it is worth it. */
  note(json: Buffer, { start, end, depth, recognised }: MetObject): void {
    const bytes = end - start;
    const least = recognised > 0 ? recognised + LARGE_BYTES : LEAST_BYTES;
    if (bytes < least || bytes > MOST_BYTES || depth > DEEPEST_PART) return;
    const beginning = beginningOf(json, start);
    const alike = this.#known.get(beginning) ?? { parts: [], length: 0, misses: 0 };
    const isUnique = alike.misses > MOST_MISSES;
    const isRemembered = bytes >= LARGE_BYTES || alike.length === bytes;
    if (isUnique) this.#forget(alike, 0);
    else if (isRemembered) {
      alike.parts.unshift(new SharedPart(Buffer.from(json.subarray(start, end)), depth));
      this.#bytes += bytes;
      this.#forget(alike, ALIKE);
    }
    alike.length = bytes;
    this.#keepLongest(beginning, alike);
  }

  #forget(alike: Alike, from: number): void {
    for (const { text } of alike.parts.splice(from)) this.#bytes -= text.length;
  }

  /** The one met last is forgotten last. */
  #keepLongest(beginning: number, alike: Alike): void {
    this.#known.delete(beginning);
    this.#known.set(beginning, alike);
    for (const [oldest, forgotten] of this.#known) {
      if (this.#known.size <= MOST_BEGINNINGS && this.#bytes <= MOST_TOTAL_BYTES) return;
      this.#forget(forgotten, 0);
      this.#known.delete(oldest);
    }
  }
}
