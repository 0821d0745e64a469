import { z } from 'zod';
import { type Completion, type Page, ProviderError, parseSaved, type ReadRequest } from '../sdk/index.ts';
import { recordId } from './message-columns.ts';
import { fetchRecords, PAGE_SIZE } from './message-fetch.ts';
import { type Cursor, cursorSchema } from './message-listing.ts';
import { type ImapSession, type MailboxState, uidValidityChangedError } from './session.ts';

const checkpointSchema = z.object({ next: cursorSchema, after: z.number().int() });

/** Returns the mailbox's state. @throws ProviderError `cursor-expired` if UIDVALIDITY changed or CONDSTORE is gone */
export async function requireSameNumbering(session: ImapSession, since: Cursor): Promise<MailboxState> {
  const now = await session.state();
  if (now.uidValidity !== since.uidValidity || now.modseq === null) throw uidValidityChangedError();
  return now;
}

/** Yields the changes since a cursor. @throws ProviderError `cursor-expired` also if more changed than the limit */
export async function* readChanges(
  session: ImapSession,
  request: ReadRequest,
  { mailbox, since }: { mailbox: string; since: Cursor },
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const now = await requireSameNumbering(session, since);
  const before = resumed?.next.uidNext ?? now.uidNext;
  const after = resumed?.after ?? Number.POSITIVE_INFINITY;
  const { remaining, known, total, ...changes } = await session.request({
    changes: { ...since, before, after },
  });
  if (changes.changed.length > request.limit)
    throw new ProviderError('cursor-expired', 'More messages changed than a sync may store.');
  const changed = new Set(changes.changed);
  const modseq = now.modseq ?? since.modseq;
  const next = resumed?.next ?? { uidValidity: now.uidValidity, uidNext: now.uidNext, modseq, known };
  const mailboxRef = { mailbox, uidValidity: since.uidValidity };
  for (let offset = 0; offset < remaining.length; offset += PAGE_SIZE) {
    const chunk = [...remaining.slice(offset, offset + PAGE_SIZE)];
    const found = await fetchRecords(
      session,
      mailboxRef,
      chunk.filter((uid) => changed.has(uid)),
    );
    yield {
      records: chunk.flatMap((uid) => found.get(uid) ?? []),
      removed: chunk.filter((uid) => !found.has(uid)).map((uid) => recordId(mailboxRef, uid)),
      checkpoint: { next, after: chunk.at(-1) as number },
      total,
    };
  }
  // `after: 0` means done, since all UIDs are positive.
  if (remaining.length === 0) yield { records: [], checkpoint: { next, after: 0 }, total };
  return { cursor: next, truncated: false };
}
