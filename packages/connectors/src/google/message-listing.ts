import { z } from 'zod';
import { ProviderError, type ReadRequest } from '../sdk/index.ts';
import type { Fetched } from './message-fetch.ts';
import { isUnknown, unknownLabel } from './message-labels.ts';
import { fetchListPage, type ListedMessage } from './message-list-page.ts';

/** Ids behind the position that are remembered, to find it again in a list that changed meanwhile. */
const TRAIL = 10;
/** Messages that are held ahead of their turn at most. */
const MAX_AHEAD = 200;
/** Empty pages in a row that name a next one. */
const MAX_EMPTIES = 50;

/** Where a label's listing stands: the token of its current page and the last ids of it that were taken. */
export const positionSchema = z.object({
  pageToken: z.string().nullable(),
  taken: z.array(z.string()),
  ended: z.boolean(),
});
export type Position = z.infer<typeof positionSchema>;

/** Reads one message, whose thread's messages will be wanted too. */
export type Fetch = (message: ListedMessage, mates: () => string[]) => Promise<Fetched>;

export interface Head {
  id: string;
  record: Fetched;
}

interface Listed extends ListedMessage {
  pageToken: string | null;
}

/**
 * One label's messages, newest first. Messages are fetched ahead of their turn, so that requests go on while pages
 * are committed; the position can be saved and taken up again, even when messages came or went meanwhile.
 */
export class LabelStream {
  readonly #request: ReadRequest;
  readonly #label: string;
  readonly #fetch: Fetch;
  #position: Position;
  /** Listed, not yet being fetched. */
  #listed: Listed[] = [];
  /** Being fetched, or fetched. */
  #ahead: (Listed & { record: Promise<Fetched> })[] = [];
  /** The page to list next; undefined after the last one. */
  #next: { token: string | null } | undefined;
  #listing: Promise<void> | undefined;
  #empties = 0;
  /** Tokens of the pages listed. */
  readonly #tokens = new Set<string | null>();

  constructor(request: ReadRequest, label: string, fetch: Fetch, position?: Position) {
    this.#request = request;
    this.#label = label;
    this.#fetch = fetch;
    this.#position = position ?? { pageToken: null, taken: [], ended: false };
    this.#next = this.#position.ended ? undefined : { token: this.#position.pageToken };
  }

  /** The position after what was taken. */
  get position(): Position {
    return { ...this.#position, ended: this.#isDrained };
  }

  /** Whether the label holds more than the messages met, as far as is known without another request. */
  holdsMoreThan(met: ReadonlySet<string>): boolean {
    return this.#next !== undefined || [...this.#ahead, ...this.#listed].some(({ id }) => !met.has(id));
  }

  get #isDrained(): boolean {
    return this.#next === undefined && this.#ahead.length === 0 && this.#listed.length === 0;
  }

  /** The next message without taking it; undefined at the end. At most `want` are fetched ahead. */
  async peek(want: number): Promise<Head | undefined> {
    for (;;) {
      this.#fetchAhead(want);
      const head = this.#ahead[0];
      if (head) return { id: head.id, record: await head.record };
      if (this.#isDrained) return undefined;
      await this.#listAhead();
    }
  }

  /** Takes the head if it is this message. */
  take(id: string): void {
    const head = this.#ahead[0];
    if (head?.id !== id) return;
    this.#ahead.shift();
    const { pageToken, taken } = this.#position;
    const before = pageToken === head.pageToken ? taken : [];
    this.#position = {
      pageToken: head.pageToken,
      taken: [...before, head.id].slice(-TRAIL),
      ended: false,
    };
  }

  /** As many as keep the requests going: the messages of a thread may come by one request. */
  #fetchAhead(want: number): void {
    const width = Math.min(want, MAX_AHEAD);
    const threads = new Set(this.#ahead.map(({ id, threadId }) => threadId ?? id));
    while (this.#ahead.length < width && threads.size < this.#request.client.prefetchCount) {
      const next = this.#listed.shift();
      if (!next) break;
      threads.add(next.threadId ?? next.id);
      const record = this.#fetch(next, () => this.#matesOf(next, want - this.#ahead.length));
      record.catch(() => undefined);
      this.#ahead.push({ ...next, record });
    }
    const isLow = this.#listed.length < width && this.#ahead.length + this.#listed.length < want;
    if (isLow && this.#next) this.#listAhead().catch(() => undefined);
  }

  /** A message and those behind it in the list that are of its thread, as far as they are wanted. */
  #matesOf({ id, threadId }: Listed, want: number): string[] {
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
    if (!this.#next) return;
    const { token } = this.#next;
    const { messages, nextPageToken } = await this.#fetchList(token);
    const ids = messages.map(({ id }) => id);
    this.#empties = ids.length === 0 ? this.#empties + 1 : 0;
    this.#tokens.add(token);
    const isLoop = ids.length > 0 && nextPageToken !== undefined && this.#tokens.has(nextPageToken);
    if (isLoop || this.#empties > MAX_EMPTIES) {
      throw new ProviderError(
        'cursor-expired',
        'Gmail’s list of messages leads in a circle. Try again later.',
      );
    }
    const { pageToken, taken } = this.#position;
    const trail = pageToken === token ? taken : [];
    const start = Math.max(-1, ...trail.map((id) => ids.indexOf(id))) + 1;
    for (const message of messages.slice(start)) this.#listed.push({ ...message, pageToken: token });
    this.#next = nextPageToken === undefined ? undefined : { token: nextPageToken };
  }

  #fetchList(pageToken: string | null): ReturnType<typeof fetchListPage> {
    return fetchListPage(this.#request.client, this.#label, pageToken ?? undefined).catch((error) => {
      throw this.#explain(error, pageToken);
    });
  }

  #explain(error: unknown, pageToken: string | null): unknown {
    if (!isUnknown(error)) return error;
    if (pageToken !== null) {
      return new ProviderError(
        'cursor-expired',
        'Gmail no longer knows the page where the sync stood. Start it again.',
        {
          cause: error,
        },
      );
    }
    return unknownLabel(this.#label, error);
  }
}
