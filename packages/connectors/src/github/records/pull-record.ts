import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import {
  copiedBoolean,
  copiedInstant,
  copiedInteger,
  copiedText,
  truncateText,
  truncateTexts,
} from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { isTooDeep, trimPull } from './document.ts';
import { login, loginOf, named, namesOf, text, UNKNOWN_STATE } from './fields.ts';
import { datesOf, type ParsedRecord, unreadable } from './github-record.ts';
import { instantOf } from './instants.ts';

/**
 * The fields of a pull request from which columns are made; only the id is required. Real responses violate the published
 * schema (`head.repo` null, `user` null, `body` null).
 */
const pullSchema = z.object({
  id: z.number(),
  number: z.unknown().optional(),
  state: text,
  draft: z.unknown().optional(),
  title: text,
  user: login,
  created_at: text,
  updated_at: text,
  closed_at: text,
  merged_at: text,
  labels: z.array(named).nullish().catch(undefined),
  requested_reviewers: z.array(login).nullish().catch(undefined),
  requested_teams: z.array(named).nullish().catch(undefined),
  base: z
    .object({ repo: z.object({ full_name: z.string() }).nullish() })
    .nullish()
    .catch(undefined),
  additions: z.unknown().optional(),
  deletions: z.unknown().optional(),
  changed_files: z.unknown().optional(),
  comments: z.unknown().optional(),
});
type Pull = z.infer<typeof pullSchema>;

/** Returns the logins of the requested reviewers, `ghost` for a deleted one, then the teams as `team NAME`. */
function reviewersOf(pull: Pull): string[] {
  const people = (pull.requested_reviewers ?? []).map(loginOf);
  return [...people, ...namesOf(pull.requested_teams).map((team) => `team ${team}`)];
}

/** Returns the columns of `pullTable`. Dates in other formats than GitHub's are null, except `merged_at`. */
function columnsOf(pull: Pull, repository: string): ColumnValues {
  return {
    number: copiedInteger(pull.number) ?? 0,
    title: copiedText(pull.title ?? ''),
    state: copiedText(pull.state) ?? UNKNOWN_STATE,
    author: copiedText(loginOf(pull.user)),
    repository: truncateText(pull.base?.repo?.full_name ?? repository),
    draft: copiedBoolean(pull.draft),
    created_at: copiedInstant(pull.created_at, 0),
    updated_at: copiedInstant(pull.updated_at, 0),
    merged_at: instantOf(pull.merged_at) ?? null,
    closed_at: copiedInstant(pull.closed_at, 0),
    labels: truncateTexts(namesOf(pull.labels)),
    reviewers: truncateTexts(reviewersOf(pull)),
    additions: copiedInteger(pull.additions),
    deletions: copiedInteger(pull.deletions),
    changed_files: copiedInteger(pull.changed_files),
    comments: copiedInteger(pull.comments),
  };
}

/**
 * Converts GitHub's pull request to a record. The argument becomes the record's document and is trimmed in place.
 * @param repository full name, for a pull request without one
 * @throws ProviderError `malformed` without an id, or for one nested too deeply to store
 */
export function pullRecord(raw: unknown, repository: string): ParsedRecord {
  const parsed = pullSchema.safeParse(raw);
  const data = raw as JsonObject;
  if (parsed.success) trimPull(data);
  if (!parsed.success || isTooDeep(data)) throw unreadable('a pull request', parsed.error);
  const pull = parsed.data;
  return {
    id: String(pull.id),
    data,
    columns: columnsOf(pull, repository),
    ...datesOf(instantOf(pull.created_at), instantOf(pull.updated_at)),
  };
}
