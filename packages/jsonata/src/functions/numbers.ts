import { JsonataError } from '../runtime/errors.ts';
import { SLOW } from '../runtime/fields.ts';
import { type Builtin, unlessMissing } from './builtin.ts';
import { formatInteger, parseInteger } from './format-integer.ts';
import { formatNumber } from './format-number.ts';
import { round } from './rounding.ts';

const DECIMAL = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/;
/** Matches like the reference: only the outer alternatives are anchored. */
const RADIX = /^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/;

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') {
    if (DECIMAL.test(value) && Number.isFinite(Number(value))) return Number.parseFloat(value);
    if (RADIX.test(value)) return Number(value);
  }
  throw new JsonataError('D3030', { value, index: 1 });
}

function squareRoot(value: number): number {
  if (value < 0) throw new JsonataError('D3060', { index: 1, value });
  return Math.sqrt(value);
}

function power(base: number, exponent: number): number {
  const result = base ** exponent;
  if (!Number.isFinite(result)) throw new JsonataError('D3061', { index: 1, value: base, exp: exponent });
  return result;
}

function formatBase(value: number, radix: number | undefined): string {
  const base = radix === undefined ? 10 : round(radix);
  if (base < 2 || base > 36) throw new JsonataError('D3100', { value: base });
  return round(value).toString(base);
}

export const numbers: readonly Builtin[] = [
  {
    name: 'number',
    signature: '<(nsb)-:n>',
    summary: 'Converts a string or a boolean to a number.',
    arity: 1,
    body: unlessMissing<unknown>((value) => toNumber(value)),
    quick: { arity: 1, call: (value) => (typeof value === 'number' ? value : SLOW) },
  },
  {
    name: 'abs',
    signature: '<n-:n>',
    summary: 'Returns the absolute value of a number.',
    arity: 1,
    body: unlessMissing<number>((value) => Math.abs(value)),
    quick: { arity: 1, call: (value) => (typeof value === 'number' ? Math.abs(value) : SLOW) },
  },
  {
    name: 'floor',
    signature: '<n-:n>',
    summary: 'Rounds down to an integer.',
    arity: 1,
    body: unlessMissing<number>((value) => Math.floor(value)),
    quick: { arity: 1, call: (value) => (typeof value === 'number' ? Math.floor(value) : SLOW) },
  },
  {
    name: 'ceil',
    signature: '<n-:n>',
    summary: 'Rounds up to an integer.',
    arity: 1,
    body: unlessMissing<number>((value) => Math.ceil(value)),
    quick: { arity: 1, call: (value) => (typeof value === 'number' ? Math.ceil(value) : SLOW) },
  },
  {
    name: 'round',
    signature: '<n-n?:n>',
    summary: 'Rounds to a number of decimal places (default 0); halves round to even.',
    arity: 2,
    body: unlessMissing<number>((value, [, precision]) =>
      round(value, (precision as number | undefined) ?? 0),
    ),
  },
  {
    name: 'sqrt',
    signature: '<n-:n>',
    summary: 'Returns the square root of a number.',
    arity: 1,
    body: unlessMissing<number>((value) => squareRoot(value)),
  },
  {
    name: 'power',
    signature: '<n-n:n>',
    summary: 'Raises a number to a power.',
    arity: 2,
    body: unlessMissing<number>((base, [, exponent]) => power(base, exponent as number)),
  },
  {
    name: 'random',
    signature: '<:n>',
    summary: 'Returns a random number of at least 0 and below 1.',
    arity: 0,
    body: () => Math.random(),
  },
  {
    name: 'formatNumber',
    signature: '<n-so?:s>',
    summary: 'Formats a number by a picture such as "#,##0.00".',
    arity: 3,
    body: unlessMissing<number>((value, [, picture, options], { frame }) =>
      formatNumber(value, picture as string, { options, budget: frame.run.budget }),
    ),
  },
  {
    name: 'formatBase',
    signature: '<n-n?:s>',
    summary: 'Formats an integer in a base from 2 to 36 (default 10).',
    arity: 2,
    body: unlessMissing<number>((value, [, radix]) => formatBase(value, radix as number | undefined)),
  },
  {
    name: 'formatInteger',
    signature: '<n-s:s>',
    summary: 'Formats an integer by a picture: digits, Roman numerals, letters or words.',
    arity: 2,
    body: unlessMissing<number>((value, [, picture], { frame }) =>
      formatInteger(value, picture as string, frame.run.budget),
    ),
  },
  {
    name: 'parseInteger',
    signature: '<s-s:n>',
    summary: 'Parses an integer by a picture.',
    arity: 2,
    body: unlessMissing<string>((text, [, picture], { frame }) =>
      parseInteger(text, picture as string, frame.run.budget),
    ),
  },
];
