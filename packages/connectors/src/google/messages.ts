import { PLAN_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  defineEntity,
  type Page,
  parseSaved,
  type ReadRequest,
} from '../sdk/index.ts';
import { cursorSchema, readChanges } from './message-changes.ts';
import { estimateMessages, listMessageIds } from './message-estimate.ts';
import { type Fetched, isUnreadable } from './message-fetch.ts';
import { MessageFetcher } from './message-fetcher.ts';
import { checkLabels } from './message-labels.ts';
import { type Fetch, type Head, LabelStream, positionSchema } from './message-listing.ts';
import { messageColumns } from './message-record.ts';
import { labelIdsOf, scopeOf } from './message-scope.ts';
import { noteUnreadable, unreadableSchema } from './message-unreadable.ts';
import { currentHistoryId } from './profile.ts';
import { messageTable } from './tables.ts';
import { messageTemplates } from './templates.ts';

const PAGE_SIZE = 100;
const checkpointSchema = z.object({
  historyId: z.string(),
  positions: z.record(z.string(), positionSchema),
  unreadable: unreadableSchema,
});

/** When a message came, ms; a vanished one goes before all others, to be counted. */
function timeOf({ record }: Head): number {
  const known = isUnreadable(record) ? record.outline : record;
  return known?.occurredAt.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Whether a goes before b: the newer; of equally new ones the greater id. */
function goesBefore(a: Head, b: Head): boolean {
  const [timeA, timeB] = [timeOf(a), timeOf(b)];
  return timeA === timeB ? a.id > b.id : timeA > timeB;
}

/** The labels' listings merged by date; a message with several labels is fetched once and comes once. */
class MergedListing {
  readonly streams: LabelStream[];
  /** Messages taken. */
  readonly #met = new Set<string>();
  /** Messages being fetched for a label, in case another label lists them too. */
  readonly #fetched = new Map<string, Promise<Fetched>>();

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
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  // Taken before the listing: what changes meanwhile is brought by the next run.
  const historyId = resumed?.historyId ?? (await currentHistoryId(request.client));
  const total = resumed ? undefined : await checkLabels(request.client, labelIds);
  const abort = new AbortController();
  const listing = new MergedListing({ request, labelIds, signal: abort.signal }, resumed?.positions);
  const positions = () =>
    Object.fromEntries(listing.streams.map((stream, index) => [labelIds[index] as string, stream.position]));
  const unreadable = [...(resumed?.unreadable ?? [])];
  let told = unreadable.length;
  let records: ConnectorRecord[] = [];
  let skipped = 0;
  let left = request.limit;
  /** What was taken since the last page. */
  const takePage = (): Page => {
    const page = {
      records,
      skipped,
      unreadable: unreadable.slice(told),
      checkpoint: { historyId, positions: positions(), unreadable: [...unreadable] },
      ...(total === undefined ? {} : { total }),
    };
    records = [];
    skipped = 0;
    told = unreadable.length;
    return page;
  };
  try {
    while (left > 0) {
      const next = await listing.next(left);
      if (!next) break;
      if (!next.record) {
        skipped++;
        continue;
      }
      if (isUnreadable(next.record)) {
        noteUnreadable(unreadable, next.id, next.record);
        continue;
      }
      records.push(next.record);
      left--;
      if (records.length >= PAGE_SIZE) yield takePage();
    }
    yield takePage();
    return { cursor: { historyId, unreadable }, truncated: left <= 0 && listing.holdsMore };
  } catch (error) {
    // What was read has cost its units: it is kept, and who goes on does so behind it.
    if (records.length + skipped + unreadable.length - told > 0) yield takePage();
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
      // At most 100 labels of at most 100 characters.
      pattern: '[A-Za-z0-9_]{1,100}(,[A-Za-z0-9_]{1,100}){0,99}',
      placeholder: 'E.g. CHAT,SENT,Label123',
      errorText: 'Please enter a valid label ID',
      tip: 'IDs of the labels, separated by commas. You find them in the field "id" of your synchronized labels.',
    },
  ],
  scopeOf,
  table: messageTable,
  templates: messageTemplates,
  extraction: 1,
  convert: (document) => ({ data: document, columns: messageColumns(document) }),
  async *read(request) {
    const labelIds = labelIdsOf(request.settings);
    const cursor = parseSaved(cursorSchema, request.cursor);
    if (cursor) return yield* readChanges(request, labelIds, cursor);
    return yield* readAll(request, labelIds);
  },
  estimate: (request) =>
    estimateMessages(request, labelIdsOf(request.settings), parseSaved(cursorSchema, request.cursor)),
  listIds: ({ client, settings }) => listMessageIds(client, labelIdsOf(settings)),
});
