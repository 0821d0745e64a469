import { PLAN_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  defineEntity,
  type Page,
  type ReadRequest,
  readSaved,
} from '../sdk/index.ts';
import { readChanges } from './message-changes.ts';
import { estimateMessages, listMessageIds } from './message-estimate.ts';
import { MessageFetcher } from './message-fetcher.ts';
import { type Fetch, type Head, LabelStream, positionSchema } from './message-listing.ts';
import { labelIdsOf, scopeOf } from './message-scope.ts';
import { fetchTotal } from './message-total.ts';
import { currentHistoryId } from './profile.ts';

const PAGE_SIZE = 100;
const cursorSchema = z.object({ historyId: z.string() });
const checkpointSchema = z.object({ historyId: z.string(), positions: z.record(z.string(), positionSchema) });

/** Whether a goes before b: a vanished message first, to be counted; then the newer; of equally new ones the greater id. */
function goesBefore(a: Head, b: Head): boolean {
  const [timeA, timeB] = [a, b].map((head) => head.record?.occurredAt.getTime() ?? Number.POSITIVE_INFINITY);
  if (timeA === timeB) return a.id > b.id;
  return (timeA as number) > (timeB as number);
}

/** The labels' listings merged by date; a message with several labels is fetched once and comes once. */
class MergedListing {
  readonly streams: LabelStream[];
  /** Messages taken. */
  readonly #met = new Set<string>();
  /** Messages being fetched for a label, in case another label lists them too. */
  readonly #fetched = new Map<string, Promise<ConnectorRecord | undefined>>();

  constructor(
    labels: { request: ReadRequest; labelIds: string[]; signal: AbortSignal },
    positions: z.infer<typeof checkpointSchema>['positions'] | undefined,
  ) {
    const { request, labelIds, signal } = labels;
    const fetcher = new MessageFetcher(request, signal);
    const fetch: Fetch = (message, mates) => {
      const { id } = message;
      if (this.#met.has(id)) return Promise.resolve(undefined);
      const isWanted = (mate: string) => !this.#met.has(mate) && !this.#fetched.has(mate);
      const fetched = this.#fetched.get(id) ?? fetcher.get(message, () => mates().filter(isWanted));
      this.#fetched.set(id, fetched);
      return fetched;
    };
    this.streams = labelIds.map((label) => new LabelStream(request, label, fetch, positions?.[label]));
  }

  get holdsMore(): boolean {
    return this.streams.some((stream) => stream.holdsMoreThan(this.#met));
  }

  /** The next message; at most `want` are fetched ahead for each label. */
  async next(want: number): Promise<Head | undefined> {
    for (;;) {
      const heads = await Promise.all(this.streams.map((stream) => stream.peek(want)));
      let first: Head | undefined;
      for (const head of heads) if (head && (!first || goesBefore(head, first))) first = head;
      if (!first) return undefined;
      const isNew = !this.#met.has(first.id);
      this.#met.add(first.id);
      this.#fetched.delete(first.id);
      for (const stream of this.streams) stream.take(first.id);
      if (isNew) return first;
    }
  }
}

/** The messages that carry any of the labels, newest first. */
async function* readAll(request: ReadRequest, labelIds: string[]): AsyncGenerator<Page, Completion> {
  const resumed = readSaved(checkpointSchema, request.checkpoint);
  // Taken before the listing: what changes meanwhile is brought by the next run.
  const historyId = resumed?.historyId ?? (await currentHistoryId(request.client));
  const total = resumed ? undefined : await fetchTotal(request.client, labelIds);
  const abort = new AbortController();
  const listing = new MergedListing({ request, labelIds, signal: abort.signal }, resumed?.positions);
  const positions = () =>
    Object.fromEntries(listing.streams.map((stream, index) => [labelIds[index] as string, stream.position]));
  const pageOf = (records: ConnectorRecord[], skipped: number): Page => ({
    records,
    skipped,
    checkpoint: { historyId, positions: positions() },
    ...(total === undefined ? {} : { total }),
  });

  let records: ConnectorRecord[] = [];
  let skipped = 0;
  let left = request.limit;
  try {
    while (left > 0) {
      const next = await listing.next(left);
      if (!next) break;
      if (!next.record) {
        skipped++;
        continue;
      }
      records.push(next.record);
      left--;
      if (records.length < PAGE_SIZE) continue;
      yield pageOf(records, skipped);
      records = [];
      skipped = 0;
    }
    yield pageOf(records, skipped);
    return { cursor: { historyId }, truncated: left <= 0 && listing.holdsMore };
  } catch (error) {
    // What was read has cost its units: it is kept, and who goes on does so behind it.
    if (records.length + skipped > 0) yield pageOf(records, skipped);
    throw error;
  } finally {
    abort.abort();
  }
}

/** Gmail messages of one or several labels. */
export const gmailMessages = defineEntity({
  id: 'gmail-messages',
  title: 'Messages',
  description:
    '<p>The messages that carry <strong>any</strong> of the chosen labels, newest first, with headers, text and the list of attachments.</p>',
  dependsOn: [{ entity: 'gmail-labels', title: 'Labels' }],
  multi: true,
  limits: PLAN_LIMITS['gmail-messages'],
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
      tip: 'IDs of the labels, separated by commas. You find them in the field "id" of your synchronized labels.',
    },
  ],
  scopeOf,
  async *read(request) {
    const labelIds = labelIdsOf(request.settings);
    const cursor = readSaved(cursorSchema, request.cursor);
    if (cursor) return yield* readChanges(request, labelIds, cursor.historyId);
    return yield* readAll(request, labelIds);
  },
  estimate: (request) =>
    estimateMessages(
      request,
      labelIdsOf(request.settings),
      readSaved(cursorSchema, request.cursor)?.historyId,
    ),
  listIds: ({ client, settings }) => listMessageIds(client, labelIdsOf(settings)),
});
