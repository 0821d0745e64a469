/** Largest scaled value whose error is far below `HALFWAY`: one step between two numbers of this size is 1.2e-7. */
const MAX_FAST = 1e9;
/** Largest number of decimal places whose power of ten is an exact number. */
const MAX_FAST_PRECISION = 22;
/** Values nearer to the middle between two results than this are shifted as text. */
const HALFWAY = 1e-6;

/** Rounds half to even at `precision` decimal places, as if the value was shifted in decimal notation. */
export function round(value: number, precision = 0): number {
  return fastRound(value, precision) ?? exactRound(value, precision);
}

/** @returns undefined where the error of the multiplication could decide; the division of two exact numbers is exact */
function fastRound(value: number, precision: number): number | undefined {
  if (!(precision >= 0 && precision <= MAX_FAST_PRECISION)) return undefined;
  const power = 10 ** precision;
  const scaled = value * power;
  if (!(Math.abs(scaled) < MAX_FAST) || Math.abs(Math.abs(scaled % 1) - 0.5) < HALFWAY) return undefined;
  const result = Math.round(scaled) / power;
  return result === 0 ? 0 : result;
}

function exactRound(value: number, precision: number): number {
  const shifted = precision === 0 ? value : shift(value, precision);
  let rounded = Math.round(shifted);
  if (Math.abs(rounded - shifted) === 0.5 && Math.abs(rounded % 2) === 1) rounded--;
  const result = precision === 0 ? rounded : shift(rounded, -precision);
  return result === 0 ? 0 : result;
}

function shift(value: number, places: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
