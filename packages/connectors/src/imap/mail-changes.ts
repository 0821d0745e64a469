import { type Completion, type Page, ProviderError, parseSaved, type ReadRequest } from '../sdk/index.ts';
import { KnownMessages, WITHOUT_FLAGS } from './known-messages.ts';
import { recordId } from './mail-columns.ts';
import { PAGE_SIZE } from './mail-fetch.ts';
import { type Cursor, cursorSchema, readListed } from './mail-listing.ts';
import type { Changes } from './mail-uids.ts';
import { NOT_NUMBERED } from './numbering.ts';
import type { ImapSession } from './session.ts';

/** Requests the changes since a cursor. @throws ProviderError `cursor-expired` if UIDVALIDITY changed */
export async function fetchChanges(session: ImapSession, since: Cursor): Promise<Changes> {
  const { known, older } = since;
  const isNumbered = (await session.uidValidity(since.uidValidity)) !== NOT_NUMBERED;
  return session.request({ changes: { known, older, isNumbered } });
}

/**
 * Yields the changes since a cursor. A checkpoint is the cursor after its page, so a resumed run lists again what is left.
 * @throws ProviderError `cursor-expired` also if more changed than the limit
 */
export async function* readChanges(
  session: ImapSession,
  request: ReadRequest,
  { mailbox, since }: { mailbox: string; since: Cursor },
): AsyncGenerator<Page, Completion> {
  const { uidValidity, known: saved, older } = parseSaved(cursorSchema, request.checkpoint) ?? since;
  const { changed, indexes, fingerprints, gone, total } = await fetchChanges(session, {
    uidValidity,
    known: saved,
    older,
  });
  if (changed.length > request.limit)
    throw new ProviderError('cursor-expired', 'More messages changed than a sync may store.');
  const known = new KnownMessages(saved);
  const mailboxRef = { mailbox, uidValidity };
  const listed = [...changed].map((uid, index) => ({
    uid,
    fingerprint: fingerprints[indexes[index] ?? -1] ?? WITHOUT_FLAGS,
  }));
  const pages = Math.max(1, Math.ceil(Math.max(changed.length, gone.length) / PAGE_SIZE));
  for (let offset = 0; offset < pages * PAGE_SIZE; offset += PAGE_SIZE) {
    const page = await readListed(session, listed.slice(offset, offset + PAGE_SIZE), { mailboxRef, known });
    const removed = [...gone.subarray(offset, offset + PAGE_SIZE)];
    for (const uid of removed) known.delete(uid);
    yield {
      ...page,
      removed: removed.map((uid) => recordId(mailboxRef, uid)),
      checkpoint: { uidValidity, known: known.save(), older },
      total,
    };
  }
  return { cursor: { uidValidity, known: known.save(), older }, truncated: false };
}
