import { JsonataError } from '../runtime/errors.ts';
import { commonDistance } from './integer-picture.ts';

/** The characters with a meaning in a number picture, by their XPath names. */
export type DecimalFormat = Record<string, string>;

export const DEFAULT_FORMAT: Readonly<DecimalFormat> = {
  'decimal-separator': '.',
  'grouping-separator': ',',
  'exponent-separator': 'e',
  infinity: 'Infinity',
  'minus-sign': '-',
  NaN: 'NaN',
  percent: '%',
  'per-mille': '\u2030',
  'zero-digit': '0',
  digit: '#',
  'pattern-separator': ';',
};

/** One of the two parts of a parsed picture: for positive or for negative numbers. */
export interface SubPicture {
  prefix: string;
  readonly suffix: string;
  readonly text: string;
  readonly integerGroups: readonly number[];
  /** Distance of regular grouping separators; 0 if there are none. */
  readonly regularGrouping: number;
  readonly fractionGroups: readonly number[];
  readonly minimumInteger: number;
  readonly scaling: number;
  readonly minimumFraction: number;
  readonly maximumFraction: number;
  readonly minimumExponent: number;
}

interface Parts {
  readonly prefix: string;
  readonly suffix: string;
  readonly active: string;
  readonly mantissa: string;
  readonly exponent: string | undefined;
  readonly integer: string;
  readonly fraction: string;
  readonly text: string;
}

/** Parses a picture (https://www.w3.org/TR/xpath-functions-31/#func-format-number). @throws JsonataError D3080 to D3093 */
export function parseNumberPicture(picture: string, format: DecimalFormat): SubPicture[] {
  const texts = picture.split(format['pattern-separator'] ?? ';');
  if (texts.length > 2) throw new JsonataError('D3080');
  const characters = new PictureCharacters(format);
  const parts = texts.map((text) => splitParts(text, characters));
  for (const each of parts) check(each, characters);
  return parts.map((each) => analyse(each, characters));
}

/** Classifies the characters of a picture. */
export class PictureCharacters {
  readonly digits: readonly string[];
  readonly #active: ReadonlySet<string>;
  readonly #format: DecimalFormat;

  constructor(format: DecimalFormat) {
    const zero = (format['zero-digit'] ?? '0').charCodeAt(0);
    this.digits = Array.from({ length: 10 }, (_, i) => String.fromCharCode(zero + i));
    const names = [
      'decimal-separator',
      'exponent-separator',
      'grouping-separator',
      'digit',
      'pattern-separator',
    ];
    this.#active = new Set([...this.digits, ...names.map((name) => format[name] ?? '')]);
    this.#format = format;
  }

  of(name: string): string {
    return this.#format[name] ?? '';
  }

  isActive(character: string): boolean {
    return this.#active.has(character);
  }

  isDigit(character: string): boolean {
    return this.digits.includes(character);
  }

  /** Returns whether the character is a digit, mandatory or optional. */
  isAnyDigit(character: string): boolean {
    return this.isDigit(character) || character === this.of('digit');
  }

  countDigits(text: string): number {
    return text.split('').filter((character) => this.isDigit(character)).length;
  }

  countPlaces(text: string): number {
    return text.split('').filter((character) => this.isAnyDigit(character)).length;
  }
}

function splitParts(text: string, characters: PictureCharacters): Parts {
  const exponentMark = characters.of('exponent-separator');
  const isBody = (character: string): boolean => characters.isActive(character) && character !== exponentMark;
  const units = text.split('');
  const start = units.findIndex(isBody);
  const end = units.findLastIndex(isBody);
  const prefix = start < 0 ? '' : text.slice(0, start);
  const suffix = end < 0 ? '' : text.slice(end + 1);
  const active = text.slice(prefix.length, text.length - suffix.length);
  const exponentAt = text.indexOf(exponentMark, prefix.length);
  const hasExponent = exponentAt >= 0 && exponentAt <= text.length - suffix.length;
  const mantissa = hasExponent ? active.slice(0, exponentAt) : active;
  const exponent = hasExponent ? active.slice(exponentAt + 1) : undefined;
  const decimalAt = mantissa.indexOf(characters.of('decimal-separator'));
  const integer = decimalAt < 0 ? mantissa : mantissa.slice(0, decimalAt);
  const fraction = decimalAt < 0 ? suffix : mantissa.slice(decimalAt + 1);
  return { prefix, suffix, active, mantissa, exponent, integer, fraction, text };
}

