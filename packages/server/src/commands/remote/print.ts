import { columnsOf, preferredInResult } from '@datadeck/contract/table-columns';
import { Option } from 'commander';
import { terminalText } from '../terminal-text.ts';

/** How results are printed: a table for people, JSON, or one JSON value a line. */
export interface PrintOptions {
  json?: boolean;
  ndjson?: boolean;
}

/** Options that choose how results are printed. */
export const PRINT_OPTIONS = [
  new Option('--json', 'print JSON').conflicts('ndjson'),
  new Option('--ndjson', 'print one JSON value a line'),
];

/** Largest width of a column, and widths of the output when it is no terminal; characters. */
const COLUMN_WIDTH = 48;
const DEFAULT_WIDTH = 120;

/** Returns a value as one line. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = terminalText(
    (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' '),
  );
  return text.length <= COLUMN_WIDTH ? text : `${text.slice(0, COLUMN_WIDTH - 1)}…`;
}

/**
 * Formats rows as a table with a head, with the columns of the web app's table in its order. Columns that do not fit into
 * `width` characters are left out; the first always fits.
 *
 *     tableOf([{ number: 7, title: 'Fix it' }])    // 'number  title\n7       Fix it'
 *
 * @param preferred fields that come first if the rows are whole records
 */
export function tableOf(
  results: readonly unknown[],
  { width = DEFAULT_WIDTH, preferred = [] }: { width?: number; preferred?: readonly string[] } = {},
): string {
  let room = width;
  const columns: string[][] = [];
  for (const { name, read } of columnsOf(results, preferredInResult(results, preferred))) {
    const cells = [terminalText(name), ...results.map((row) => cellOf(read(row)))];
    const size = Math.max(...cells.map((cell) => cell.length));
    room -= size + 2;
    if (room < 0 && columns.length > 0) break;
    columns.push(cells.map((cell) => cell.padEnd(size)));
  }
  const lines = results.length === 0 ? 0 : results.length + 1;
  return Array.from({ length: lines }, (_line, index) =>
    columns
      .map((cells) => cells[index] ?? '')
      .join('  ')
      .trimEnd(),
  ).join('\n');
}

/** Returns JSON text for a terminal or a program: control and invisible characters, which only texts contain, are escaped. */
function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(/[^\P{C}\n]/gu, (character) =>
    Array.from({ length: character.length }, (_unit, at) => {
      const code = character.charCodeAt(at).toString(16);
      return `\\u${code.padStart(4, '0')}`;
    }).join(''),
  );
}

interface Printed {
  results: readonly unknown[];
  count: number;
  /** Fields that come first in a table of whole records. */
  preferred?: readonly string[];
}

/** Prints a page of results. How many there are in all goes to standard error. */
export function printResults(
  { results, count, preferred = [] }: Printed,
  { json = false, ndjson = false }: PrintOptions,
): void {
  if (json) console.log(jsonOf(results, 2));
  else if (ndjson) for (const result of results) console.log(jsonOf(result));
  else if (results.length > 0) {
    const width = process.stdout.columns;
    console.log(tableOf(results, { preferred, ...(width !== undefined && { width }) }));
  }
  if (!json && !ndjson) console.error(`${results.length} of ${count.toLocaleString('en')}`);
}
