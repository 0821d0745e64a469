import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import { copiedInstant, copiedInteger, copiedText, truncateText } from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { isBot, login, loginOf, placeOf, startOfText, text } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument } from './github-record.ts';
import { instantOf } from './instants.ts';

/** The list of a comment: of issues, which has those of pull requests, too, or of reviews. */
export type CommentList = 'issue' | 'review';

/** Starts of ids, by list: the same number may be in both. They are the anchors of GitHub's pages. */
const ID_STARTS = { issue: 'issuecomment-', review: 'discussion_r' } as const;
/** Matches the id of a stored comment. */
const STORED_ID = /^(?:issuecomment-|discussion_r)\d{1,20}$/;

const number = z.int().nullish().catch(undefined);

/** The fields of a comment from which columns are made; only the id is required. */
const commentSchema = z.object({
  id: z.int().nonnegative().or(z.string().regex(STORED_ID)),
  html_url: text,
  issue_url: text,
  pull_request_url: text,
  body: text,
  user: login,
  path: text,
  line: z.unknown().optional(),
  in_reply_to_id: number,
  pull_request_review_id: number,
  created_at: text,
  updated_at: text,
  reactions: z.object({ total_count: z.unknown().optional() }).nullish().catch(undefined),
});
type Comment = z.infer<typeof commentSchema>;

/** Returns the id of a record. @param list the list of a comment that is not stored yet */
function idOf({ id }: Comment, list: CommentList): string {
  return typeof id === 'string' ? id : `${ID_STARTS[list]}${id}`;
}

function kindOf({ html_url }: Comment, id: string): string {
  if (id.startsWith(ID_STARTS.review)) return 'review';
  return /\/pull\/\d{1,20}(?:#|$)/.test(html_url ?? '') ? 'pull' : 'issue';
}

function columnsOf(comment: Comment, { id, repository }: { id: string; repository: string }): ColumnValues {
  const place = placeOf(comment.issue_url ?? comment.pull_request_url);
  const { in_reply_to_id, pull_request_review_id } = comment;
  return {
    kind: kindOf(comment, id),
    number: place.number ?? null,
    title: startOfText(comment.body),
    author: copiedText(loginOf(comment.user)),
    is_bot: isBot(comment.user),
    repository: truncateText(place.repository ?? repository),
    path: copiedText(comment.path),
    line: copiedInteger(comment.line),
    in_reply_to: in_reply_to_id ? `${ID_STARTS.review}${in_reply_to_id}` : null,
    review: pull_request_review_id ? `pullrequestreview-${pull_request_review_id}` : null,
    created_at: copiedInstant(comment.created_at, 0),
    updated_at: copiedInstant(comment.updated_at, 0),
    reactions: copiedInteger(comment.reactions?.total_count),
  };
}

/**
 * Converts GitHub's comment to a record. The argument becomes the record's document, is trimmed in place, and gets the id of
 * the record.
 * @param repository full name, for a comment without one @param list the list that has it
 * @throws ProviderError `malformed` without an id, or for one nested too deeply to store
 */
export function commentRecord(raw: unknown, repository: string, list: CommentList): ParsedRecord {
  const { fields, data } = readDocument(raw, {
    schema: commentSchema,
    what: 'a comment',
    addresses: ['html_url', 'issue_url', 'pull_request_url'],
  });
  const id = idOf(fields, list);
  data.id = id;
  return {
    id,
    data,
    columns: columnsOf(fields, { id, repository }),
    ...datesOf(instantOf(fields.created_at), instantOf(fields.updated_at)),
  };
}

/** Extracts the columns of a stored comment, as `EntityDefinition.convert` describes. */
export function convertComment(
  document: JsonObject,
  { repository }: Readonly<Record<string, unknown>>,
): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = commentRecord(document, String(repository ?? ''), 'issue');
  return { data, columns };
}
