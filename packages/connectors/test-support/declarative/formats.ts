import type { Group, Item } from './items.ts';
import type { ServiceShape } from './shape.ts';

/** A list as it is sent: its rows, and texts that say how many there are and where the next page is. */
export interface SentList {
  rows: readonly (Item | Group)[];
  total: number | undefined;
  next: string | undefined;
}

interface Sent {
  body: string;
  headers: Record<string, string>;
}

const isItem = (row: Item | Group): row is Item => 'revision' in row;

/** Returns the fields of a row as JSON has them. */
function fieldsOf(row: Item | Group): Record<string, unknown> {
  if (!isItem(row)) return { ...row };
  const { board: _, author, number, id: __, ...fields } = row;
  return { id: number, author: { name: author }, ...fields };
}

const escapeXml = (value: unknown) =>
  String(value ?? '').replaceAll(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

function itemXml(row: Item | Group): string {
  if (!isItem(row))
    return `<item id="${escapeXml(row.id)}"><name>${escapeXml(row.name)}</name><created>${row.created}</created></item>`;
  const texts = {
    title: row.title,
    state: row.state,
    author: row.author,
    created: row.created,
    updated: row.updated,
  };
  const elements = Object.entries(texts).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
  const labels = row.labels.map((label) => `<label>${label}</label>`).join('');
  return `<item id="${row.id}" revision="${row.revision}">${elements.join('')}<labels>${labels}</labels></item>\n`;
}

function csvRow(row: Item | Group): string {
  const fields = isItem(row)
    ? [row.id, row.title, row.state, row.labels.join(' '), row.author, row.created, row.updated, row.revision]
    : [row.id, row.name, row.created];
  return fields.map((field) => `"${String(field ?? '').replaceAll('"', '""')}"`).join(';');
}

const WRITERS: Readonly<Record<ServiceShape['format'], (list: SentList) => Sent>> = {
  json: ({ rows, total, next }) => ({
    body: JSON.stringify({ items: rows.map(fieldsOf), total, next }),
    headers: { 'content-type': 'application/json' },
  }),
  ndjson: ({ rows, total, next }) => ({
    body: rows.map((row) => `${JSON.stringify(fieldsOf(row))}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson', ...headersOf(total, next) },
  }),
  csv: ({ rows, total, next }) => {
    const header =
      rows[0] && isItem(rows[0])
        ? 'id;title;state;labels;author;created;updated;revision'
        : 'id;name;created';
    return {
      body: `\ufeff${[header, ...rows.map(csvRow)].join('\r\n')}\r\n`,
      headers: { 'content-type': 'text/csv', ...headersOf(total, next) },
    };
  },
  xml: ({ rows, total, next }) => {
    const attributes = [
      total === undefined ? '' : ` total="${total}"`,
      next === undefined ? '' : ` next="${escapeXml(next)}"`,
    ];
    return {
      body: `<?xml version="1.0"?>\n<list${attributes.join('')}>${rows.map(itemXml).join('')}</list>`,
      headers: { 'content-type': 'application/xml' },
    };
  },
};

function headersOf(total: number | undefined, next: string | undefined): Record<string, string> {
  return {
    ...(total === undefined ? {} : { 'x-total': String(total) }),
    ...(next === undefined ? {} : { 'x-next': next }),
  };
}

/** Writes a list in a format. */
export function writeList(format: ServiceShape['format'], list: SentList): Sent {
  return WRITERS[format](list);
}
