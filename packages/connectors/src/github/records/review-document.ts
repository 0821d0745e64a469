import { z } from 'zod';
import type { Json, JsonObject } from '../../sdk/json.ts';
import { text } from './fields.ts';

const number = z.number().nullish().catch(undefined);
const flag = z.boolean().nullish().catch(undefined);
/** GitHub writes integers of 64 bits as texts. */
const bigNumber = z.coerce
  .string()
  .regex(/^\d{1,20}$/)
  .nullish()
  .catch(undefined);
const author = z.object({ __typename: text, login: z.string() }).nullish().catch(undefined);

/** A review as GitHub's GraphQL API answers it. */
const nodeSchema = z.object({
  id: text,
  fullDatabaseId: bigNumber,
  state: text,
  body: text,
  url: text,
  createdAt: text,
  updatedAt: text,
  submittedAt: text,
  authorAssociation: text,
  author,
  commit: z.object({ oid: text }).nullish().catch(undefined),
});

/** The pull request of a review as GitHub's GraphQL API answers it. */
const pullSchema = z
  .object({
    number,
    title: text,
    url: text,
    createdAt: text,
    closedAt: text,
    mergedAt: text,
    isDraft: flag,
    state: text,
    author,
  })
  .catch({});

/** Returns a person in the shape of the REST API, which ends logins of bots with `[bot]`. */
function personOf(person: z.infer<typeof author>): Json {
  if (!person) return null;
  const { login, __typename: type = 'User' } = person;
  const isUnmarked = type === 'Bot' && !login.endsWith('[bot]');
  return { login: isUnmarked ? `${login}[bot]` : login, type };
}

/** Returns the id of a review's record: the anchor of its page, else the id of its node. */
function idOf({ fullDatabaseId, url, id }: z.infer<typeof nodeSchema>): string | undefined {
  if (fullDatabaseId) return `pullrequestreview-${fullDatabaseId}`;
  const [, anchor] = /#(pullrequestreview-\d{1,20})$/.exec(url ?? '') ?? [];
  return anchor ?? (/^[!-~]{1,200}$/.test(id ?? '') ? (id ?? undefined) : undefined);
}

/**
 * Converts a review of GitHub's GraphQL API, and its pull request, to the shape of the REST API, with the id of its record.
 * @returns undefined for a review without an id
 */
export function reviewDocument(raw: unknown, rawPull: unknown): JsonObject | undefined {
  const node = nodeSchema.safeParse(raw).data;
  const id = node && idOf(node);
  if (!node || id === undefined) return undefined;
  const pull = pullSchema.parse(rawPull);
  return {
    id,
    node_id: node.id ?? null,
    user: personOf(node.author),
    body: node.body ?? null,
    state: node.state ?? null,
    html_url: node.url ?? null,
    submitted_at: node.submittedAt ?? null,
    updated_at: node.updatedAt ?? null,
    commit_id: node.commit?.oid ?? null,
    author_association: node.authorAssociation ?? null,
    pull_request: {
      number: pull.number ?? null,
      title: pull.title ?? null,
      html_url: pull.url ?? null,
      // The REST API calls a merged pull request closed.
      state: pull.state === 'MERGED' ? 'closed' : (pull.state?.toLowerCase() ?? null),
      draft: pull.isDraft ?? null,
      created_at: pull.createdAt ?? null,
      merged_at: pull.mergedAt ?? null,
      closed_at: pull.closedAt ?? null,
      user: personOf(pull.author),
    },
  };
}
