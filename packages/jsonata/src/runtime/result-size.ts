import { JsonataError } from './errors.ts';
import { type Budget, LIMIT_CODES } from './limits.ts';
import { isObject } from './values.ts';

/** Length of text that counts as one value, UTF-16 units. */
const TEXT_UNITS = 64;

/** Number of values after which the clock is read again. */
const SLICE = 65_536;

/** Counts the values of a result; long texts and member names count extra. @throws JsonataError L1003 (too many), D1012 (out of time) */
export function checkResultSize(result: unknown, most: number, budget: Budget): void {
  let left = most;
  let unchecked = SLICE;
  const visit = (value: unknown, name = ''): void => {
    left -= 1 + Math.floor(name.length / TEXT_UNITS);
    if (typeof value === 'string') left -= Math.floor(value.length / TEXT_UNITS);
    if (left < 0) throw new JsonataError(LIMIT_CODES.resultSize, { value: most });
    if (--unchecked === 0) {
      budget.checkTime();
      unchecked = SLICE;
    }
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObject(value)) for (const key of Object.keys(value)) visit(value[key], key);
  };
  visit(result);
}
