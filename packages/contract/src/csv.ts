import { escapeFormulas } from './formula.ts';

/** Returns a text in quotes, if CSV (RFC 4180) needs them. */
function quote(text: string, isNeeded = false): string {
  return isNeeded || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Returns a cell of CSV. Nested values are JSON; null is empty.
 * @param isExact whether a text stays as it is. Otherwise what spreadsheets take for formulas is escaped. An exact empty text
 *   is `""`, as `COPY` of PostgreSQL writes it, unlike null.
 */
export function csvCell(value: unknown, isExact: boolean): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return quote(isExact || typeof value === 'number' ? text : escapeFormulas(text), isExact && text === '');
}

/** The only cell of a line when it is empty: programs skip a line without characters. */
export const EMPTY_LINE = '""';
