import { z } from 'zod';
// Not through the index: the thread that reads pages is started for each first read, and needs nothing else.
import type { ConnectorRecord } from '../sdk/connector.ts';
import { storableInstant } from '../sdk/instant.ts';
import type { JsonObject } from '../sdk/json.ts';
import { parseElements } from '../sdk/json-elements.ts';
import type { PageReader } from '../sdk/page-thread.ts';
import { ProviderError } from '../sdk/provider-error.ts';
import type { SharedPiece } from '../sdk/shared-parts.ts';
import { storable } from '../sdk/storable.ts';

const login = z.object({ login: z.string() }).nullish().catch(undefined);
const text = z.string().nullish().catch(undefined);
const named = z.object({ name: text }).nullish().catch(undefined);

/**
 * The fields of a pull request that are read for its facets; only its id must be there. Real answers break the published
 * schema (`head.repo` null, `user` null, `body` null).
 */
const pullSchema = z.object({
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
    .object({ repo: z.object({ full_name: z.string() }).nullish() })
    .nullish()
    .catch(undefined),
});
type Pull = z.infer<typeof pullSchema>;

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Whether the calendar has the day: Date.parse takes the 30th of February for one in March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** An instant as GitHub writes nearly all of them, on a day that every month has. */
const USUAL_INSTANT =
  /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** An instant in UTC, as GitHub writes it; null for anything else, which no database could compare. */
function instantOf(text: string | null | undefined): string | null {
  if (text && USUAL_INSTANT.test(text)) return text;
  const day = text?.match(INSTANT)?.[1];
  if (!text || !day || !isDay(day)) return null;
  const instant = storableInstant(Date.parse(text));
  return instant ? instant.toISOString().replace('.000Z', 'Z') : null;
}

export interface PullPage {
  records: ConnectorRecord[];
  /** What the records' data are slices of. */
  body: Buffer;
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

/**
 * A pull request as GitHub sent it -> our record.
 * @param source its JSON, when known, with what it shares with others @throws ProviderError `malformed` without an id
 */
export function pullRecord(
  raw: unknown,
  repository: string,
  source?: { json: Buffer; pieces: readonly SharedPiece[] },
): ConnectorRecord {
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
    ...(source ? { data: source.json, shared: source.pieces } : { data: raw as JsonObject }),
    facets: facetsOf(pull, repository, created),
  };
}

/** When a record was last updated, ms. */
export function updatedAt(record: ConnectorRecord): number {
  return Date.parse(String(record.facets.updated));
}

/** Smaller pages are read before a thread would have taken them. */
const LARGE = 256 * 1024;

async function readHere(json: Buffer, repository: string) {
  const records = await parseElements(json, (raw, source, pieces) =>
    pullRecord(raw, repository, { json: source, pieces }),
  );
  return records && { records, body: json };
}

/**
 * The JSON of `GET /repos/{owner}/{repo}/pulls` -> records.
 * @param reader of the pages of one read @throws ProviderError `malformed`, SyntaxError for no JSON
 */
export async function pullPage(json: Buffer, repository: string, reader?: PageReader): Promise<PullPage> {
  const page =
    reader && json.length >= LARGE && json.buffer instanceof ArrayBuffer
      ? await reader.read(json as Buffer<ArrayBuffer>, repository)
      : await readHere(json, repository);
  if (!page) throw new ProviderError('malformed', 'GitHub sent something else than a list of pull requests.');
  const updates = page.records.map(updatedAt);
  return { ...page, newestUpdate: Math.max(...updates), oldestUpdate: Math.min(...updates) };
}
