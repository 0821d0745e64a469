import { PLAN_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import {
  type ConnectorRecord,
  defineEntity,
  type JsonObject,
  orderedParallel,
  type ProviderClient,
  ProviderError,
  type ReadRequest,
  readSaved,
} from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';

const listSchema = z.object({ labels: listOf(z.object({ id: idSchema })) });
const count = z.number().catch(0);
const labelSchema = z.object({
  id: idSchema,
  name: z.string(),
  type: z.string().catch('user'),
  messagesTotal: count,
  messagesUnread: count,
  threadsTotal: count,
});

/** After the only page: whether the limit left labels out. */
const checkpointSchema = z.object({ truncated: z.boolean() });

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
    facets: {
      name: label.name,
      type: label.type,
      messages: label.messagesTotal,
      unread: label.messagesUnread,
      threads: label.threadsTotal,
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

/** Gmail labels, each with its counts. Always read whole: there are few. */
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
  async *read(request) {
    const done = readSaved(checkpointSchema, request.checkpoint);
    if (done) return { cursor: null, truncated: done.truncated };
    const labels = await listLabels(request.client);
    const chosen = labels.slice(0, request.limit);
    const records: ConnectorRecord[] = [];
    let skipped = 0;
    for await (const record of orderedParallel(
      chosen,
      () => request.client.ahead,
      (label, signal) => fetchLabel(request, label.id, signal),
    )) {
      if (record) records.push(record);
      else skipped++;
    }
    const truncated = labels.length > chosen.length;
    yield { records, checkpoint: { truncated }, total: labels.length, skipped };
    return { cursor: null, truncated };
  },
  async estimate({ client, limit }) {
    const total = (await listLabels(client)).length;
    const records = Math.min(total, limit);
    return { total, records, requests: records + 1, units: records + 1 };
  },
  async *listIds({ client }) {
    yield (await listLabels(client)).map(({ id }) => id);
  },
});

async function listLabels(client: ProviderClient): Promise<z.infer<typeof listSchema>['labels']> {
  const answer = await client.get({ path: '/gmail/v1/users/me/labels', units: 1 });
  const listed = listSchema.safeParse(answer.body);
  if (listed.success) return listed.data.labels;
  throw new ProviderError('malformed', 'Gmail sent a list of labels that cannot be read.', {
    cause: listed.error,
  });
}
