/** Rounds half to even at `precision` decimal places. Shifts the decimal point in text form to stay exact. */
export function round(value: number, precision = 0): number {
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
