import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  defineEntity,
  type Page,
  ProviderError,
  type ReadRequest,
} from '../sdk/index.ts';
import { readChanges } from './message-changes.ts';
import { LabelStream, positionSchema } from './message-listing.ts';

const PAGE_SIZE = 100;
const cursorSchema = z.object({ historyId: z.string() });
const checkpointSchema = z.object({ historyId: z.string(), positions: z.record(z.string(), positionSchema) });
const profileSchema = z.object({ historyId: z.string() });

/** 'SENT, INBOX,SENT' -> ['INBOX', 'SENT']: equal sets are one scope. */
export function labelIdsOf(settings: Readonly<Record<string, string>>): string[] {
  const ids = (settings.labelIds ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids.filter(Boolean))].sort();
}

async function currentHistoryId(request: ReadRequest): Promise<string> {
  const answer = await request.client.get({ path: '/gmail/v1/users/me/profile', units: 1 });
  const profile = profileSchema.safeParse(answer.body);
  if (!profile.success)
    throw new ProviderError('malformed', 'Gmail sent a profile that cannot be read.', {
      cause: profile.error,
    });
  return profile.data.historyId;
}

/** The stream whose next message is the newest; a vanished message goes first, to be counted. */
async function newestOf(
  streams: LabelStream[],
  want: number,
): Promise<{ stream: LabelStream; id: string; record: ConnectorRecord | undefined } | undefined> {
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, head: await stream.peek(want) })));
  let newest: { stream: LabelStream; id: string; record: ConnectorRecord | undefined } | undefined;
  for (const { stream, head } of heads) {
    if (!head) continue;
    const time = head.record?.occurredAt.getTime() ?? Number.POSITIVE_INFINITY;
    if (!newest || time > (newest.record?.occurredAt.getTime() ?? Number.POSITIVE_INFINITY))
      newest = { stream, ...head };
  }
  return newest;
}

/** The messages that carry any of the labels, newest first: the labels' listings are merged by date. */
async function* readAll(request: ReadRequest, labelIds: string[]): AsyncGenerator<Page, Completion> {
  const resumed = checkpointSchema.nullable().parse(request.checkpoint);
  // Taken before the listing: what changes meanwhile is brought by the next run.
  const historyId = resumed?.historyId ?? (await currentHistoryId(request));
  const streams = labelIds.map((label) => new LabelStream(request, label, resumed?.positions[label]));
  const met = new Set<string>();
  const checkpoint = () => ({
    historyId,
    positions: Object.fromEntries(
      streams.map((stream, index) => [labelIds[index] as string, stream.position]),
    ),
  });

  let page: Page = { records: [], checkpoint: null, skipped: 0 };
  let left = request.limit;
  while (left > 0) {
    const next = await newestOf(streams, left);
    if (!next) break;
    next.stream.take();
    if (met.has(next.id)) continue;
    met.add(next.id);
    if (next.record) {
      page.records.push(next.record);
      left--;
    } else page.skipped = (page.skipped ?? 0) + 1;
    if (page.records.length >= PAGE_SIZE) {
      yield { ...page, checkpoint: checkpoint(), ...totalOf(streams) };
      page = { records: [], checkpoint: null, skipped: 0 };
    }
  }
  yield { ...page, checkpoint: checkpoint(), ...totalOf(streams) };
  return { cursor: { historyId }, truncated: left <= 0 && streams.some((stream) => stream.mayHoldMore) };
}

/** Gmail only estimates, and labels overlap: a total is told for a single label alone. */
function totalOf(streams: LabelStream[]): { total?: number } {
  const estimate = streams.length === 1 ? streams[0]?.estimate : undefined;
  return estimate === undefined ? {} : { total: estimate };
}

/** Gmail messages of one or several labels. */
export const gmailMessages = defineEntity({
  id: 'gmail-messages',
  title: 'Messages',
  description:
    '<p>The messages that carry <strong>any</strong> of the chosen labels, newest first, with headers, text and the list of attachments.</p>',
  dependsOn: [{ entity: 'gmail-labels', title: 'Labels' }],
  multi: true,
  settings: [
    {
      id: 'gmail-messages-label-ids',
      propKey: 'labelIds',
      label: 'Label IDs',
      type: 'text',
      required: true,
      disabled: false,
      isChecked: false,
      defaultValue: 'INBOX',
      pattern: '[A-Za-z0-9_]+(,[A-Za-z0-9_]+)*',
      placeholder: 'E.g. CHAT,SENT,Label123',
      errorText: 'Please enter a valid label ID',
      tip: 'IDs of the labels, separated by commas. You find them in the field "id" of your synchronised labels.',
    },
  ],
  scopeOf: (settings) => labelIdsOf(settings).join(','),
  async *read(request) {
    const labelIds = labelIdsOf(request.settings);
    const cursor = cursorSchema.nullable().parse(request.cursor);
    if (cursor) return yield* readChanges(request, labelIds, cursor.historyId);
    return yield* readAll(request, labelIds);
  },
});
