import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import {
  copiedBigint,
  copiedBoolean,
  copiedInstant,
  copiedText,
  truncateText,
} from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { isBot, login, loginOf, placeOf, text } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument } from './github-record.ts';
import { instantOf } from './instants.ts';

/** The fields of a release from which columns are made; only the id is required. */
const releaseSchema = z.object({
  id: z.number(),
  url: text,
  name: text,
  tag_name: text,
  author: login,
  draft: z.unknown().optional(),
  prerelease: z.unknown().optional(),
  created_at: text,
  published_at: text,
  updated_at: text,
  assets: z
    .array(z.object({ download_count: z.int().nonnegative() }).nullish().catch(undefined))
    .nullish()
    .catch(undefined),
});
type Release = z.infer<typeof releaseSchema>;

function columnsOf(release: Release, repository: string): ColumnValues {
  const files = release.assets ?? [];
  return {
    title: truncateText(release.name || release.tag_name || ''),
    tag: copiedText(release.tag_name),
    author: copiedText(loginOf(release.author)),
    is_bot: isBot(release.author),
    draft: copiedBoolean(release.draft),
    prerelease: copiedBoolean(release.prerelease),
    created_at: copiedInstant(release.created_at, 0),
    published_at: copiedInstant(release.published_at, 0),
    updated_at: copiedInstant(release.updated_at, 0),
    downloads: copiedBigint(files.reduce((sum, file) => sum + (file?.download_count ?? 0), 0)),
    files: files.length,
    repository: truncateText(placeOf(release.url).repository ?? repository),
  };
}

/**
 * Converts GitHub's release to a record. The argument becomes the record's document and is trimmed in place.
 * @param repository full name, for a release without an address
 * @throws ProviderError `malformed` without an id, or for one nested too deeply to store
 */
export function releaseRecord(raw: unknown, repository: string): ParsedRecord {
  const { fields, data } = readDocument(raw, {
    schema: releaseSchema,
    what: 'a release',
    addresses: ['html_url'],
  });
  const occurredAt = instantOf(fields.published_at) ?? instantOf(fields.created_at);
  return {
    id: String(fields.id),
    data,
    columns: columnsOf(fields, repository),
    ...datesOf(occurredAt, instantOf(fields.updated_at) ?? occurredAt),
  };
}

/** Extracts the columns of a stored release, as `EntityDefinition.convert` describes. */
export function convertRelease(
  document: JsonObject,
  { repository }: Readonly<Record<string, unknown>>,
): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = releaseRecord(document, String(repository ?? ''));
  return { data, columns };
}
