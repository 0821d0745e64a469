import { JsonataError } from './errors.ts';

/** The limits of one evaluation. Each has its own error code; see `LIMIT_CODES`. */
export interface Limits {
  /** Units of work: an item visited, a function called, four characters built. */
  steps: number;
  /** Nesting depth of evaluated expressions; calls in tail position do not count. */
  depth: number;
  /** Items in one array or sequence. */
  sequenceLength: number;
  /** Length of one string, UTF-16 units. */
  stringLength: number;
  /** Values in the result, including nested ones. A selection that cannot be larger than its input is not counted. */
  resultSize: number;
  /** Pairs of items that one step of a join compares. Default: as many as fit half of `timeMs`. */
  pairs: number;
  /** Wall-clock time, ms. */
  timeMs: number;
}

/** Pairs of items that a join compares in one millisecond on a slow machine (`bench/joins.ts`). */
export const PAIRS_PER_MS = 4000;

/** Returns the number of pairs that fit half of a time limit, ms. */
export function pairsWithin(timeMs: number): number {
  return Math.max(1, Math.floor((PAIRS_PER_MS * timeMs) / 2));
}

export const DEFAULT_LIMITS: Limits = {
  steps: 100_000_000,
  depth: 6_000,
  sequenceLength: 10_000_000,
  stringLength: 10_000_000,
  resultSize: 10_000_000,
  pairs: pairsWithin(30_000),
  timeMs: 30_000,
};

/** The limits of queries in the product, in the browser and on the server: no single step may block for long. */
export const QUERY_LIMITS: Pick<Limits, 'sequenceLength'> = { sequenceLength: 2_000_000 };

/** The error codes of the limits, and of the rejections before an evaluation. */
export const LIMIT_CODES = {
  steps: 'L1001',
  stringLength: 'L1002',
  resultSize: 'L1003',
  unsafePattern: 'L1004',
  expressionSize: 'L1005',
  needsAllRows: 'L1006',
  pairs: 'L1007',
  depth: 'D1011',
  timeMs: 'D1012',
  sequenceLength: 'D2015',
} as const;

/** The codes of all limits. */
export const LIMITS: ReadonlySet<string> = new Set(Object.values(LIMIT_CODES));

/** Maximum length of a number or date picture, characters. The work grows with its square. */
const MAX_PICTURE_LENGTH = 2000;

/** Number of steps after which the clock is read again; they take less than a millisecond. */
const SLICE = 16_384;

/** The remaining limits during one evaluation, and the state that the evaluation shares. */
export class Budget {
  readonly limits: Limits;
  #fuel = 0;
  #granted = 0;
  readonly #deadline: number;

  constructor(limits: Limits) {
    this.limits = limits;
    this.#deadline = Date.now() + limits.timeMs;
    this.#refuel();
  }

  /** Consumes `steps` units of work. @throws JsonataError when the steps or the time are exhausted */
  spend(steps: number): void {
    this.#fuel -= steps;
    if (this.#fuel < 0) this.#refuel();
  }

  #refuel(): void {
    const used = this.#granted - this.#fuel;
    if (used > this.limits.steps) throw new JsonataError(LIMIT_CODES.steps, { value: this.limits.steps });
    if (Date.now() > this.#deadline)
      throw new JsonataError(LIMIT_CODES.timeMs, { value: this.limits.timeMs });
    this.#fuel = Math.min(SLICE, this.limits.steps - used);
    this.#granted = used + this.#fuel;
  }

  /** Checks the time limit. @throws JsonataError when it is exceeded */
  checkTime(): void {
    if (Date.now() > this.#deadline)
      throw new JsonataError(LIMIT_CODES.timeMs, { value: this.limits.timeMs });
  }

  /** Charges for an array of `length` items that is about to be created. @throws JsonataError if it is too long */
  spendItems(length: number): void {
    if (length > this.limits.sequenceLength) {
      throw new JsonataError(LIMIT_CODES.sequenceLength, { value: this.limits.sequenceLength });
    }
    this.spend(length);
  }

  /** Refuses a join that would compare more pairs than allowed; `token` is its variable. @throws JsonataError L1007 */
  checkPairs(pairs: number, at: { token: string; position: number | undefined }): void {
    if (pairs > this.limits.pairs) throw new JsonataError(LIMIT_CODES.pairs, { ...at, value: pairs });
  }

  /** Charges for reading a string, which is much faster than building one. */
  spendReading(length: number): void {
    this.spend(length >> 6);
  }

  /** Charges for a string of `length` UTF-16 units that is about to be created. @throws JsonataError if it is too long */
  spendText(length: number): void {
    if (length > this.limits.stringLength) {
      throw new JsonataError(LIMIT_CODES.stringLength, { value: this.limits.stringLength });
    }
    this.spend(length >> 2);
  }

  /** Charges for parsing a picture. @throws JsonataError if it is too long */
  spendPicture(picture: string): void {
    if (picture.length > MAX_PICTURE_LENGTH)
      throw new JsonataError(LIMIT_CODES.stringLength, { value: MAX_PICTURE_LENGTH });
    this.spend(picture.length);
  }

  /** Checks the nesting depth. @throws JsonataError if it is too deep */
  checkDepth(depth: number): void {
    if (depth > this.limits.depth) throw new JsonataError(LIMIT_CODES.depth, { value: this.limits.depth });
  }
}
