import { z } from 'zod';
import { ProviderError, type ReadRequest, sinceTime } from '../sdk/index.ts';
import type { FetchResult } from './mail-fetch.ts';
import { isNotFound, unknownLabelError } from './mail-labels.ts';
import { fetchListPage, type ListedMessage } from './mail-list-page.ts';

/** Number of last ids stored with the position, to find it again in a list that has changed. */
const REMEMBERED_IDS = 10;
/** Largest number of messages fetched in advance. */
const MAX_AHEAD = 200;
/** Largest number of consecutive empty pages with a next page. */
const MAX_EMPTY_PAGES = 50;

/** Position in a label's listing: the token of the current page and the last ids taken from it. */
export const positionSchema = z.object({
  pageToken: z.string().nullable(),
  taken: z.array(z.string()),
  ended: z.boolean(),
});
export type Position = z.infer<typeof positionSchema>;

/** Fetches one message; `threadMates` returns the messages of its thread that will be needed too. */
export type FetchMessage = (message: ListedMessage, threadMates: () => string[]) => Promise<FetchResult>;

/** A message id and the result of fetching it. */
export interface FetchedMessage {
  id: string;
  record: FetchResult;
}

interface ListedOnPage extends ListedMessage {
  pageToken: string | null;
}

/**
 * One label's messages, newest first. Prefetches messages while pages are being committed. The position can be stored
 * and resumed, even if messages were added or deleted since.
 */
export class LabelStream {
  readonly #request: ReadRequest;
  readonly #label: string;
  readonly #fetch: FetchMessage;
  #position: Position;
  /** Listed messages whose fetch has not started. */
  #listed: ListedOnPage[] = [];
  /** Messages whose fetch has started or finished. */
  #fetching: (ListedOnPage & { record: Promise<FetchResult> })[] = [];
  /** The next page to list; undefined after the last one. */
  #nextPage: { token: string | null } | undefined;
  #listing: Promise<void> | undefined;
  #emptyPages = 0;
  /** Tokens of the listed pages. */
  readonly #tokens = new Set<string | null>();

  constructor(request: ReadRequest, label: string, fetch: FetchMessage, position?: Position) {
    this.#request = request;
    this.#label = label;
    this.#fetch = fetch;
    this.#position = position ?? { pageToken: null, taken: [], ended: false };
    this.#nextPage = this.#position.ended ? undefined : { token: this.#position.pageToken };
  }

  /** The position after the last taken message. */
  get position(): Position {
    return { ...this.#position, ended: this.#isDrained };
  }

  /** Returns whether the label has messages that are not in `seen`, as far as known without another request. */
  hasUnseen(seen: ReadonlySet<string>): boolean {
    return (
      this.#nextPage !== undefined || [...this.#fetching, ...this.#listed].some(({ id }) => !seen.has(id))
    );
  }

  get #isDrained(): boolean {
    return this.#nextPage === undefined && this.#fetching.length === 0 && this.#listed.length === 0;
  }

  /** Returns the next message without taking it; undefined at the end. Prefetches at most `want` messages. */
  async peek(want: number): Promise<FetchedMessage | undefined> {
    for (;;) {
      this.#fetchAhead(want);
      const head = this.#fetching[0];
      if (head) return { id: head.id, record: await head.record };
      if (this.#isDrained) return undefined;
      await this.#listAhead();
    }
  }

  /** Takes the next message if it has this id. */
  take(id: string): void {
    const head = this.#fetching[0];
    if (head?.id !== id) return;
    this.#fetching.shift();
    const { pageToken, taken } = this.#position;
    const before = pageToken === head.pageToken ? taken : [];
    this.#position = {
      pageToken: head.pageToken,
      taken: [...before, head.id].slice(-REMEMBERED_IDS),
      ended: false,
    };
  }

  /** Starts enough fetches to keep the allowed requests busy; one request may return all messages of a thread. */
  #fetchAhead(want: number): void {
    const maxAhead = Math.min(want, MAX_AHEAD);
    const threads = new Set(this.#fetching.map(({ id, threadId }) => threadId ?? id));
    while (this.#fetching.length < maxAhead && threads.size < this.#request.client.prefetchCount) {
      const next = this.#listed.shift();
      if (!next) break;
      threads.add(next.threadId ?? next.id);
      const record = this.#fetch(next, () => this.#threadMatesOf(next, want - this.#fetching.length));
      record.catch(() => undefined);
      this.#fetching.push({ ...next, record });
    }
    const isLow = this.#listed.length < maxAhead && this.#fetching.length + this.#listed.length < want;
    if (isLow && this.#nextPage) this.#listAhead().catch(() => undefined);
  }

  /** Returns a message and the next listed messages of its thread, up to `want`. */
  #threadMatesOf({ id, threadId }: ListedOnPage, want: number): string[] {
    const mates = this.#listed.slice(0, want - 1).filter((other) => other.threadId === threadId);
    return [id, ...mates.map((mate) => mate.id)];
  }

  #listAhead(): Promise<void> {
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  async #list(): Promise<void> {
    if (!this.#nextPage) return;
    const { token } = this.#nextPage;
    const { messages, nextPageToken } = await this.#fetchList(token);
    const ids = messages.map(({ id }) => id);
    this.#emptyPages = ids.length === 0 ? this.#emptyPages + 1 : 0;
    this.#tokens.add(token);
    const isLoop = ids.length > 0 && nextPageToken !== undefined && this.#tokens.has(nextPageToken);
    if (isLoop || this.#emptyPages > MAX_EMPTY_PAGES) {
      throw new ProviderError(
        'cursor-expired',
        'Gmail’s list of messages repeats its pages endlessly. Try again later.',
      );
    }
    const { pageToken, taken } = this.#position;
    const rememberedIds = pageToken === token ? taken : [];
    const start = Math.max(-1, ...rememberedIds.map((id) => ids.indexOf(id))) + 1;
    for (const message of messages.slice(start)) this.#listed.push({ ...message, pageToken: token });
    this.#nextPage = nextPageToken === undefined ? undefined : { token: nextPageToken };
  }

  #fetchList(pageToken: string | null): ReturnType<typeof fetchListPage> {
    const listing = { label: this.#label, since: sinceTime(this.#request) };
    return fetchListPage(this.#request.client, listing, pageToken ?? undefined).catch((error) => {
      throw this.#explainError(error, pageToken);
    });
  }

  #explainError(error: unknown, pageToken: string | null): unknown {
    if (!isNotFound(error)) return error;
    if (pageToken !== null) {
      return new ProviderError(
        'cursor-expired',
        'Gmail no longer accepts the page token of the sync. Start it again.',
        {
          cause: error,
        },
      );
    }
    return unknownLabelError(this.#label, error);
  }
}
