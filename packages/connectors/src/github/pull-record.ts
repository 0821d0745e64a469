import { z } from 'zod';
import { type ConnectorRecord, type JsonObject, ProviderError } from '../sdk/index.ts';

const login = z.object({ login: z.string() }).nullish();
const instant = z.string().nullish();

/**
 * The fields of a pull request that are read. Everything else is kept as it came: real answers break the
 * published schema (`head.repo` null, `user` null, `body` null).
 */
const pullSchema = z.looseObject({
  id: z.number(),
  number: z.number(),
  state: z.string().nullish(),
  draft: z.boolean().nullish(),
  title: z.string().nullish(),
  user: login,
  created_at: z.string(),
  updated_at: instant,
  closed_at: instant,
  merged_at: instant,
  labels: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
  requested_reviewers: z.array(login).nullish(),
  requested_teams: z.array(z.looseObject({ name: z.string().nullish() }).nullish()).nullish(),
  base: z.looseObject({ repo: z.looseObject({ full_name: z.string() }).nullish() }).nullish(),
});

export interface PullPage {
  records: ConnectorRecord[];
  /** Newest `updated_at` of the page, ISO. */
  newestUpdate: string | null;
  /** Oldest `updated_at` of the page, ISO. */
  oldestUpdate: string | null;
}

function facetsOf(pull: z.infer<typeof pullSchema>, repository: string): JsonObject {
  return {
    number: pull.number,
    title: pull.title ?? '',
    state: pull.merged_at ? 'merged' : (pull.state ?? 'unknown'),
    draft: pull.draft ?? false,
    author: pull.user?.login ?? 'ghost',
    created: pull.created_at,
    updated: pull.updated_at ?? pull.created_at,
    closed: pull.closed_at ?? null,
    merged: pull.merged_at ?? null,
    labels: (pull.labels ?? []).map((label) => label.name ?? '').filter(Boolean),
    reviewers: [
      ...(pull.requested_reviewers ?? []).map((reviewer) => reviewer?.login ?? 'ghost'),
      ...(pull.requested_teams ?? []).flatMap((team) => (team?.name ? [`team ${team.name}`] : [])),
    ],
    repository: pull.base?.repo?.full_name ?? repository,
  };
}

/** A pull request as GitHub sent it -> our record. @throws ProviderError `malformed` */
export function pullRecord(raw: unknown, repository: string): ConnectorRecord {
  const parsed = pullSchema.safeParse(raw);
  const occurredAt = new Date(parsed.data?.created_at ?? '');
  if (!parsed.success || Number.isNaN(occurredAt.getTime())) {
    throw new ProviderError('malformed', 'GitHub sent a pull request that cannot be read.', {
      cause: parsed.error,
    });
  }
  return {
    id: String(parsed.data.id),
    occurredAt,
    data: raw as JsonObject,
    facets: facetsOf(parsed.data, repository),
  };
}

/** A page of `GET /repos/{owner}/{repo}/pulls` -> records. */
export function pullPage(body: unknown, repository: string): PullPage {
  if (!Array.isArray(body))
    throw new ProviderError('malformed', 'GitHub sent something else than a list of pull requests.');
  const records = body.map((raw) => pullRecord(raw, repository));
  const updates = records.map((record) => String(record.facets.updated)).sort();
  return { records, newestUpdate: updates.at(-1) ?? null, oldestUpdate: updates[0] ?? null };
}
