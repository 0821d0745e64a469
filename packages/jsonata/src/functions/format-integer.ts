import { JsonataError } from '../runtime/errors.ts';
import type { Budget } from '../runtime/limits.ts';
import { type IntegerPicture, parseIntegerPicture } from './integer-picture.ts';
import { fromLetters, fromRoman, fromWords, toLetters, toRoman, toWords } from './number-words.ts';

/** Rounds a number down and formats it by a picture. @throws JsonataError D3130, D3131 */
export function formatInteger(value: number, picture: string, budget: Budget): string {
  budget.spendPicture(picture);
  return formatByPicture(Math.floor(value), parseIntegerPicture(picture), budget);
}

/** Formats an integer by a parsed picture. Does not round. @throws JsonataError D3130 */
export function formatByPicture(value: number, picture: IntegerPicture, budget: Budget): string {
  const text = formatMagnitude(Math.abs(value), picture, budget);
  return value < 0 ? `-${text}` : text;
}

function formatMagnitude(value: number, picture: IntegerPicture, budget: Budget): string {
  const isUpper = picture.letterCase === 'upper';
  switch (picture.kind) {
    case 'letters':
      return toLetters(value, isUpper ? 'A' : 'a');
    case 'roman': {
      budget.spendText(value / 1000);
      const roman = toRoman(value);
      return isUpper ? roman.toUpperCase() : roman;
    }
    case 'words': {
      const words = toWords(value, picture.ordinal);
      if (isUpper) return words.toUpperCase();
      return picture.letterCase === 'lower' ? words.toLowerCase() : words;
    }
    case 'decimal':
      return formatDecimal(value, picture, budget);
    default:
      throw new JsonataError('D3130', { value: picture.text });
  }
}

function formatDecimal(value: number, picture: IntegerPicture, budget: Budget): string {
  const { mandatoryDigits, zero } = picture;
  budget.spendText(mandatoryDigits);
  let text = String(value).padStart(mandatoryDigits, '0');
  if (zero !== 0x30) {
    text = Array.from(text, (digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + zero - 0x30)).join(
      '',
    );
  }
  text = separate(text, picture);
  return picture.ordinal ? text + ordinalSuffix(text) : text;
}

function separate(text: string, { regular, separators }: IntegerPicture): string {
  let result = text;
  if (regular !== undefined) {
    for (let n = Math.floor((text.length - 1) / regular.position); n > 0; n--) {
      const at = result.length - n * regular.position;
      result = result.slice(0, at) + regular.character + result.slice(at);
    }
    return result;
  }
  for (const { position, character } of separators.toReversed()) {
    const at = result.length - position;
    // Like the reference, cut digits off when a separator is beyond the first digit.
    result = result.slice(0, Math.max(at, 0)) + character + result.slice(at);
  }
  return result;
}

const SUFFIXES: Readonly<Record<string, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };

function ordinalSuffix(digits: string): string {
  const isTeen = digits.length > 1 && digits.at(-2) === '1';
  return (isTeen ? undefined : SUFFIXES[digits.at(-1) ?? '']) ?? 'th';
}

/** Parses an integer by a picture; see `parseByPicture`. @throws JsonataError D3130, D3131 */
export function parseInteger(text: string, picture: string, budget: Budget): number {
  budget.spendPicture(picture);
  budget.spendText(text.length);
  return parseByPicture(text, parseIntegerPicture(picture));
}

/** Parses an integer by a parsed picture. Returns NaN for most texts that do not fit. @throws JsonataError D3130 */
export function parseByPicture(text: string, picture: IntegerPicture): number {
  const isUpper = picture.letterCase === 'upper';
  switch (picture.kind) {
    case 'letters':
      return fromLetters(text, isUpper ? 'A' : 'a');
    case 'roman':
      return fromRoman(isUpper ? text : text.toUpperCase());
    case 'words':
      return fromWords(text.toLowerCase());
    case 'decimal':
      return parseDecimal(text, picture);
    default:
      throw new JsonataError('D3130', { value: picture.text });
  }
}

function parseDecimal(text: string, { ordinal, regular, separators, zero }: IntegerPicture): number {
  let digits = ordinal ? text.slice(0, -2) : text;
  // Like the reference, remove only commas if separators are regular.
  if (regular !== undefined) digits = digits.replaceAll(',', '');
  else for (const { character } of separators) digits = digits.replaceAll(character, '');
  if (zero !== 0x30) {
    digits = digits
      .split('')
      .map((digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) - zero + 0x30))
      .join('');
  }
  return Number.parseInt(digits, 10);
}
