import { storableInstant } from './instant.ts';
import { storable } from './storable.ts';

/** Longest text of a column, UTF-16 units. */
export const LONGEST_COLUMN_TEXT = 2000;
/** Texts of a list column at most. */
export const MOST_COLUMN_TEXTS = 1000;

/** Whether a number fits a column of type integer. */
export function isInteger(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
}

/** Returns the text for a column that copies a field; null when the column cannot hold the same text. */
export function copiedText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST_COLUMN_TEXT) return null;
  return storable(value);
}

/** Returns the number for an integer column that copies a field; null for anything that is not an integer of 32 bits. */
export function copiedInteger(value: unknown): number | null {
  return isInteger(value) ? value : null;
}

/** Returns the number for a bigint column that copies a field; null for anything that is not a safe integer. */
export function copiedBigint(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** Returns the boolean for a column that copies a field, else null. */
export function copiedBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Returns the texts for a list column that copies a field; null when the column cannot hold the same list. */
export function copiedTexts(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length > MOST_COLUMN_TEXTS) return null;
  const texts = value.map(copiedText);
  return texts.includes(null) ? null : (texts as string[]);
}

/** Cuts a text that a column does not copy to the length that it takes. */
export function cutText(value: string): string {
  return storable(value.slice(0, LONGEST_COLUMN_TEXT));
}

/** Cuts a list that a column does not copy to the size that it takes. */
export function cutTexts(values: readonly string[]): string[] {
  return values.slice(0, MOST_COLUMN_TEXTS).map(cutText);
}

const INSTANTS = {
  0: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  3: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/**
 * Returns the instant for a timestamptz column that copies a field: null for anything but an ISO text in UTC with exactly
 * `fractionDigits` digits of the second's fraction, from which the same text can be written again.
 */
export function copiedInstant(value: unknown, fractionDigits: 0 | 3): Date | null {
  if (typeof value !== 'string' || !INSTANTS[fractionDigits].test(value)) return null;
  const date = storableInstant(Date.parse(value));
  // Date.parse takes the 30th of February for one in March, and 24:00 for the next day.
  return date?.getUTCDate() === Number(value.slice(8, 10)) ? date : null;
}
