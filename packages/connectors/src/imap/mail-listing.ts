import { z } from 'zod';
import { type Completion, type Page, parseSaved, type ReadRequest, sinceTime } from '../sdk/index.ts';
import { type MailboxRef, recordId } from './mail-columns.ts';
import { fetchRecords, PAGE_SIZE } from './mail-fetch.ts';
import { LIST_WIDTH, type ListedMessage, type MessageList } from './mail-uids.ts';
import type { ImapSession } from './session.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

/** What cursors and checkpoints have in common. */
const savedSchema = z.object({
  uidValidity: z.string(),
  /** UID set of messages whose content the server did not send. */
  askAgain: z.string().optional(),
  /** Earlier versions saved all messages by the fingerprints of their flags; '' stood for those to ask for again. */
  known: z.object({ '': z.string().optional() }).optional(),
});

function withAskAgain<T extends z.infer<typeof savedSchema>>({ known, ...saved }: T) {
  return { ...saved, askAgain: saved.askAgain ?? known?.[''] ?? '' };
}

/** Start of the next incremental run. */
export const cursorSchema = savedSchema
  .extend({
    /** UID set of messages beyond the limit, which are not new. */
    older: z.string(),
  })
  .transform(withAskAgain);
export type Cursor = z.infer<typeof cursorSchema>;

const checkpointSchema = savedSchema
  .extend({
    /** The last message yielded. */
    after: z.object({ time: z.number(), uid: z.number().int() }).nullable(),
  })
  .transform(withAskAgain);

/** Returns the messages from index `from` to before index `to` of the list. */
export function messagesBetween({ remaining }: MessageList, from: number, to: number): ListedMessage[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const at = LIST_WIDTH * (from + index);
    const [uid = 0, time = 0] = remaining.subarray(at, at + LIST_WIDTH);
    return { uid, time };
  });
}

/** Reads listed messages of a mailbox page by page. */
export class MessagePages {
  readonly #session: ImapSession;
  readonly #mailboxRef: MailboxRef;
  /** Whether a server that refuses all messages of the next page is an error. */
  #mustAnswer: boolean;
  readonly #askAgain: Set<number>;

  /**
   * @param state.askAgain UID set of messages to ask for again
   * @param state.mustAnswer whether a server that refuses all messages of the first page is an error
   */
  constructor(
    session: ImapSession,
    mailboxRef: MailboxRef,
    state: { askAgain: string; mustAnswer: boolean },
  ) {
    this.#session = session;
    this.#mailboxRef = mailboxRef;
    this.#mustAnswer = state.mustAnswer;
    this.#askAgain = new Set(readUidSet(state.askAgain));
  }

  /** UID set of messages whose content the server has not sent. */
  get askAgain(): string {
    return writeUidSet(this.#askAgain);
  }

  /** Reads messages. @returns the page without its checkpoint */
  async read(uids: readonly number[]): Promise<Pick<Page, 'records' | 'unreadable'>> {
    const mailboxRef = this.#mailboxRef;
    const { records, askAgain } = await fetchRecords(this.#session, {
      uids,
      mailboxRef,
      mustAnswer: this.#mustAnswer,
    });
    this.#mustAnswer &&= uids.length === 0;
    for (const uid of uids) this.#askAgain.delete(uid);
    for (const uid of askAgain) this.#askAgain.add(uid);
    return {
      records: uids.flatMap((uid) => records.get(uid) ?? []),
      unreadable: uids.filter((uid) => !records.has(uid)).map((uid) => recordId(mailboxRef, uid)),
    };
  }

  /** Notes that messages no longer exist. @returns their record ids */
  remove(uids: readonly number[]): string[] {
    for (const uid of uids) this.#askAgain.delete(uid);
    return uids.map((uid) => recordId(this.#mailboxRef, uid));
  }
}

/**
 * Yields the mailbox up to the request's limit, newest first, from the checkpoint on. The next run yields messages that
 * arrive during this one. @throws ProviderError `cursor-expired` when the mailbox was renumbered
 */
export async function* readAll(
  session: ImapSession,
  request: ReadRequest,
  mailbox: string,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const uidValidity = await session.uidValidity(resumed?.uidValidity);
  let after = resumed?.after ?? null;
  const list = await session.request({ list: { after, since: sinceTime(request) } });
  const count = list.remaining.length / LIST_WIDTH;
  const fetchCount = Math.min(count, request.limit);
  const pages = new MessagePages(
    session,
    { mailbox, uidValidity },
    { askAgain: resumed?.askAgain ?? '', mustAnswer: after === null },
  );
  for (let offset = 0; offset < Math.max(1, fetchCount); offset += PAGE_SIZE) {
    const listed = messagesBetween(list, offset, Math.min(fetchCount, offset + PAGE_SIZE));
    const page = await pages.read(listed.map(({ uid }) => uid));
    after = listed.at(-1) ?? after;
    const counted = resumed || offset > 0 ? {} : { total: list.total };
    yield {
      ...page,
      checkpoint: { uidValidity, askAgain: pages.askAgain, after: after && { ...after } },
      ...counted,
    };
  }
  const older = writeUidSet(messagesBetween(list, fetchCount, count).map(({ uid }) => uid));
  return {
    cursor: { uidValidity, askAgain: pages.askAgain, older },
    truncated: older !== '',
    ...(list.isComplete ? {} : { isListPartial: true as const }),
  };
}
