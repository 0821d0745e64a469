import { storableInstant } from './instant.ts';
import { storable } from './storable.ts';

/** Longest text of a column, UTF-16 units. */
export const MAX_COLUMN_TEXT_LENGTH = 2000;
/** Largest number of texts in a list column. */
export const MAX_COLUMN_TEXTS = 1000;

/** Returns whether a value fits a column of type integer. */
export function isInteger(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
}

/**
 * Returns the text for a column that copies a document field, made storable like the document itself; null for texts
 * that are too long and for other types.
 */
export function copiedText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_COLUMN_TEXT_LENGTH) return null;
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

/** Returns the texts for a list column that copies a field, like `copiedText`; null if the list or one text is too long. */
export function copiedTexts(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length > MAX_COLUMN_TEXTS) return null;
  const texts = value.map(copiedText);
  return texts.includes(null) ? null : (texts as string[]);
}

/** Truncates a text to the column limit and makes it storable, for columns that need not equal a document field. */
export function truncateText(value: string): string {
  return storable(value.slice(0, MAX_COLUMN_TEXT_LENGTH));
}

/** Truncates a list to the column limits, for columns that need not equal a document field. */
export function truncateTexts(values: readonly string[]): string[] {
  return values.slice(0, MAX_COLUMN_TEXTS).map(truncateText);
}

const INSTANTS = {
  0: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  3: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/**
 * Returns the date for a timestamptz column that copies a field. Returns null unless the field is an ISO text in UTC with
 * exactly `fractionDigits` fraction digits, so that the same text can be produced from the date.
 */
export function copiedInstant(value: unknown, fractionDigits: 0 | 3): Date | null {
  if (typeof value !== 'string' || !INSTANTS[fractionDigits].test(value)) return null;
  const date = storableInstant(Date.parse(value));
  // Date.parse accepts 30 February as a day in March, and 24:00 as the next day.
  return date?.getUTCDate() === Number(value.slice(8, 10)) ? date : null;
}
