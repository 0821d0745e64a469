import { hash } from 'node:crypto';
import { isRecord } from '@datadeck/contract/table-columns';

/** Limits of an excerpt: its fields, the fields that are looked at, and the characters of a name, a text and in all. */
const MAX_FIELDS = 8;
const MAX_LOOKED_AT = 50;
const MAX_NAME = 60;
const MAX_TEXT = 120;
const MAX_EXCERPT = 400;
/** Longest key, UTF-16 units; a longer one is replaced by its hash. */
const MAX_KEY = 200;
/** Characters of a hash: 132 bits in base64url. */
const HASH_LENGTH = 22;

/** What identifies and describes a row, in bounded size. */
export interface RowDigest {
  /** The value of the first key field that the row has; null if it has none. */
  key: string | null;
  /** Hash of the whole row. */
  hash: string;
  /** Some simple fields of the row, or the beginning of a value that is no object. */
  excerpt: unknown;
}

/** The fields that a digest is made of. */
export interface DigestFields {
  /** Names of the fields that identify a row, most preferred first. */
  keyFields: readonly string[];
  /** Names of the fields that describe a row; a row without any of them is described by its first simple fields. */
  shownFields: readonly string[];
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASH_LENGTH);
}

function isSimple(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function keyOf(row: unknown, keyFields: readonly string[]): string | null {
  if (!isRecord(row)) return null;
  for (const name of keyFields) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (!isSimple(value) || value === '') continue;
    const key = String(value);
    return key.length <= MAX_KEY ? key : hashOf(key);
  }
  return null;
}

/** Returns the names of the preferred fields that a record has, else of its first fields. */
function shownNames(row: Record<string, unknown>, preferred: readonly string[]): string[] {
  const found = preferred.filter((name) => Object.hasOwn(row, name) && isSimple(row[name]));
  if (found.length > 0) return found;
  const first: string[] = [];
  for (const name in row) {
    if (first.length >= MAX_LOOKED_AT) break;
    first.push(name);
  }
  return first;
}

function excerptOf(row: unknown, line: string, shownFields: readonly string[]): unknown {
  if (typeof row === 'string') return cut(row, MAX_TEXT);
  if (isSimple(row)) return row;
  if (!isRecord(row)) return cut(line, MAX_TEXT);
  const fields: [string, unknown][] = [];
  let size = 0;
  for (const name of shownNames(row, shownFields)) {
    if (fields.length >= MAX_FIELDS || size >= MAX_EXCERPT) break;
    const value = row[name];
    if (!isSimple(value) || value === '') continue;
    const shown = typeof value === 'string' ? cut(value, Math.min(MAX_TEXT, MAX_EXCERPT - size)) : value;
    fields.push([cut(name, MAX_NAME), shown]);
    size += String(shown).length;
  }
  return Object.fromEntries(fields);
}

/**
 * Returns the text of a row without the names of its accounts, which the server writes first: a record that moves to another
 * account, or is in one more, has not changed.
 */
function withoutAccounts(row: unknown, line: string): string {
  if (!isRecord(row) || typeof row.account !== 'string') return line;
  const own = `{"account":${JSON.stringify(row.account)}`;
  const all = `${own},"accounts":${JSON.stringify(row.accounts)}`;
  const written = [all, own].find((text) => line.startsWith(text));
  return written === undefined ? line : `{${line.slice(written.length).replace(/^,/, '')}`;
}

/** Returns the digest of a row. @param line the row as JSON */
export function digestOf(line: string, { keyFields, shownFields }: DigestFields): RowDigest {
  const row = JSON.parse(line) as unknown;
  return {
    key: keyOf(row, keyFields),
    hash: hashOf(withoutAccounts(row, line)),
    excerpt: excerptOf(row, line, shownFields),
  };
}
