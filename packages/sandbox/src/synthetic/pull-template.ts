import type { PullFacts } from '../github/pull-facts.ts';
import type { PullShaper } from '../github/pull-shape.ts';

const SENTINEL_NUMBER = 987_654_321;
const SENTINEL_DAY = 915_148_800_000;
const DAY = 86_400_000;
/** Of each kind. */
const KEPT = 100;

/**
 * A pull request as JSON with holes for what tells it from others of its kind: number, ids, hashes and times. Filling the
 * holes is ten times as fast as writing the JSON anew, so that a bench measures the product and not the sandbox.
 */
export class PullTemplate {
  readonly #shaper: PullShaper;
  readonly #pieces: string[];
  readonly #holes: number[];
  readonly #known = new Map<string, string[]>();

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
    this.#pieces = parts.filter((_, index) => index % 2 === 0);
    this.#holes = parts.filter((_, index) => index % 2 === 1).map((mark) => marks.indexOf(mark));
  }

  /** Hashing takes longer than all the rest: what was told is kept, of the pull requests told last. */
  #identityTexts(pull: PullFacts): string[] {
    const key = `${pull.number} ${pull.updatedAt}`;
    const texts = this.#known.get(key) ?? this.#shaper.identityTexts(pull);
    this.#known.delete(key);
    this.#known.set(key, texts);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value ?? '');
    return texts;
  }

  /** The JSON of a pull request of this kind. */
  fill(pull: PullFacts): Buffer {
    const texts = this.#identityTexts(pull);
    let out = this.#pieces[0] ?? '';
    for (const [index, hole] of this.#holes.entries())
      out += `${texts[hole] ?? ''}${this.#pieces[index + 1] ?? ''}`;
    return Buffer.from(out, 'latin1');
  }
}

/** JSON without a character beyond ASCII, which is copied faster. */
function asciiJson(text: Buffer): string {
  return text
    .toString('utf8')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
