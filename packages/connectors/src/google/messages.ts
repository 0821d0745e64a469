import { PLAN_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import { datedMail, mailReading, mailSearch } from '../mail/index.ts';
import {
  type Completion,
  type ConnectorRecord,
  defineEntity,
  type Page,
  parseSaved,
  type ReadRequest,
  sinceTime,
} from '../sdk/index.ts';
import { LABEL_IDS_PATTERN, labelScopes } from './label-scopes.ts';
import { cursorSchema, readChanges } from './mail-changes.ts';
import { estimateMessages, listMessageIds } from './mail-estimate.ts';
import { type FetchResult, isUnreadable } from './mail-fetch.ts';
import { MessageFetcher } from './mail-fetcher.ts';
import { fetchGmailFile } from './mail-file.ts';
import { checkLabels } from './mail-labels.ts';
import { type FetchedMessage, type FetchMessage, LabelStream, positionSchema } from './mail-listing.ts';
import { messageColumns } from './mail-record.ts';
import { labelIdsOf, scopeOf } from './mail-scope.ts';
import { addUnreadable, unreadableSchema } from './mail-unreadable.ts';
import { currentHistoryId } from './profile.ts';
import { messageTable } from './tables.ts';
import { messageTemplates } from './templates.ts';

const PAGE_SIZE = 100;
type Unreadable = z.infer<typeof unreadableSchema>;
const checkpointSchema = z.object({
  historyId: z.string(),
  positions: z.record(z.string(), positionSchema),
  unreadable: unreadableSchema,
});

/** Returns when a message was received, ms; Infinity for a deleted one, which comes first so that it is counted. */
function receivedTime({ record }: FetchedMessage): number {
  const known = isUnreadable(record) ? record.minimalRecord : record;
  return (known?.columns.received_at as Date | null | undefined)?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Returns whether `a` is newer than `b`, or equally new with the greater id. */
function isNewer(a: FetchedMessage, b: FetchedMessage): boolean {
  const [timeA, timeB] = [receivedTime(a), receivedTime(b)];
  return timeA === timeB ? a.id > b.id : timeA > timeB;
}

/** Merges the labels' listings by date; a message with several labels is fetched and returned once. */
class MergedListing {
  readonly streams: LabelStream[];
  /** Ids of the messages returned so far. */
  readonly #seen = new Set<string>();
  /** Fetches in progress, shared with other labels that list the same message. */
  readonly #fetched = new Map<string, Promise<FetchResult>>();

  constructor(
    labels: { request: ReadRequest; labelIds: string[]; signal: AbortSignal },
    positions: z.infer<typeof checkpointSchema>['positions'] | undefined,
  ) {
    const { request, labelIds, signal } = labels;
    const fetcher = new MessageFetcher(request, signal);
    const fetch: FetchMessage = (message, mates) => {
      const { id } = message;
      if (this.#seen.has(id)) return Promise.resolve(undefined);
      const isWanted = (mate: string) => !this.#seen.has(mate) && !this.#fetched.has(mate);
      const fetched = this.#fetched.get(id) ?? fetcher.get(message, () => mates().filter(isWanted));
      this.#fetched.set(id, fetched);
      return fetched;
    };
    this.streams = labelIds.map((label) => new LabelStream(request, label, fetch, positions?.[label]));
  }

  get hasMore(): boolean {
    return this.streams.some((stream) => stream.hasUnseen(this.#seen));
  }

  /** Returns the next message; prefetches at most `want` messages per label. */
  async next(want: number): Promise<FetchedMessage | undefined> {
    for (;;) {
      const heads = await Promise.all(this.streams.map((stream) => stream.peek(want)));
      let first: FetchedMessage | undefined;
      for (const head of heads) if (head && (!first || isNewer(head, first))) first = head;
      if (!first) return undefined;
      const isNew = !this.#seen.has(first.id);
      this.#seen.add(first.id);
      this.#fetched.delete(first.id);
      for (const stream of this.streams) stream.take(first.id);
      if (isNew) return first;
    }
  }
}

/** Collects the messages read since the last page. */
class PageCollector {
  /** Unreadable messages of the whole run, which its checkpoints store. */
  readonly unreadable: Unreadable;
  #records: ConnectorRecord[] = [];
  #skipped = 0;
  /** Number of unreadable messages that earlier pages reported. */
  #reportedCount: number;

  constructor(unreadable: Unreadable) {
    this.unreadable = [...unreadable];
    this.#reportedCount = unreadable.length;
  }

  get isEmpty(): boolean {
    return this.#records.length + this.#skipped + this.unreadable.length === this.#reportedCount;
  }

  get isFull(): boolean {
    return this.#records.length >= PAGE_SIZE;
  }

  /** Adds a message. @returns whether it has a record, which counts towards the limit */
  add({ id, record }: FetchedMessage): boolean {
    if (!record) this.#skipped++;
    else if (isUnreadable(record)) addUnreadable(this.unreadable, id, record);
    else return this.#records.push(record) > 0;
    return false;
  }

  /** Returns the collected messages and starts the next page. */
  take(): Pick<Page, 'records' | 'skipped' | 'unreadable'> {
    const page = {
      records: this.#records,
      skipped: this.#skipped,
      unreadable: this.unreadable.slice(this.#reportedCount),
    };
    this.#records = [];
    this.#skipped = 0;
    this.#reportedCount = this.unreadable.length;
    return page;
  }
}

/** Yields the messages with any of the labels, newest first. */
async function* readAll(request: ReadRequest, labelIds: string[]): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  // Read the history id before the listing, so that the next run includes changes made during this one.
  const historyId = resumed?.historyId ?? (await currentHistoryId(request.client));
  const known = resumed ? undefined : await checkLabels(request.client, labelIds);
  const since = sinceTime(request);
  const total = since === undefined ? known : undefined;
  const abort = new AbortController();
  const listing = new MergedListing({ request, labelIds, signal: abort.signal }, resumed?.positions);
  const positions = () =>
    Object.fromEntries(listing.streams.map((stream, index) => [labelIds[index] as string, stream.position]));
  const collector = new PageCollector(resumed?.unreadable ?? []);
  let remaining = request.limit;
  /** Returns the page of messages collected since the last page. */
  const takePage = (): Page => ({
    ...collector.take(),
    checkpoint: { historyId, positions: positions(), unreadable: [...collector.unreadable] },
    ...(total === undefined ? {} : { total }),
  });
  try {
    while (remaining > 0) {
      const next = await listing.next(remaining);
      if (!next) break;
      // Lists have whole seconds, so that the first one may be too early.
      if (since !== undefined && receivedTime(next) < since) continue;
      if (collector.add(next)) remaining--;
      if (collector.isFull) yield takePage();
    }
    yield takePage();
    const { unreadable } = collector;
    return { cursor: { historyId, unreadable }, truncated: remaining <= 0 && listing.hasMore };
  } catch (error) {
    // Keep the messages already read, which cost quota; the next attempt continues after them.
    if (!collector.isEmpty) yield takePage();
    throw error;
  } finally {
    abort.abort();
  }
}

/** Returns the address of a message in Gmail, in the account that the browser uses first. */
function urlOf(id: string): string | null {
  return /^[0-9A-Za-z_-]{1,100}$/.test(id) ? `https://mail.google.com/mail/#all/${id}` : null;
}

/** The entity of Gmail messages with one or several labels. */
export const gmailMessages = defineEntity({
  id: 'gmail-messages',
  title: 'Messages',
  description:
    '<p>The messages that carry <strong>any</strong> of the chosen labels, newest first, with headers, text and the list of attachments.</p>',
  dependsOn: [{ entity: 'gmail-labels', title: 'Labels' }],
  idLists: { labelIds: 'gmail-labels' },
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
      pattern: LABEL_IDS_PATTERN,
      placeholder: 'E.g. CHAT,SENT,Label123',
      errorText: 'Please enter a valid label ID',
      tip: 'IDs of the labels, separated by commas. Once your labels are synchronized, you can choose them by name.',
    },
  ],
  scopeOf,
  scopes: labelScopes,
  table: messageTable,
  templates: messageTemplates,
  search: mailSearch({
    labels: 'r.labels',
    starred: "'STARRED' = any(r.labels)",
    important: "'IMPORTANT' = any(r.labels)",
    conversation: { ids: 'array[r.thread]', copyId: 'null' },
  }),
  reading: mailReading({ labels: 'labelIds', urlOf }),
  isMail: true,
  extraction: 3,
  convert: (document) => datedMail(document, messageColumns),
  async *read(request) {
    const labelIds = labelIdsOf(request.settings);
    const cursor = parseSaved(cursorSchema, request.cursor);
    if (cursor) return yield* readChanges(request, labelIds, cursor);
    return yield* readAll(request, labelIds);
  },
  estimate: (request) =>
    estimateMessages(request, labelIdsOf(request.settings), parseSaved(cursorSchema, request.cursor)),
  listIds: (request) => listMessageIds(request, labelIdsOf(request.settings)),
  fetchAttachment: fetchGmailFile,
});

/** The messages of a stand-in for Gmail, which have no address that a browser may open. */
export const standInMessages = () => ({
  ...gmailMessages,
  reading: mailReading({ labels: 'labelIds', urlOf: () => null }),
});
