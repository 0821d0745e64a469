import { hash } from 'node:crypto';

/** Smaller objects are not worth a place of their own. */
const LEAST_BYTES = 2048;
const MOST_BYTES = 64 * 1024;
/** Deeper ones are not shared. */
export const DEEPEST_PART = 50;
/** How many are remembered: those met last. */
const MOST = 500;
/** Versions of what begins alike that are remembered. */
const ALIKE = 4;

/** An object's JSON that several documents hold to the letter, as those of one repository hold the repository. */
export class SharedPart {
  readonly text: Buffer;
  #value: object | undefined;
  #hash: string | undefined;

  /** @param text its JSON; nobody else's memory */
  constructor(text: Buffer) {
    this.text = text;
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

/** Tells objects apart before all their bytes are compared: those after the first key of most. */
function keyOf(json: Buffer, place: number): number {
  return json.readUInt32LE(place + 6) * 2 ** 20 + (json.readUInt32LE(place + 10) % 2 ** 20);
}

/** Where a document holds a shared part; bytes. */
export interface SharedPiece {
  start: number;
  end: number;
  part: SharedPart;
}

/**
 * Remembers the large objects of the documents that one read brings, to recognise them in later ones by their bytes.
 * What is recognised need not be searched, parsed or stored once more.
 */
export class SharedParts {
  readonly #known = new Map<number, SharedPart[]>();

  /** The remembered object that stands at a place; undefined for none. */
  at(json: Buffer, place: number): SharedPart | undefined {
    if (place + LEAST_BYTES > json.length) return undefined;
    const key = keyOf(json, place);
    const alike = this.#known.get(key);
    const found = alike?.find(
      ({ text: { length }, text }) =>
        place + length <= json.length && json.compare(text, 0, length, place, place + length) === 0,
    );
    if (alike && found) {
      // The last one met is forgotten last.
      this.#known.delete(key);
      this.#known.set(key, alike);
    }
    return found;
  }

  /** Remembers an object, when it is worth it. */
  note(json: Buffer, start: number, end: number, depth: number): void {
    const bytes = end - start;
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES || depth > DEEPEST_PART) return;
    const key = keyOf(json, start);
    const alike = this.#known.get(key) ?? [];
    this.#known.set(key, [new SharedPart(Buffer.from(json.subarray(start, end))), ...alike].slice(0, ALIKE));
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value ?? 0);
  }
}
