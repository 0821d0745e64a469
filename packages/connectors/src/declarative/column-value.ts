import type { DocumentColumn } from '@datadeck/contract/connector-document';
import {
  type ColumnType,
  type ColumnValue,
  isInteger,
  storableInstant,
  truncateText,
  truncateTexts,
} from '../sdk/index.ts';
import { readDate } from './read-date.ts';
import { scalarText } from './scalar-text.ts';

/** Numbers below this are seconds since 1970, others milliseconds; as milliseconds it is in March 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** The types of columns in the database. */
export const COLUMN_TYPE_OF: Readonly<Record<DocumentColumn['type'], ColumnType>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  time: 'timestamptz',
  texts: 'text[]',
};

/** Returns a time in milliseconds, from seconds or milliseconds since 1970. */
export function millisecondsOf(time: number): number {
  return time < FIRST_MILLISECONDS ? time * 1000 : time;
}

/** Returns the instant of a text that `readDate` reads, or of a number since 1970; null for others. */
export function instantOf(value: unknown): Date | null {
  if (typeof value === 'number') return storableInstant(millisecondsOf(value)) ?? null;
  return typeof value === 'string' && value.length <= 100 ? (readDate(value) ?? null) : null;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Returns the value of an expression as its column stores it; null where it cannot. */
export function columnValue(type: DocumentColumn['type'], value: unknown): ColumnValue {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'text': {
      const text = scalarText(value);
      return text === undefined ? null : truncateText(text);
    }
    case 'texts': {
      const items = Array.isArray(value) ? value : [value];
      return truncateTexts(items.map((item) => scalarText(item)).filter((item) => item !== undefined));
    }
    case 'integer': {
      const number = numberOf(value);
      return isInteger(number) ? number : null;
    }
    case 'bigint': {
      const number = numberOf(value);
      return Number.isSafeInteger(number) ? number : null;
    }
    case 'number':
      return numberOf(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'time':
      return instantOf(value);
  }
}
