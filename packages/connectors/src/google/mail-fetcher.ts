import type { ConnectorRecord, ReadRequest } from '../sdk/index.ts';
import { type FetchResult, fetchMessage, fetchThread } from './mail-fetch.ts';
import type { ListedMessage } from './mail-list-page.ts';

/** A thread costs the quota of two messages, so it is cheaper from this many messages on. */
const MIN_MESSAGES_PER_THREAD = 3;

interface Thread {
  messages: Promise<Map<string, ConnectorRecord>>;
  /** Messages still to be requested; after the last one the thread is dropped from the cache. */
  wanted: Set<string>;
}

/** Fetches messages at the lowest quota cost: singly, or a whole thread when several of its messages are needed. */
export class MessageFetcher {
  readonly #request: ReadRequest;
  readonly #signal: AbortSignal;
  readonly #threads = new Map<string, Thread>();

  constructor(request: ReadRequest, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  /**
   * Fetches one message.
   * @param threadMates returns the messages of its thread that will be requested soon, including itself
   */
  async get({ id, threadId }: ListedMessage, threadMates: () => string[]): Promise<FetchResult> {
    const thread = threadId === undefined ? undefined : this.#fetchThreadOf(threadId, threadMates);
    const found = await thread?.messages;
    if (thread) {
      thread.wanted.delete(id);
      if (thread.wanted.size === 0) this.#threads.delete(threadId as string);
    }
    // A message missing from the thread may have moved to another one.
    return found?.get(id) ?? fetchMessage(this.#request, id, this.#signal);
  }

  #fetchThreadOf(threadId: string, threadMates: () => string[]): Thread | undefined {
    const known = this.#threads.get(threadId);
    if (known) return known;
    const wanted = new Set(threadMates());
    if (wanted.size < MIN_MESSAGES_PER_THREAD) return undefined;
    const thread = { messages: fetchThread(this.#request, threadId, this.#signal), wanted };
    this.#threads.set(threadId, thread);
    return thread;
  }
}
