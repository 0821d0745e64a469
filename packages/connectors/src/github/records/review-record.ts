import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import { copiedInstant, copiedInteger, copiedText, truncateText } from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { isBot, login, loginOf, text, UNKNOWN_STATE } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument, unreadable } from './github-record.ts';
import { instantOf } from './instants.ts';
import { reviewDocument } from './review-document.ts';

/** The fields of a stored review from which columns are made. */
const reviewSchema = z.object({
  id: z.string().min(1).max(200),
  user: login,
  state: text,
  submitted_at: text,
  updated_at: text,
  pull_request: z
    .object({
      number: z.unknown().optional(),
      title: text,
      html_url: text,
      state: text,
      created_at: text,
      merged_at: text,
      user: login,
    })
    .catch({}),
});
type Review = z.infer<typeof reviewSchema>;

/** Returns the repository in the address of a pull request's page: `octocat/hello-world`. */
export function repositoryOfPage(url: string | null | undefined): string | undefined {
  const [owner = '', name = '', kind, number = ''] = (url ?? '').split('/').slice(-4);
  const isName = (text: string) => /^[^?#]{1,200}$/.test(text);
  if (kind !== 'pull' || !/^\d{1,10}$/.test(number) || !isName(owner) || !isName(name)) return undefined;
  return `${owner}/${name}`;
}

function columnsOf({ pull_request: pull, ...review }: Review, repository: string): ColumnValues {
  return {
    number: copiedInteger(pull.number) ?? 0,
    title: copiedText(pull.title ?? ''),
    state: copiedText(review.state),
    author: copiedText(loginOf(review.user)),
    is_bot: isBot(review.user),
    pull_author: copiedText(loginOf(pull.user)),
    pull_is_bot: isBot(pull.user),
    pull_opened_at: copiedInstant(pull.created_at, 0),
    pull_state: instantOf(pull.merged_at) ? 'merged' : truncateText(pull.state ?? UNKNOWN_STATE),
    submitted_at: copiedInstant(review.submitted_at, 0),
    updated_at: copiedInstant(review.updated_at, 0),
    repository: truncateText(repositoryOfPage(pull.html_url) ?? repository),
  };
}

/** Makes the record of a review in the shape of the REST API. */
function storedReview(document: JsonObject, repository: string): ParsedRecord {
  const { fields, data } = readDocument(document, {
    schema: reviewSchema,
    what: 'a review',
    addresses: ['html_url'],
  });
  const updatedAt = instantOf(fields.updated_at);
  const occurredAt = instantOf(fields.submitted_at) ?? updatedAt ?? instantOf(fields.pull_request.created_at);
  return { id: fields.id, data, columns: columnsOf(fields, repository), ...datesOf(occurredAt, updatedAt) };
}

/**
 * Converts a review of GitHub's GraphQL API to a record, whose document has the shape of the REST API.
 * @param pull the pull request of the review @param repository full name, for a pull request without an address
 * @throws ProviderError `malformed` without an id
 */
export function reviewRecord(raw: unknown, pull: unknown, repository: string): ParsedRecord {
  const document = reviewDocument(raw, pull);
  if (!document) throw unreadable('a review');
  return storedReview(document, repository);
}

/** Extracts the columns of a stored review, as `EntityDefinition.convert` describes. */
export function convertReview(
  document: JsonObject,
  { repository }: Readonly<Record<string, unknown>>,
): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = storedReview(document, String(repository ?? ''));
  return { data, columns };
}
