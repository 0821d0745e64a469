import Papa from 'papaparse';
import { ANSWER_LIMITS, setField, tooLargeError } from './decode-limits.ts';

/** A page of HTML, which services send in place of an answer while they are down. */
const HTML = /^\s{0,99}<(?:!doctype|html|head|body)\b/i;

/** Returns the names of the columns: a missing name is `column3`, a repeated one `name_2`. */
function columnNames(header: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return header.map((text, index) => {
    const name = text.trim() || `column${index + 1}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

function recordOf(names: readonly string[], row: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [index, name] of names.entries()) setField(record, name, row[index] ?? '');
  return record;
}

/**
 * Decodes CSV with a header row into objects of texts. The separator is a comma, semicolon, tab or bar, as the first rows have
 * it. Missing fields of a short row are empty texts.
 * @throws SyntaxError for open quotes, HTML, control characters, or rows with more fields than the header; ProviderError
 */
export function decodeCsv(text: string): Record<string, string>[] {
  if (HTML.test(text) || text.includes('\0')) throw new SyntaxError('The answer is not CSV.');
  const rows: string[][] = [];
  let values = 0;
  Papa.parse<string[]>(text, {
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: true,
    step({ data, errors }) {
      if (errors.some(({ type }) => type === 'Quotes')) throw new SyntaxError('The answer is not CSV.');
      // A short row still becomes an object with a field for each column.
      values += Math.max(data.length, rows[0]?.length ?? 0);
      if (values > ANSWER_LIMITS.values) throw tooLargeError();
      rows.push(data);
    },
  });
  const [header = [], ...records] = rows;
  const names = columnNames(header);
  if (records.some((row) => row.slice(names.length).some((field) => field !== '')))
    throw new SyntaxError('A row of the answer has more fields than its header.');
  return records.map((row) => recordOf(names, row));
}