/** Checks the rules; like the reference, reports the last rule that is broken. */
function check(parts: Parts, characters: PictureCharacters): void {
  const code = rules(parts, characters).findLast(([broken]) => broken)?.[1];
  if (code !== undefined) throw new JsonataError(code);
}

function rules(parts: Parts, characters: PictureCharacters): [broken: boolean, code: string][] {
  const { text, mantissa, active, integer, fraction, exponent } = parts;
  const separator = characters.of('grouping-separator');
  const optional = characters.of('digit');
  const repeats = (name: string): boolean =>
    text.indexOf(characters.of(name)) !== text.lastIndexOf(characters.of(name));
  const has = (name: string): boolean => text.includes(characters.of(name));
  const decimalAt = text.indexOf(characters.of('decimal-separator'));
  const besideDecimal = text.charAt(decimalAt - 1) === separator || text.charAt(decimalAt + 1) === separator;
  const optionalAt = integer.indexOf(optional);
  const optionalEnd = fraction.lastIndexOf(optional);
  const isPercentage = has('percent') || has('per-mille');
  return [
    [repeats('decimal-separator'), 'D3081'],
    [repeats('percent'), 'D3082'],
    [repeats('per-mille'), 'D3083'],
    [has('percent') && has('per-mille'), 'D3084'],
    [characters.countPlaces(mantissa) === 0, 'D3085'],
    [active.split('').some((character) => !characters.isActive(character)), 'D3086'],
    [decimalAt >= 0 && besideDecimal, 'D3087'],
    [decimalAt < 0 && integer.charAt(integer.length - 1) === separator, 'D3088'],
    [text.includes(separator + separator), 'D3089'],
    [optionalAt >= 0 && characters.countDigits(integer.slice(0, optionalAt)) > 0, 'D3090'],
    [optionalEnd >= 0 && characters.countDigits(fraction.slice(optionalEnd)) > 0, 'D3091'],
    [exponent !== undefined && exponent.length > 0 && isPercentage, 'D3092'],
    [
      exponent !== undefined && (exponent === '' || characters.countDigits(exponent) < exponent.length),
      'D3093',
    ],
  ];
}

function analyse(parts: Parts, characters: PictureCharacters): SubPicture {
  const { integer, fraction, exponent } = parts;
  const integerGroups = groupPositions(integer, integer, { characters, toLeft: false });
  const digits = characters.countDigits(integer);
  const hasExponent = exponent !== undefined;
  let minimumInteger = digits;
  let minimumFraction = characters.countDigits(fraction);
  let maximumFraction = characters.countPlaces(fraction);
  if (minimumInteger === 0 && maximumFraction === 0) {
    if (hasExponent) minimumFraction = maximumFraction = 1;
    else minimumInteger = 1;
  }
  if (hasExponent && minimumInteger === 0 && integer.includes(characters.of('digit'))) minimumInteger = 1;
  if (minimumInteger === 0 && minimumFraction === 0) minimumFraction = 1;
  return {
    prefix: parts.prefix,
    suffix: parts.suffix,
    text: parts.text,
    integerGroups,
    regularGrouping: commonDistance(integerGroups),
    fractionGroups: groupPositions(fraction, integer, { characters, toLeft: true }),
    minimumInteger,
    scaling: digits,
    minimumFraction,
    maximumFraction,
    minimumExponent: hasExponent ? characters.countDigits(exponent) : 0,
  };
}

/** Counts the digits on one side of each separator; like the reference, searches the integer part too. */
function groupPositions(
  part: string,
  integer: string,
  options: { characters: PictureCharacters; toLeft: boolean },
): number[] {
  const { characters, toLeft } = options;
  const separator = characters.of('grouping-separator');
  const positions: number[] = [];
  for (let at = part.indexOf(separator); at >= 0; at = integer.indexOf(separator, at + 1)) {
    positions.push(characters.countPlaces(toLeft ? part.slice(0, at) : part.slice(at)));
    if (separator === '') break;
  }
  return positions;
}
