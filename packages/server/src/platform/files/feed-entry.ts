import { createHash } from 'node:crypto';
import { fieldsOf } from './columns.ts';

/** Longest texts of an entry, UTF-16 units. */
const LENGTH = { title: 300, text: 2000, value: 500, link: 2000, name: 100 } as const;
/** Fields of a row that are looked at. */
const MAX_FIELDS = 100;
/** Names of fields by what they are for, the best first. */
const NAMES = {
  title: ['title', 'subject', 'summary', 'name'],
  start: ['start', 'date', 'due', 'created_at', 'updated_at'],
  end: ['end'],
  link: ['url', 'html_url', 'link'],
  id: ['id', '_id', 'key'],
} as const;
const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A date, or a whole day in UTC. */
export interface FeedDate {
  date: Date;
  isDay: boolean;
}

/** A row of a view as a feed shows it. */
export interface FeedEntry {
  /** Stays the same while the row's id, else its link, else the whole row is the same. */
  id: string;
  title: string;
  start: FeedDate | undefined;
  end: FeedDate | undefined;
  /** An https address. */
  link: string | undefined;
  /** The first fields that are texts, numbers or booleans, one a line. */
  text: string;
}

/** Returns a text without characters that XML or iCalendar cannot contain, cut to a length. */
export function plainText(text: string, length: number): string {
  const cut = text.length > length ? `${text.slice(0, length - 1)}…` : text;
  return (
    cut
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g, '')
  );
}

/** Returns a text in one line, cut to a length. */
export function lineOf(text: string, length: number): string {
  return plainText(
    text
      .slice(0, length * 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    length,
  );
}

function dateOf(value: unknown): FeedDate | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const isDay = DAY.test(value);
  if (!isDay && !INSTANT.test(value)) return undefined;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 && isDayOfMonth(value) ? { date, isDay } : undefined;
}

/** Returns whether a date that begins with `2026-03-01` exists: 30 February is read as a day in March. */
function isDayOfMonth(value: string): boolean {
  const day = value.slice(0, 10);
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function linkOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LENGTH.link) return undefined;
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.href.length <= LENGTH.link ? url.href : undefined;
}

function titleOf(value: unknown): string | undefined {
  return typeof value === 'string' ? lineOf(value, LENGTH.title) || undefined : undefined;
}

function idOf(value: unknown): string | undefined {
  const isId = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isId ? String(value) : undefined;
}

/** Returns the first value that fits: of the named fields, else of any field if `others` are allowed. */
function find<T>(
  fields: Record<string, unknown>,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
  others: readonly string[] = [],
): T | undefined {
  for (const name of [...names, ...others]) {
    const value = Object.hasOwn(fields, name) ? read(fields[name]) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function textOf(fields: Record<string, unknown>, names: readonly string[]): string {
  const lines = names
    .filter((name) => ['string', 'number', 'boolean'].includes(typeof fields[name]) && fields[name] !== '')
    .map((name) => `${lineOf(name, LENGTH.name)}: ${lineOf(String(fields[name]), LENGTH.value)}`);
  return plainText(lines.join('\n'), LENGTH.text);
}

/** Returns a row as an entry: which field is the title, the date and the link is described in docs/use/exports.md. */
export function feedEntry(row: unknown): FeedEntry {
  const fields = fieldsOf(row);
  const names = Object.keys(fields).slice(0, MAX_FIELDS);
  const link = find(fields, NAMES.link, linkOf, names);
  const key = find(fields, NAMES.id, idOf) ?? link ?? JSON.stringify(row) ?? 'null';
  const start = find(fields, NAMES.start, dateOf, names);
  const end = find(fields, NAMES.end, dateOf);
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 32),
    title: find(fields, NAMES.title, titleOf, names) ?? lineOf(JSON.stringify(row) ?? 'null', LENGTH.title),
    start,
    end: start && end && end.date > start.date && end.isDay === start.isDay ? end : undefined,
    link,
    text: textOf(fields, names),
  };
}
