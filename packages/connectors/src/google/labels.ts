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

/** What the last run knew: where the history stood, and of each label it kept a fingerprint of what the list tells. */
const cursorSchema = z.object({
  historyId: z.string(),
  labels: z.record(z.string(), z.string()),
  /** When every label was read, ms. */
  readAt: z.number(),
});
type Cursor = z.infer<typeof cursorSchema>;

/** After the only page: how the run ends. */
const checkpointSchema = z.object({ cursor: cursorSchema, truncated: z.boolean() });

/** A label's colour is told by neither the list nor the history: every label is read once a day, whatever they say. */
const READ_ANEW_MS = 86_400_000;

/** A label has no date: all are equally new. */
const NO_DATE = new Date(0);

/** A label as Gmail sent it -> our record. @throws ProviderError `malformed` */
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

/** What there is to do in a run. */
interface Work {
  labels: ListedLabel[];
  /** Those that the limit lets in. */
  chosen: ListedLabel[];
  /** Those of them that must be read: counts change with messages, so that a history that stands still spares all others. */
  toRead: ListedLabel[];
  historyId: string;
  readAt: number;
}

async function findWork(client: ProviderClient, limit: number, before: Cursor | null): Promise<Work> {
  // Taken before the labels are read: what changes meanwhile is brought by the next run.
  const historyId = await currentHistoryId(client);
  const labels = await listLabels(client);
  const chosen = labels.slice(0, limit);
  const now = Date.now();
  if (before?.historyId !== historyId || now - before.readAt >= READ_ANEW_MS)
    return { labels, chosen, toRead: chosen, historyId, readAt: now };
  const toRead = chosen.filter((label) => before.labels[label.id] !== fingerprint(label));
  return { labels, chosen, toRead, historyId, readAt: before.readAt };
}

function fingerprint(label: ListedLabel): string {
  return hash('sha1', JSON.stringify(label), 'base64').slice(0, 12);
}

/** Gmail labels, each with its counts. */
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
    const before = parseSaved(cursorSchema, request.cursor);
    const { labels, chosen, toRead, historyId, readAt } = await findWork(
      request.client,
      request.limit,
      before,
    );
    const records: ConnectorRecord[] = [];
    const kept = new Map(chosen.map((label) => [label.id, fingerprint(label)]));
    for await (const { id, record } of orderedParallel(
      toRead,
      () => request.client.prefetchCount,
      async ({ id }, signal) => ({ id, record: await fetchLabel(request, id, signal) }),
    )) {
      if (record) records.push(record);
      else kept.delete(id);
    }
    const removed = Object.keys(before?.labels ?? {}).filter((id) => !kept.has(id));
    const truncated = labels.length > chosen.length;
    const end = { cursor: { historyId, labels: Object.fromEntries(kept), readAt }, truncated };
    const skipped = chosen.length - kept.size;
    yield { records, removed, checkpoint: end, total: labels.length, skipped };
    return end;
  },
  async estimate({ client, limit, cursor }) {
    const { labels, toRead } = await findWork(client, limit, parseSaved(cursorSchema, cursor));
    const records = toRead.length;
    return { total: labels.length, records, requests: records + 2, units: records + 2 };
  },
  async *listIds({ client }) {
    yield (await listLabels(client)).map(({ id }) => id);
  },
});

async function listLabels(client: ProviderClient): Promise<ListedLabel[]> {
  const answer = await client.get({ path: '/gmail/v1/users/me/labels', units: 1 });
  const listed = listSchema.safeParse(answer.body);
  if (listed.success) return listed.data.labels;
  throw new ProviderError('malformed', 'Gmail sent a list of labels that cannot be read.', {
    cause: listed.error,
  });
}
