import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import {
  copiedInstant,
  copiedInteger,
  copiedText,
  truncateText,
  truncateTexts,
} from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { isBot, login, loginOf, named, namesOf, placeOf, text, UNKNOWN_STATE } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument } from './github-record.ts';
import { instantOf } from './instants.ts';

/** The fields of an issue from which columns are made; only the id is required. */
const issueSchema = z.object({
  id: z.number(),
  repository_url: text,
  number: z.unknown().optional(),
  title: text,
  state: text,
  state_reason: text,
  user: login,
  created_at: text,
  updated_at: text,
  closed_at: text,
  closed_by: login,
  // Old versions of the API send labels as texts.
  labels: z
    .array(
      z
        .string()
        .transform((name) => ({ name }))
        .or(named),
    )
    .nullish()
    .catch(undefined),
  assignees: z.array(login).nullish().catch(undefined),
  milestone: z.object({ title: text }).nullish().catch(undefined),
  comments: z.unknown().optional(),
  reactions: z.object({ total_count: z.unknown().optional() }).nullish().catch(undefined),
  pull_request: z.unknown().optional(),
});

function columnsOf(issue: z.infer<typeof issueSchema>, repository: string): ColumnValues {
  return {
    number: copiedInteger(issue.number) ?? 0,
    title: copiedText(issue.title ?? ''),
    state: copiedText(issue.state) ?? UNKNOWN_STATE,
    state_reason: copiedText(issue.state_reason),
    author: copiedText(loginOf(issue.user)),
    is_bot: isBot(issue.user),
    repository: truncateText(placeOf(issue.repository_url).repository ?? repository),
    created_at: copiedInstant(issue.created_at, 0),
    updated_at: copiedInstant(issue.updated_at, 0),
    closed_at: copiedInstant(issue.closed_at, 0),
    closed_by: copiedText(issue.closed_by?.login),
    labels: truncateTexts(namesOf(issue.labels)),
    assignees: truncateTexts((issue.assignees ?? []).map(loginOf)),
    milestone: copiedText(issue.milestone?.title),
    comments: copiedInteger(issue.comments),
    reactions: copiedInteger(issue.reactions?.total_count),
  };
}

/**
 * Converts GitHub's issue, or a pull request in its list of issues, to a record. The argument becomes the record's document and is trimmed in place.
 * @param repository full name, for an issue without one
 * @throws ProviderError `malformed` without an id, or for one nested too deeply to store
 */
export function issueRecord(raw: unknown, repository: string): ParsedRecord {
  const { fields, data } = readDocument(raw, {
    schema: issueSchema,
    what: 'an issue',
    addresses: ['html_url', 'repository_url'],
  });
  return {
    id: String(fields.id),
    data,
    columns: columnsOf(fields, repository),
    ...datesOf(instantOf(fields.created_at), instantOf(fields.updated_at)),
    ...(fields.pull_request ? { isOther: true } : {}),
  };
}

/** Extracts the columns of a stored issue, as `EntityDefinition.convert` describes. */
export function convertIssue(
  document: JsonObject,
  { repository }: Readonly<Record<string, unknown>>,
): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = issueRecord(document, String(repository ?? ''));
  return { data, columns };
}
