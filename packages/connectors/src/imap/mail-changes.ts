import {
  type Completion,
  type EstimateRequest,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  sinceTime,
} from '../sdk/index.ts';
import { knownMessages } from './known-messages.ts';
import { PAGE_SIZE } from './mail-fetch.ts';
import { type Cursor, cursorSchema, MessagePages } from './mail-listing.ts';
import type { Changes } from './mail-uids.ts';
import { NOT_NUMBERED } from './numbering.ts';
import type { ImapSession } from './session.ts';

/** An incremental read of a mailbox. */
interface ChangesSince {
  mailbox: string;
  since: Cursor;
}

/**
 * Compares the mailbox with what is stored of it.
 * @returns the changes, and whether nothing is stored
 * @throws ProviderError `cursor-expired` if UIDVALIDITY changed
 */
export async function fetchChanges(
  session: ImapSession,
  request: Pick<EstimateRequest, 'stored' | 'limit' | 'since'>,
  { mailbox, since: { uidValidity, askAgain, older } }: ChangesSince,
): Promise<Changes & { isFirst: boolean }> {
  const isNumbered = (await session.uidValidity(uidValidity)) !== NOT_NUMBERED;
  const known = await knownMessages(request, { mailbox, uidValidity });
  const count = known.uids.length;
  const changes = {
    known,
    askAgain,
    older,
    isFull: count >= request.limit,
    isNumbered,
    since: sinceTime(request),
  };
  return { ...(await session.request({ changes })), isFirst: count === 0 };
}

/**
 * Yields the changes since a cursor. A resumed run finds those that are left.
 * @throws ProviderError `cursor-expired` also if more changed than the limit
 */
export async function* readChanges(
  session: ImapSession,
  request: ReadRequest,
  { mailbox, since }: ChangesSince,
): AsyncGenerator<Page, Completion> {
  const { uidValidity, askAgain, older } = parseSaved(cursorSchema, request.checkpoint) ?? since;
  const { changed, gone, total, isFirst } = await fetchChanges(session, request, {
    mailbox,
    since: { uidValidity, askAgain, older },
  });
  if (changed.length > request.limit)
    throw new ProviderError('cursor-expired', 'More messages changed than a sync may store.');
  const pages = new MessagePages(session, { mailbox, uidValidity }, { askAgain, mustAnswer: isFirst });
  const cursor = () => ({ uidValidity, askAgain: pages.askAgain, older });
  const length = Math.max(1, changed.length, gone.length);
  for (let offset = 0; offset < length; offset += PAGE_SIZE) {
    const page = await pages.read([...changed.subarray(offset, offset + PAGE_SIZE)]);
    const removed = pages.remove([...gone.subarray(offset, offset + PAGE_SIZE)]);
    const counted = request.since === undefined ? { total } : {};
    yield { ...page, removed, checkpoint: cursor(), ...counted };
  }
  return { cursor: cursor(), truncated: false };
}
