import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import { copiedBoolean, copiedInstant, copiedText, truncateText } from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { GHOST, isBot, login, placeOf, text } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument, unreadable } from './github-record.ts';
import { instantOf } from './instants.ts';

const signature = z.object({ name: text, email: text, date: text }).nullish().catch(undefined);
type Signature = z.infer<typeof signature>;

/** The fields of a commit from which columns are made. */
const commitSchema = z.object({
  id: text,
  node_id: text,
  sha: text,
  url: text,
  author: login,
  committer: login,
  commit: z
    .object({
      author: signature,
      committer: signature,
      message: text,
      verification: z.object({ verified: z.unknown().optional() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  parents: z.array(z.unknown()).nullish().catch(undefined),
});
type Commit = z.infer<typeof commitSchema>;

/** Matches an id or hash that can be a part of a record's id. */
const ID = /^[!-~]{1,300}$/;

/** Returns the id of a record, which is unique for repository and commit; undefined for one that has none. */
function idOf({ id, node_id, sha }: Commit, repository: string): string | undefined {
  if (node_id && ID.test(node_id)) return node_id;
  if (sha && ID.test(sha) && ID.test(repository)) return `${repository}@${sha}`.toLowerCase();
  return id && ID.test(id) ? id : undefined;
}

/** Returns the login of a person, else the name in the commit. */
function nameOf(person: Commit['author'], signed: Signature): string {
  return truncateText(person?.login ?? (signed?.name || GHOST));
}

function columnsOf({ sha, author, committer, commit, parents }: Commit, repository: string): ColumnValues {
  const [authored, committed] = [commit?.author, commit?.committer];
  const [firstLine = ''] = (commit?.message ?? '').trimStart().split('\n', 1);
  return {
    sha: copiedText(sha),
    title: truncateText(firstLine.trimEnd()),
    author: nameOf(author, authored),
    author_name: copiedText(authored?.name),
    author_email: copiedText(authored?.email),
    committer: nameOf(committer, committed),
    committer_name: copiedText(committed?.name),
    committer_email: copiedText(committed?.email),
    is_bot: isBot(author ?? { login: authored?.name ?? '', type: undefined }),
    authored_at: copiedInstant(authored?.date, 0),
    committed_at: copiedInstant(committed?.date, 0),
    repository: truncateText(repository),
    verified: copiedBoolean(commit?.verification?.verified),
    is_merge: (parents ?? []).length > 1,
  };
}

/**
 * Converts GitHub's commit to a record. The argument becomes the record's document, is trimmed in place, and gets the id of
 * the record, which GitHub's answer has not.
 * @param repository full name, for a commit without an address
 * @throws ProviderError `malformed` without an id and a hash, or for one nested too deeply to store
 */
export function commitRecord(raw: unknown, repository: string): ParsedRecord {
  const what = 'a commit';
  const { fields, data } = readDocument(raw, { schema: commitSchema, what, addresses: ['html_url'] });
  const place = placeOf(fields.url).repository ?? repository;
  const id = idOf(fields, place);
  if (id === undefined) throw unreadable(what);
  data.id = id;
  const { author, committer } = fields.commit ?? {};
  const at = instantOf(committer?.date) ?? instantOf(author?.date);
  return { id, data, columns: columnsOf(fields, place), ...datesOf(at, at) };
}

/** Extracts the columns of a stored commit, as `EntityDefinition.convert` describes. */
export function convertCommit(
  document: JsonObject,
  { repository }: Readonly<Record<string, unknown>>,
): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = commitRecord(document, String(repository ?? ''));
  return { data, columns };
}
