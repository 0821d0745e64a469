import { type ConnectorRecord, ProviderError, receiveRecords } from '../sdk/index.ts';
import { MESSAGES } from './classify.ts';
import type { MailboxRef } from './mail-columns.ts';
import type { ReadMessages } from './mail-read.ts';
import { ConnectionEndedError, type ImapSession } from './session.ts';

/** Messages per request and per page. */
export const PAGE_SIZE = 100;

/** Returns whether the server refused the request or its response could not be read, so that a smaller one may succeed. */
function isRefusedOrUnreadable(error: unknown): boolean {
  return error instanceof ProviderError && (error.failure === 'invalid' || error.failure === 'malformed');
}

/** Messages to read. */
export interface FetchRequest {
  uids: readonly number[];
  mailboxRef: MailboxRef;
  /** Whether a server that refuses all of the messages is an error. */
  mustAnswer: boolean;
}

/** Times that the server may end the connection instead of sending the messages of one request. */
const MAX_LOSSES = 2;
/** Ended connections in a row after which not one message but the server is at fault: a page is halved seven times. */
const MAX_ENDED = 8;

/**
 * Reads messages by UID. One unreadable message makes the whole request fail or ends the connection, so a failed request is
 * bisected; a message that fails by itself is read without its source.
 */
class BisectingReader {
  readonly #session: ImapSession;
  readonly #request: Omit<FetchRequest, 'uids'>;
  #ended = 0;

  constructor(session: ImapSession, request: Omit<FetchRequest, 'uids'>) {
    this.#session = session;
    this.#request = request;
  }

  /** @throws ProviderError if a message cannot be read without its source either, or every content ends the connection */
  async read(uids: readonly number[]): Promise<ReadMessages[]> {
    let isEnded = false;
    try {
      const read = await this.#send(uids, false);
      this.#ended = 0;
      return [read];
    } catch (error) {
      isEnded = error instanceof ConnectionEndedError;
      if (isEnded && ++this.#ended > MAX_ENDED) throw new ProviderError('unavailable', MESSAGES.temporary);
      if (!isRefusedOrUnreadable(error)) throw error;
    }
    if (uids.length === 1) {
      const read = await this.#send(uids, true);
      // The server may have restarted for another reason, so the next run asks for the content again.
      return [isEnded ? { ...read, withoutContent: read.uids } : read];
    }
    const middle = Math.ceil(uids.length / 2);
    const first = await this.read(uids.slice(0, middle));
    return [...first, ...(await this.read(uids.slice(middle)))];
  }

  #send(uids: readonly number[], withoutSource: boolean): Promise<ReadMessages> {
    return this.#session.request(
      { messages: { ...this.#request, uids, withoutSource } },
      withoutSource ? undefined : MAX_LOSSES,
    );
  }
}

/** Records by UID. */
export interface FetchedRecords {
  records: Map<number, ConnectorRecord>;
  /** UIDs whose content, or all of it, the server did not send; the next run must ask again. */
  askAgain: Set<number>;
}

/** Returns the records of messages, without those that the server does not send. @throws ProviderError */
export async function fetchRecords(session: ImapSession, request: FetchRequest): Promise<FetchedRecords> {
  const { uids } = request;
  const read = uids.length === 0 ? [] : await new BisectingReader(session, request).read(uids);
  const records = new Map(
    read.flatMap((part) =>
      receiveRecords(part.records).map((record, index) => [part.uids[index] ?? 0, record] as const),
    ),
  );
  const withoutContent = read.flatMap((part) => part.withoutContent);
  const askAgain = new Set([...uids.filter((uid) => !records.has(uid)), ...withoutContent]);
  return { records, askAgain };
}
