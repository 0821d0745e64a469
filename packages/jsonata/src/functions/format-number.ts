import type { Budget } from '../runtime/limits.ts';
import { isObject } from '../runtime/values.ts';
import {
  DEFAULT_FORMAT,
  type DecimalFormat,
  PictureCharacters,
  parseNumberPicture,
  type SubPicture,
} from './number-picture.ts';
import { round } from './rounding.ts';

/** Formats a number by a picture. @throws JsonataError D3080 to D3093 */
export function formatNumber(
  value: number,
  picture: string,
  at: { options: unknown; budget: Budget },
): string {
  at.budget.spendPicture(picture);
  const format = withOptions(at.options);
  for (const text of Object.values(format)) at.budget.spendPicture(text ?? '');
  const [positive, negative] = parseNumberPicture(picture, format) as [SubPicture, SubPicture | undefined];
  const minus = format['minus-sign'] ?? '-';
  const chosen = value >= 0 ? positive : (negative ?? { ...positive, prefix: minus + positive.prefix });
  return new NumberWriter(chosen, format).write(value);
}

function withOptions(options: unknown): DecimalFormat {
  const format: DecimalFormat = { ...DEFAULT_FORMAT };
  if (isObject(options)) {
    for (const [key, value] of Object.entries(options)) {
      if (key in DEFAULT_FORMAT) format[key] = String(value);
    }
  }
  return format;
}

class NumberWriter {
  readonly #picture: SubPicture;
  readonly #format: DecimalFormat;
  readonly #characters: PictureCharacters;

  constructor(picture: SubPicture, format: DecimalFormat) {
    this.#picture = picture;
    this.#format = format;
    this.#characters = new PictureCharacters(format);
  }

  write(value: number): string {
    const picture = this.#picture;
    const scaled = value * this.#factor();
    const [mantissa, exponent] =
      picture.minimumExponent === 0 ? [scaled, undefined] : this.#normalise(scaled);
    let text = this.#group(this.#digits(round(mantissa, picture.maximumFraction)));
    const decimal = this.#of('decimal-separator');
    if (!picture.text.includes(decimal) || text.indexOf(decimal) === text.length - 1)
      text = text.slice(0, -1);
    if (exponent !== undefined) text += this.#exponent(exponent);
    return picture.prefix + text + picture.suffix;
  }

  #of(name: string): string {
    return this.#format[name] ?? '';
  }

  #factor(): number {
    if (this.#picture.text.includes(this.#of('percent'))) return 100;
    return this.#picture.text.includes(this.#of('per-mille')) ? 1000 : 1;
  }

  /** Returns mantissa and exponent such that the mantissa has as many integer digits as the picture. */
  #normalise(value: number): [mantissa: number, exponent: number] {
    const least = 10 ** (this.#picture.scaling - 1);
    const most = 10 ** this.#picture.scaling;
    let mantissa = value;
    let exponent = 0;
    if (mantissa === 0 || !Number.isFinite(mantissa)) return [mantissa, exponent];
    while (Math.abs(mantissa) < least) {
      mantissa *= 10;
      exponent--;
    }
    while (Math.abs(mantissa) > most) {
      mantissa /= 10;
      exponent++;
    }
    return [mantissa, exponent];
  }

  /** Returns the digits in the picture's digit family, without unneeded leading and trailing zeros. */
  #digits(value: number): string {
    const { minimumInteger, minimumFraction, maximumFraction } = this.#picture;
    const zero = this.#of('zero-digit');
    const decimal = this.#of('decimal-separator');
    let text = this.#localise(Math.abs(value).toFixed(maximumFraction));
    text = text.includes('.') ? text.replace('.', () => decimal) : text + decimal;
    let start = 0;
    while (text.charAt(start) === zero) start++;
    let end = text.length;
    while (end > start && text.charAt(end - 1) === zero) end--;
    text = text.slice(start, end);
    const decimalAt = text.indexOf(decimal);
    const before = minimumInteger - decimalAt;
    const after = minimumFraction - (text.length - decimalAt - 1);
    return zero.repeat(Math.max(before, 0)) + text + zero.repeat(Math.max(after, 0));
  }

  #localise(text: string): string {
    if (this.#of('zero-digit') === '0') return text;
    return text.replace(/[0-9]/g, (digit) => this.#characters.digits[Number(digit)] ?? digit);
  }

  #group(text: string): string {
    const { regularGrouping, integerGroups, fractionGroups } = this.#picture;
    const separator = this.#of('grouping-separator');
    const insert = (into: string, at: number): string => into.slice(0, at) + separator + into.slice(at);
    let decimalAt = text.indexOf(this.#of('decimal-separator'));
    let result = text;
    if (regularGrouping > 0) {
      const count = Math.floor((decimalAt - 1) / regularGrouping);
      for (let group = 1; group <= count; group++)
        result = insert(result, decimalAt - group * regularGrouping);
    } else {
      for (const position of integerGroups) result = insert(result, decimalAt++ - position);
    }
    decimalAt = result.indexOf(this.#of('decimal-separator'));
    for (const position of fractionGroups) result = insert(result, position + decimalAt + 1);
    return result;
  }

  #exponent(exponent: number): string {
    const digits = this.#localise(Math.abs(exponent).toFixed(0));
    const padded = digits.padStart(this.#picture.minimumExponent, this.#of('zero-digit'));
    return this.#of('exponent-separator') + (exponent < 0 ? this.#of('minus-sign') : '') + padded;
  }
}
