import type { DocumentRequest } from '@datadeck/contract/connector-document';
import { escapeHtml } from './escape-html.ts';

type Decode = DocumentRequest['decode'];
type Fields = Readonly<Record<string, unknown>>;

/** Types of the answers of a stand-in, by format. */
export const CONTENT_TYPES: Readonly<Record<Decode, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  xml: 'application/xml',
  feed: 'application/xml',
};

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function elementText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => elementText(name, one)).join('');
  if (!isFields(value)) return `<${name}>${escapeHtml(String(value ?? ''))}</${name}>`;
  const entries = Object.entries(value);
  const attributes = entries
    .filter(([key]) => key.startsWith('@'))
    .map(([key, text]) => ` ${key.slice(1)}="${escapeHtml(String(text))}"`);
  const children = entries
    .filter(([key]) => !key.startsWith('@') && key !== '#text')
    .map(([key, child]) => elementText(key, child));
  const own = escapeHtml(String(value['#text'] ?? ''));
  return `<${name}${attributes.join('')}>${own}${children.join('')}</${name}>`;
}

/** @param names the columns of an answer without rows */
function csvText(rows: readonly Fields[], names: readonly string[]): string {
  const columns = [...new Set([...names, ...rows.flatMap((row) => Object.keys(row))])];
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [columns.map(cell), ...rows.map((row) => columns.map((name) => cell(row[name])))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** Writes a decoded answer in its format, as `decodeElements` reads it. @param names the columns of CSV without rows */
export function writeAnswer(decode: Decode, tree: unknown, names: readonly string[] = []): string {
  const rows = Array.isArray(tree) ? tree : [];
  switch (decode) {
    case 'json':
      return JSON.stringify(tree);
    case 'ndjson':
      return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    case 'csv':
      return csvText(rows.filter(isFields), names);
    case 'xml':
    case 'feed': {
      const [[name, value] = ['empty', '']] = Object.entries(isFields(tree) ? tree : {});
      return `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(name, value)}`;
    }
  }
}
