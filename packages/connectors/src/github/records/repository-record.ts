import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import {
  copiedBoolean,
  copiedInstant,
  copiedInteger,
  copiedText,
  truncateTexts,
} from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import { readTexts } from '../../sdk/record-display.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { login, loginOf, text } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument } from './github-record.ts';
import { instantOf } from './instants.ts';

const other = z.unknown().optional();

/** The fields of a repository from which columns are made; only the id is required. */
const repositorySchema = z.object({
  id: z.number(),
  name: text,
  full_name: text,
  owner: login,
  language: text,
  topics: other,
  stargazers_count: other,
  forks_count: other,
  open_issues_count: other,
  pushed_at: text,
  created_at: text,
  updated_at: text,
  archived: other,
  private: other,
  fork: other,
  description: text,
});

function columnsOf(repository: z.infer<typeof repositorySchema>): ColumnValues {
  return {
    name: copiedText(repository.name ?? ''),
    full_name: copiedText(repository.full_name ?? ''),
    owner_login: copiedText(loginOf(repository.owner)),
    language: copiedText(repository.language),
    topics: truncateTexts(readTexts(repository.topics)),
    stars: copiedInteger(repository.stargazers_count),
    forks: copiedInteger(repository.forks_count),
    open_issues: copiedInteger(repository.open_issues_count),
    pushed_at: copiedInstant(repository.pushed_at, 0),
    created_at: copiedInstant(repository.created_at, 0),
    updated_at: copiedInstant(repository.updated_at, 0),
    archived: copiedBoolean(repository.archived),
    private: copiedBoolean(repository.private),
    is_fork: copiedBoolean(repository.fork),
    description: copiedText(repository.description),
  };
}

/**
 * Converts GitHub's repository to a record. The argument becomes the record's document and is trimmed in place.
 * @throws ProviderError `malformed` without an id, or for one nested too deeply to store
 */
export function repositoryRecord(raw: unknown): ParsedRecord {
  const { fields, data } = readDocument(raw, {
    schema: repositorySchema,
    what: 'a repository',
    addresses: ['html_url', 'mirror_url'],
  });
  return {
    id: String(fields.id),
    data,
    columns: columnsOf(fields),
    ...datesOf(instantOf(fields.created_at), instantOf(fields.updated_at)),
  };
}

/** Extracts the columns of a stored repository, as `EntityDefinition.convert` describes. */
export function convertRepository(document: JsonObject): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = repositoryRecord(document);
  return { data, columns };
}
