import type { z } from 'zod';
import type { ConnectorRecord } from '../../sdk/connector.ts';
import type { Json, JsonObject } from '../../sdk/json.ts';
import { ProviderError } from '../../sdk/provider-error.ts';
import { isTooDeep, trimDocument } from './document.ts';

/** A record of a list, with the time by which GitHub orders the latest updates. */
export interface ListedRecord extends ConnectorRecord {
  /** Time of the last update, else of creation, ms since 1970; 0 without either. */
  updatedAt: number;
  /** True for an item of the list that is no record of the entity: a pull request in the list of issues. */
  isOther?: true;
}

/** A record whose document is an object, as the functions of entities create it. */
export interface ParsedRecord extends ListedRecord {
  data: JsonObject;
}

/** How the documents of an entity are read. */
interface DocumentReading<Fields extends z.ZodType> {
  /** The fields from which columns are made. */
  schema: Fields;
  /** What a document is, for the error, e.g. `an issue`. */
  what: string;
  /** Its fields that end with `_url` and are stored. */
  addresses: readonly string[];
}

/** Creates the error for a document that cannot be read. @param what e.g. `an issue` */
export function unreadable(what: string, cause?: unknown): ProviderError {
  return new ProviderError('malformed', `GitHub sent ${what} that cannot be read.`, { cause });
}

/**
 * Parses a document of GitHub and trims it in place.
 * @throws ProviderError `malformed` for one that its schema refuses, or that is nested too deeply to store
 */
export function readDocument<Fields extends z.ZodType>(
  raw: unknown,
  { schema, what, addresses }: DocumentReading<Fields>,
): { fields: z.infer<Fields>; data: JsonObject } {
  const parsed = schema.safeParse(raw);
  if (!parsed.success || isTooDeep(raw as Json)) throw unreadable(what, parsed.error);
  const data = raw as JsonObject;
  trimDocument(data, addresses);
  return { fields: parsed.data, data };
}

/** Returns the date of a record and of its last update, from the instants that it has. */
export function datesOf(
  created: Date | undefined,
  updated: Date | undefined,
): { occurredAt: Date; updatedAt: number } {
  const occurredAt = created ?? updated ?? new Date(0);
  return { occurredAt, updatedAt: (updated ?? occurredAt).getTime() };
}
