import type { ConnectorRecord, ReadRequest } from '../sdk/index.ts';
import { type Fetched, fetchMessage, fetchThread } from './message-fetch.ts';
import type { ListedMessage } from './message-list-page.ts';

/** A thread costs two messages: from so many wanted ones on it is cheaper. */
const WORTH_A_THREAD = 3;

interface Thread {
  messages: Promise<Map<string, ConnectorRecord>>;
  /** Those wanted of it that nobody asked for yet: after the last one it is let go. */
  wanted: Set<string>;
}

/** Reads messages at the least cost: one by one, or a whole thread where several of its messages are wanted. */
export class MessageFetcher {
  readonly #request: ReadRequest;
  readonly #signal: AbortSignal;
  readonly #threads = new Map<string, Thread>();

  constructor(request: ReadRequest, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  /**
   * One message.
   * @param mates the messages of its thread that will be asked for soon, itself among them
   */
  async get({ id, threadId }: ListedMessage, mates: () => string[]): Promise<Fetched> {
    const thread = threadId === undefined ? undefined : this.#threadOf(threadId, mates);
    const found = await thread?.messages;
    if (thread) {
      thread.wanted.delete(id);
      if (thread.wanted.size === 0) this.#threads.delete(threadId as string);
    }
    // One that the thread does not show may have left it for another.
    return found?.get(id) ?? fetchMessage(this.#request, id, this.#signal);
  }

  #threadOf(threadId: string, mates: () => string[]): Thread | undefined {
    const known = this.#threads.get(threadId);
    if (known) return known;
    const wanted = new Set(mates());
    if (wanted.size < WORTH_A_THREAD) return undefined;
    const thread = { messages: fetchThread(this.#request, threadId, this.#signal), wanted };
    this.#threads.set(threadId, thread);
    return thread;
  }
}
