import { hash } from 'node:crypto';
import { PLAN_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import {
  type ConnectorRecord,
  copiedInteger,
  copiedText,
  defineEntity,
  type JsonObject,
  orderedParallel,
  type ProviderClient,
  ProviderError,
  parseSaved,
  type ReadRequest,
} from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';
import { currentHistoryId } from './profile.ts';
import { labelTable, USER_LABEL } from './tables.ts';
import { labelTemplates } from './templates.ts';

const listSchema = z.object({ labels: listOf(z.looseObject({ id: idSchema })) });
type ListedLabel = z.infer<typeof listSchema>['labels'][number];
const labelSchema = z.object({
  id: idSchema,
  name: z.string(),
  type: z.unknown().optional(),
  messagesTotal: z.unknown().optional(),
  messagesUnread: z.unknown().optional(),
  threadsTotal: z.unknown().optional(),
});

/** The state at the last run: the history id, and a fingerprint of each stored label's list entry. */
const cursorSchema = z.object({
  historyId: z.string(),
  labels: z.record(z.string(), z.string()),
  /** Time of the last full read of all labels, ms since 1970. */
  readAt: z.number(),
});
type Cursor = z.infer<typeof cursorSchema>;

/** Stored after the only page: the completion of the run. */
const checkpointSchema = z.object({ cursor: cursorSchema, truncated: z.boolean() });

/** Interval of full reads: neither the list nor the history reports a changed label colour. */
const REREAD_INTERVAL_MS = 86_400_000;

/** Labels have no date, so all of them share this one. */
const NO_DATE = new Date(0);

/** Converts Gmail's label resource to a record. @throws ProviderError `malformed` */
export function labelRecord(raw: unknown): ConnectorRecord {
  const parsed = labelSchema.safeParse(raw);
  if (!parsed.success)
    throw new ProviderError('malformed', 'Gmail sent a label that cannot be read.', { cause: parsed.error });
  const label = parsed.data;
  return {
    id: label.id,
    occurredAt: NO_DATE,
    data: raw as JsonObject,
    columns: {
      name: copiedText(label.name),
      type: copiedText(label.type) ?? USER_LABEL,
      messages: copiedInteger(label.messagesTotal) ?? 0,
      unread: copiedInteger(label.messagesUnread) ?? 0,
      threads: copiedInteger(label.threadsTotal) ?? 0,
    },
  };
}

async function fetchLabel(
  request: ReadRequest,
  id: string,
  signal: AbortSignal,
): Promise<ConnectorRecord | undefined> {
  try {
    const answer = await request.client.get({
      signal,
      path: `/gmail/v1/users/me/labels/${encodeURIComponent(id)}`,
      units: 1,
    });
    return labelRecord(answer.body);
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'not-found') return undefined;
    throw error;
  }
}

/** The work of one run. */
interface RunPlan {
  labels: ListedLabel[];
  /** Labels within the limit. */
  selected: ListedLabel[];
  /** Selected labels to fetch. While the history id is unchanged, counts are unchanged, so only new or renamed labels. */
  toRead: ListedLabel[];
  historyId: string;
  readAt: number;
}

/** Returns the person's own labels before Gmail's, which every mailbox has: a limit then leaves out Gmail's. */
function ownFirst(labels: readonly ListedLabel[]): ListedLabel[] {
  const isOfGmail = ({ type }: ListedLabel) => type === 'system';
  return [...labels.filter((label) => !isOfGmail(label)), ...labels.filter(isOfGmail)];
}

async function planRun(client: ProviderClient, limit: number, previous: Cursor | null): Promise<RunPlan> {
  // Read the history id before the labels, so that the next run includes changes made during this one.
  const historyId = await currentHistoryId(client);
  const labels = await listLabels(client);
  const selected = labels.slice(0, limit);
  const now = Date.now();
  if (previous?.historyId !== historyId || now - previous.readAt >= REREAD_INTERVAL_MS)
    return { labels, selected, toRead: selected, historyId, readAt: now };
  const toRead = selected.filter((label) => previous.labels[label.id] !== fingerprint(label));
  return { labels, selected, toRead, historyId, readAt: previous.readAt };
}

function fingerprint(label: ListedLabel): string {
  return hash('sha1', JSON.stringify(label), 'base64').slice(0, 12);
}

/** The entity of Gmail labels with their counts. */
export const gmailLabels = defineEntity({
  id: 'gmail-labels',
  title: 'Labels',
  description:
    '<p>The labels of the mailbox: Gmail’s own (<code>INBOX</code>, <code>SENT</code>, …) and yours, with their message counts.</p>',
  dependsOn: [],
  multi: true,
  limits: PLAN_LIMITS['gmail-labels'],
  settings: [],
  scopeOf: () => 'mailbox',
  table: labelTable,
  templates: labelTemplates,
  extraction: 1,
  convert: (document) => ({ data: document, columns: labelRecord(document).columns }),
  async *read(request) {
    const done = parseSaved(checkpointSchema, request.checkpoint);
    if (done) return done;
    const previous = parseSaved(cursorSchema, request.cursor);
    const { labels, selected, toRead, historyId, readAt } = await planRun(
      request.client,
      request.limit,
      previous,
    );
    const records: ConnectorRecord[] = [];
    const kept = new Map(selected.map((label) => [label.id, fingerprint(label)]));
    for await (const { id, record } of orderedParallel(
      toRead,
      () => request.client.prefetchCount,
      async ({ id }, signal) => ({ id, record: await fetchLabel(request, id, signal) }),
    )) {
      if (record) records.push(record);
      else kept.delete(id);
    }
    const removed = Object.keys(previous?.labels ?? {}).filter((id) => !kept.has(id));
    const truncated = labels.length > selected.length;
    const end = { cursor: { historyId, labels: Object.fromEntries(kept), readAt }, truncated };
    const skipped = selected.length - kept.size;
    yield { records, removed, checkpoint: end, total: labels.length, skipped };
    return end;
  },
  async estimate({ client, limit, cursor }) {
    const { labels, toRead } = await planRun(client, limit, parseSaved(cursorSchema, cursor));
    const records = toRead.length;
    return { total: labels.length, records, requests: records + 2, units: records + 2 };
  },
  async *listIds({ client }) {
    yield (await listLabels(client)).map(({ id }) => id);
  },
});

/** Lists all labels in the order in which they are stored. */
async function listLabels(client: ProviderClient): Promise<ListedLabel[]> {
  const answer = await client.get({ path: '/gmail/v1/users/me/labels', units: 1 });
  const listed = listSchema.safeParse(answer.body);
  if (listed.success) return ownFirst(listed.data.labels);
  throw new ProviderError('malformed', 'Gmail sent a list of labels that cannot be read.', {
    cause: listed.error,
  });
}
