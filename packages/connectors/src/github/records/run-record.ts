import { z } from 'zod';
// Import from the files, not the index, because the page thread needs nothing else.
import {
  copiedBigint,
  copiedInstant,
  copiedInteger,
  copiedText,
  truncateText,
  truncateTexts,
} from '../../sdk/column-values.ts';
import type { JsonObject } from '../../sdk/json.ts';
import type { ColumnValues } from '../../sdk/table.ts';
import { isBot, login, loginOf, text } from './fields.ts';
import { datesOf, type ParsedRecord, readDocument } from './github-record.ts';
import { instantOf } from './instants.ts';

/** The fields of a workflow run from which columns are made; only the id is required. */
const runSchema = z.object({
  id: z.number(),
  name: text,
  path: text,
  run_number: z.unknown().optional(),
  display_title: text,
  workflow_id: z.unknown().optional(),
  head_branch: text,
  head_sha: text,
  event: text,
  status: text,
  conclusion: text,
  run_attempt: z.unknown().optional(),
  actor: login,
  run_started_at: text,
  created_at: text,
  updated_at: text,
  repository: z.object({ full_name: z.string() }).nullish().catch(undefined),
  pull_requests: z
    .array(z.object({ number: z.int().nonnegative() }).nullish().catch(undefined))
    .nullish()
    .catch(undefined),
});
type Run = z.infer<typeof runSchema>;

/** Returns the seconds from the start of the last attempt to its end; null for a run that has not completed. */
export function secondsOf(run: Pick<Run, 'status' | 'run_started_at' | 'updated_at'>): number | null {
  const [start, end] = [instantOf(run.run_started_at), instantOf(run.updated_at)];
  if (run.status !== 'completed' || !start || !end || end < start) return null;
  return copiedInteger(Math.round((end.getTime() - start.getTime()) / 1000));
}

function columnsOf(run: Run, repository: string): ColumnValues {
  const pulls = (run.pull_requests ?? []).flatMap((pull) => (pull ? [String(pull.number)] : []));
  return {
    number: copiedInteger(run.run_number) ?? 0,
    title: copiedText(run.display_title ?? ''),
    // A workflow without a name is called after its file.
    workflow: truncateText(run.name || run.path || ''),
    workflow_id: copiedBigint(run.workflow_id),
    branch: copiedText(run.head_branch),
    event: copiedText(run.event),
    status: copiedText(run.status),
    conclusion: copiedText(run.conclusion),
    attempt: copiedInteger(run.run_attempt),
    actor: copiedText(loginOf(run.actor)),
    is_bot: isBot(run.actor),
    sha: copiedText(run.head_sha),
    duration_seconds: secondsOf(run),
    started_at: copiedInstant(run.run_started_at, 0),
    created_at: copiedInstant(run.created_at, 0),
    updated_at: copiedInstant(run.updated_at, 0),
    repository: truncateText(run.repository?.full_name ?? repository),
    pulls: truncateTexts(pulls),
  };
}

/**
 * Converts GitHub's workflow run to a record. The argument becomes the record's document and is trimmed in place.
 * @param repository full name, for a run without one
 * @throws ProviderError `malformed` without an id, or for one nested too deeply to store
 */
export function runRecord(raw: unknown, repository: string): ParsedRecord {
  const { fields, data } = readDocument(raw, {
    schema: runSchema,
    what: 'a workflow run',
    addresses: ['html_url'],
  });
  return {
    id: String(fields.id),
    data,
    columns: columnsOf(fields, repository),
    ...datesOf(instantOf(fields.created_at), instantOf(fields.updated_at)),
  };
}

/** Extracts the columns of a stored run, as `EntityDefinition.convert` describes. */
export function convertRun(
  document: JsonObject,
  { repository }: Readonly<Record<string, unknown>>,
): Pick<ParsedRecord, 'data' | 'columns'> {
  const { data, columns } = runRecord(document, String(repository ?? ''));
  return { data, columns };
}
