import { z } from 'zod';
import { type Completion, type Page, parseSaved, type ReadRequest } from '../sdk/index.ts';
import { ASK_AGAIN, KnownMessages, savedMessagesSchema, WITHOUT_FLAGS } from './known-messages.ts';
import { type MailboxRef, recordId } from './mail-columns.ts';
import { fetchRecords, PAGE_SIZE } from './mail-fetch.ts';
import { LIST_WIDTH, type ListedMessage, type MessageList, newestFirst } from './mail-uids.ts';
import { NOT_NUMBERED } from './numbering.ts';
import type { ImapSession } from './session.ts';
import { writeUidSet } from './uid-set.ts';

/** Start of the next incremental run. */
export const cursorSchema = z.object({
  uidValidity: z.string(),
  /** The stored messages with the fingerprints of their flags. */
  known: savedMessagesSchema,
  /** UID set of messages beyond the limit, which are not new. */
  older: z.string(),
});
export type Cursor = z.infer<typeof cursorSchema>;

const checkpointSchema = cursorSchema.omit({ older: true }).extend({
  /** The last message yielded. */
  after: z.object({ time: z.number(), uid: z.number().int() }).nullable(),
});

type Listed = ListedMessage & { fingerprint: string };

/** Returns the messages from index `from` to before index `to` of the list. */
export function messagesBetween(
  { remaining, fingerprints }: MessageList,
  from: number,
  to: number,
): Listed[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const at = LIST_WIDTH * (from + index);
    const [uid = 0, time = 0, fingerprint = -1] = remaining.subarray(at, at + LIST_WIDTH);
    return { uid, time, fingerprint: fingerprints[fingerprint] ?? WITHOUT_FLAGS };
  });
}

/** Reads listed messages and updates what is known. @returns the page without its checkpoint */
export async function readListed(
  session: ImapSession,
  listed: readonly Omit<Listed, 'time'>[],
  { mailboxRef, known }: { mailboxRef: MailboxRef; known: KnownMessages },
): Promise<Pick<Page, 'records' | 'unreadable'>> {
  const uids = listed.map(({ uid }) => uid);
  const mustAnswer = known.size === 0;
  const { records, askAgain } = await fetchRecords(session, { uids, mailboxRef, mustAnswer });
  for (const { uid, fingerprint } of listed) known.set(uid, askAgain.has(uid) ? ASK_AGAIN : fingerprint);
  return {
    records: uids.flatMap((uid) => records.get(uid) ?? []),
    unreadable: uids.filter((uid) => !records.has(uid)).map((uid) => recordId(mailboxRef, uid)),
  };
}

/** Returns the listed messages from an index on that come after the last yielded one; newer ones have just arrived. */
function olderThan(list: MessageList, from: number, after: ListedMessage | null): string {
  const excess = messagesBetween(list, from, list.remaining.length / LIST_WIDTH);
  return writeUidSet(
    excess.filter((message) => after === null || newestFirst(message, after) > 0).map(({ uid }) => uid),
  );
}

/**
 * Yields the mailbox up to the request's limit, newest first, without what the checkpoint knows. The next run yields
 * messages that arrive during this one. @throws ProviderError `cursor-expired` when the mailbox was renumbered
 */
export async function* readAll(
  session: ImapSession,
  request: ReadRequest,
  mailbox: string,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const uidValidity = await session.uidValidity(resumed?.uidValidity);
  const known = new KnownMessages(resumed?.known);
  let after = resumed?.after ?? null;
  const isNumbered = uidValidity !== NOT_NUMBERED;
  const list = await session.request({ list: { known: known.save(), isNumbered } });
  const count = list.remaining.length / LIST_WIDTH;
  const fetchCount = Math.min(count, request.limit);
  for (let offset = 0; offset < Math.max(1, fetchCount); offset += PAGE_SIZE) {
    const chunk = messagesBetween(list, offset, Math.min(fetchCount, offset + PAGE_SIZE));
    const page = await readListed(session, chunk, { mailboxRef: { mailbox, uidValidity }, known });
    const last = chunk.at(-1);
    if (last && (after === null || newestFirst(last, after) > 0)) after = { time: last.time, uid: last.uid };
    const counted = resumed || offset > 0 ? {} : { total: list.total };
    yield { ...page, checkpoint: { uidValidity, known: known.save(), after }, ...counted };
  }
  const older = olderThan(list, fetchCount, after);
  return {
    cursor: { uidValidity, known: known.save(), older },
    truncated: older !== '',
    ...(list.isComplete ? {} : { isListPartial: true as const }),
  };
}
