import { Callable } from './callable.ts';
import { JsonataError } from './errors.ts';
import type { Budget } from './limits.ts';
import { unwrapInput } from './sequence.ts';
import { isFunction, isNumeric } from './values.ts';

/** Converts a value to a string (`$string`, `&`): JSON, with 15-digit numbers and functions as empty strings. */
export function toText(value: unknown, budget: Budget, indent = 0): string {
  if (typeof value === 'string') return value;
  if (isFunction(value)) return '';
  if (typeof value === 'number') return numberToText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  return structureToText(unwrapInput(value), budget, indent);
}

function numberToText(value: number): string {
  if (Number.isInteger(value)) return String(value === 0 ? 0 : value);
  if (!Number.isFinite(value)) throw new JsonataError('D3001', { value });
  return String(Number(value.toPrecision(15)));
}

function structureToText(value: unknown, budget: Budget, indent: number): string {
  let length = 0;
  const text = JSON.stringify(
    value,
    (key, item: unknown) => {
      length += key.length + 4;
      if (typeof item === 'string') length += item.length;
      if (length > budget.limits.stringLength) budget.spendText(length);
      budget.spend(1);
      if (typeof item === 'number' && isNumeric(item)) {
        return Number.isInteger(item) ? item : Number(item.toPrecision(15));
      }
      return typeof item === 'function' || item instanceof Callable ? '' : item;
    },
    indent,
  );
  budget.spendText(text.length);
  return text;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Returns a part of a text, counted in code points: a surrogate pair is one character. */
export function sliceCharacters(text: string, from: number, to: number): string {
  let at = 0;
  const skip = (count: number): number => {
    for (let left = count; left > 0 && at < text.length; left--) at += isPair(text, at) ? 2 : 1;
    return at;
  };
  const start = skip(from);
  return text.slice(start, skip(to - from));
}

/** Counts the code points without splitting the text. */
export function characterCount(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (isPair(text, i)) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}
