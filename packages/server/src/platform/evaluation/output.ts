import type { OutputFormat } from './protocol.ts';

const CHUNK = 256 * 1024;

/** A cell that a spreadsheet would run as a formula is quoted by an apostrophe: the content is the provider's. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  let text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (typeof value === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 4180 lines: a column for every key that any record has, in order of appearance; other values in a column 'value'. */
function* csvLines(items: readonly unknown[]): Generator<string> {
  const columns = new Set<string>();
  for (const item of items)
    for (const key of isRecord(item) ? Object.keys(item) : ['value']) columns.add(key);
  const names = [...columns];
  yield `${names.map(cell).join(',')}\r\n`;
  for (const item of items) {
    const record = isRecord(item) ? item : { value: item };
    yield `${names.map((name) => cell(Object.hasOwn(record, name) ? record[name] : undefined)).join(',')}\r\n`;
  }
}

function* jsonPieces(value: unknown): Generator<string> {
  if (!Array.isArray(value)) {
    yield `${JSON.stringify(value ?? null, null, 2)}\n`;
    return;
  }
  yield '[';
  for (const [index, item] of value.entries())
    yield `${index === 0 ? '\n' : ',\n'}${JSON.stringify(item ?? null)}`;
  yield '\n]\n';
}

function* pieces(value: unknown, format: OutputFormat): Generator<string> {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (format === 'json') yield* jsonPieces(value);
  else if (format === 'csv') yield* csvLines(items);
  else for (const item of items) yield `${JSON.stringify(item ?? null)}\n`;
}

/** The text of a result in chunks of about 256 KB. */
export function* outputChunks(value: unknown, format: OutputFormat): Generator<string> {
  let chunk = '';
  for (const piece of pieces(value, format)) {
    chunk += piece;
    if (chunk.length >= CHUNK) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
