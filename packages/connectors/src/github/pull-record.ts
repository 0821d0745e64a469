import { z } from 'zod';
import { type ConnectorRecord, type JsonObject, ProviderError, storable } from '../sdk/index.ts';

const login = z.object({ login: z.string() }).nullish().catch(undefined);
const text = z.string().nullish().catch(undefined);
const named = z.looseObject({ name: text }).nullish().catch(undefined);

/**
 * The fields of a pull request that are read; only its id must be there. Everything else is kept as it came: real
 * answers break the published schema (`head.repo` null, `user` null, `body` null).
 */
const pullSchema = z.looseObject({
  id: z.number(),
  number: z.number().catch(0),
  state: text,
  draft: z.boolean().nullish().catch(undefined),
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
    .looseObject({ repo: z.looseObject({ full_name: z.string() }).nullish() })
    .nullish()
    .catch(undefined),
});
type Pull = z.infer<typeof pullSchema>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** An instant as GitHub writes it; null for anything else, which no database could compare. */
function instantOf(text: string | null | undefined): string | null {
  return text && INSTANT.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

export interface PullPage {
  records: ConnectorRecord[];
  /** Newest and oldest `updated_at` of the page, ms; -Infinity and Infinity when it is empty. */
  newestUpdate: number;
  oldestUpdate: number;
}

function namesOf(list: Pull['labels']): string[] {
  return (list ?? []).flatMap((item) => (item?.name ? [storable(item.name)] : []));
}

function facetsOf(pull: Pull, repository: string, created: string): JsonObject {
  const merged = instantOf(pull.merged_at);
  return {
    number: pull.number,
    title: storable(pull.title ?? ''),
    state: merged === null ? storable(pull.state ?? 'unknown') : 'merged',
    draft: pull.draft ?? false,
    author: pull.user?.login ?? 'ghost',
    created,
    updated: instantOf(pull.updated_at) ?? created,
    closed: instantOf(pull.closed_at),
    merged,
    labels: namesOf(pull.labels),
    reviewers: [
      ...(pull.requested_reviewers ?? []).map((reviewer) => reviewer?.login ?? 'ghost'),
      ...namesOf(pull.requested_teams).map((team) => `team ${team}`),
    ],
    repository: pull.base?.repo?.full_name ?? repository,
  };
}

/** A pull request as GitHub sent it -> our record. @throws ProviderError `malformed` without an id */
export function pullRecord(raw: unknown, repository: string): ConnectorRecord {
  const parsed = pullSchema.safeParse(raw);
  if (!parsed.success) {
    throw new ProviderError('malformed', 'GitHub sent a pull request that cannot be read.', {
      cause: parsed.error,
    });
  }
  const pull = parsed.data;
  const created = instantOf(pull.created_at) ?? instantOf(pull.updated_at) ?? '1970-01-01T00:00:00Z';
  return {
    id: String(pull.id),
    occurredAt: new Date(created),
    data: raw as JsonObject,
    facets: facetsOf(pull, repository, created),
  };
}

/** When a record was last updated, ms. */
export function updatedAt(record: ConnectorRecord): number {
  return Date.parse(String(record.facets.updated));
}

/** A page of `GET /repos/{owner}/{repo}/pulls` -> records. @throws ProviderError `malformed` */
export function pullPage(body: unknown, repository: string): PullPage {
  if (!Array.isArray(body))
    throw new ProviderError('malformed', 'GitHub sent something else than a list of pull requests.');
  const records = body.map((raw) => pullRecord(raw, repository));
  const updates = records.map(updatedAt);
  return { records, newestUpdate: Math.max(...updates), oldestUpdate: Math.min(...updates) };
}
