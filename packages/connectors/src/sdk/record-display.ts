import type { PullDetails } from '@datadeck/contract';
import type { JsonObject } from './json.ts';

/** A line above the text of a record: `{ title: 'From', values: ['Amy <amy@example.org>'] }`. */
export interface RecordFact {
  title: string;
  values: readonly string[];
}

/** A file of a record, as its sender named it. */
export interface RecordFile {
  filename: string;
  mimeType: string;
  /** Bytes; null if unknown. */
  size: number | null;
}

/** What a person reads of a record. The server shortens all of it and escapes nothing. */
export interface RecordContent {
  /** Facts without values are left out. */
  facts: readonly RecordFact[];
  /** Names of labels, or ids of records of an entity on which this one depends. The server shows their names. */
  labels: readonly string[];
  text: string;
  textFormat: 'plain' | 'markdown';
  /** HTML as the provider sent it; null if there is none. The server rewrites it with `readMailPage`, and Markdown to HTML. */
  html: string | null;
  /** True if the stored document has only a part of the text. */
  isTruncated: boolean;
  /** Address of the record at its provider; null if it has none. The server shows `https:` only. */
  url: string | null;
  /** What a reading shows of a pull request above its text. */
  pull?: PullDetails;
  /** The files of `EntityDefinition.fetchAttachment`, in the order of the stored ones. */
  files?: readonly RecordFile[];
}

/** Declares how a document of an entity is shown to a person who opens a search result. */
export interface ReadingDefinition {
  /**
   * Fields of the document that `read` gets. Others are not read from the database. Texts are cut and lists have at most
   * 201 items; any other value that is too large is null.
   */
  fields: readonly string[];
  /** Returns what a person reads. Must accept every document: any field may be missing or of any type. */
  read(document: JsonObject): RecordContent;
}

/** Returns a text field, an empty text for other types. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the items of a list that are objects, none for other types. */
export function readObjects(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
}

/** Returns the items of a list that are texts and not empty, none for other types. */
export function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string' && item !== '') : [];
}
