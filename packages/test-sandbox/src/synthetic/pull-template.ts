import type { PullFacts, PullShaper } from '@datadeck/sandbox/parts';

const SENTINEL_NUMBER = 987_654_321;
const SENTINEL_DAY = 915_148_800_000;
const DAY = 86_400_000;

/**
 * A pull request as JSON with placeholders for number, ids, hashes and times. Filling them in is ten times as fast as
 * serialising the JSON again, so that benchmarks measure the product and not the sandbox.
 */
export class PullTemplate {
  readonly #shaper: PullShaper;
  readonly #pieces: Buffer[];
  readonly #holes: number[];

  constructor(shaper: PullShaper, kind: PullFacts) {
    this.#shaper = shaper;
    const closedAt = kind.closedAt === null ? null : SENTINEL_DAY + 2 * DAY;
    const sentinel: PullFacts = {
      ...kind,
      number: SENTINEL_NUMBER,
      createdAt: SENTINEL_DAY,
      updatedAt: SENTINEL_DAY + DAY,
      closedAt,
      mergedAt: kind.mergedAt === null ? null : closedAt,
    };
    const marks = shaper.identityTexts(sentinel);
    const parts = asciiJson(shaper.text(sentinel)).split(new RegExp(`(${marks.join('|')})`));
    this.#pieces = parts.filter((_, index) => index % 2 === 0).map((piece) => Buffer.from(piece, 'latin1'));
    this.#holes = parts.filter((_, index) => index % 2 === 1).map((mark) => marks.indexOf(mark));
  }

  /** Returns the JSON of a pull request of this kind. @param allocate returns a buffer of this many bytes */
  fill(pull: PullFacts, allocate: (bytes: number) => Buffer): Buffer {
    const texts = this.#shaper.identityTexts(pull);
    const values = this.#holes.map((hole) => texts[hole] ?? '');
    const bytes = [...this.#pieces, ...values].reduce((sum, { length }) => sum + length, 0);
    const out = allocate(bytes);
    let end = 0;
    for (const [index, piece] of this.#pieces.entries()) {
      end += piece.copy(out, end);
      end += out.write(values[index] ?? '', end, 'latin1');
    }
    return out;
  }
}

/** Escapes all non-ASCII characters, because ASCII text is copied faster. */
function asciiJson(text: Buffer): string {
  return text
    .toString('utf8')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
