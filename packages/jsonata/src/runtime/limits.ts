import { JsonataError } from './errors.ts';

/** Bounds of one evaluation. Each ends in its own error; see `LIMIT_CODES`. */
export interface Limits {
  /** Units of work: an item visited, a function called, four characters built. */
  steps: number;
  /** Nesting of evaluated expressions; calls in tail position do not add to it. */
  depth: number;
  /** Items in one array or sequence. */
  sequenceLength: number;
  /** UTF-16 units in one string. */
  stringLength: number;
  /** Values in the result, nested ones included; a selection that cannot outgrow its input is not counted. */
  resultSize: number;
  /** Milliseconds of wall-clock time. */
  timeMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  steps: 100_000_000,
  depth: 6_000,
  sequenceLength: 10_000_000,
  stringLength: 10_000_000,
  resultSize: 10_000_000,
  timeMs: 30_000,
};

/** Bounds of a query in the product, in the browser as on the server: no step of it may hold a process for long. */
export const QUERY_LIMITS: Pick<Limits, 'sequenceLength'> = { sequenceLength: 2_000_000 };

/** The code of the error that ends an evaluation at each limit, and of the refusals before one. */
export const LIMIT_CODES = {
  steps: 'L1001',
  stringLength: 'L1002',
  resultSize: 'L1003',
  unsafePattern: 'L1004',
  expressionSize: 'L1005',
  needsAllRows: 'L1006',
  depth: 'D1011',
  timeMs: 'D1012',
  sequenceLength: 'D2015',
} as const;

/** The codes of all limits. */
export const LIMITS: ReadonlySet<string> = new Set(Object.values(LIMIT_CODES));

/** Characters of a picture of a number or date: far more than one can mean, few enough for work that grows with their square. */
const LONGEST_PICTURE = 2000;

/** The clock is read once per this many steps: under a millisecond of work. */
const SLICE = 16_384;

/** What is left of the limits during one evaluation, and what the whole evaluation shares. */
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

  /** Pays for `steps` units of work; throws when the steps or the time are used up. */
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

  /** Throws when the time is used up. */
  checkTime(): void {
    if (Date.now() > this.#deadline)
      throw new JsonataError(LIMIT_CODES.timeMs, { value: this.limits.timeMs });
  }

  /** Pays for an array of `length` items about to be made, and refuses one that is too long. */
  spendItems(length: number): void {
    if (length > this.limits.sequenceLength) {
      throw new JsonataError(LIMIT_CODES.sequenceLength, { value: this.limits.sequenceLength });
    }
    this.spend(length);
  }

  /** Pays for looking through a string, which is far quicker than building one. */
  spendReading(length: number): void {
    this.spend(length >> 6);
  }

  /** Pays for a string of `length` units about to be made, and refuses one that is too long. */
  spendText(length: number): void {
    if (length > this.limits.stringLength) {
      throw new JsonataError(LIMIT_CODES.stringLength, { value: this.limits.stringLength });
    }
    this.spend(length >> 2);
  }

  /** Pays for taking a picture apart, and refuses one that is too long. */
  spendPicture(picture: string): void {
    if (picture.length > LONGEST_PICTURE)
      throw new JsonataError(LIMIT_CODES.stringLength, { value: LONGEST_PICTURE });
    this.spend(picture.length);
  }

  /** Refuses an evaluation nested deeper than allowed. */
  checkDepth(depth: number): void {
    if (depth > this.limits.depth) throw new JsonataError(LIMIT_CODES.depth, { value: this.limits.depth });
  }
}
