import { z } from 'zod';
import { type Completion, type Page, ProviderError, parseSaved, type ReadRequest } from '../sdk/index.ts';
import { recordId } from './message-columns.ts';
import { fetchRecords, PAGE_SIZE } from './message-fetch.ts';
import { type Cursor, cursorSchema } from './message-listing.ts';
import { type ImapSession, type MailboxState, renumbered } from './session.ts';

const checkpointSchema = z.object({ next: cursorSchema, after: z.number().int() });

/** @throws ProviderError `cursor-expired` when the mailbox was numbered again, or no longer counts its changes */
export async function stateSince(session: ImapSession, since: Cursor): Promise<MailboxState> {
  const now = await session.state();
  if (now.uidValidity !== since.uidValidity || now.modseq === null) throw renumbered();
  return now;
}

/** The changes since a cursor. @throws ProviderError `cursor-expired` also when more changed than the limit lets in */
export async function* readChanges(
  session: ImapSession,
  request: ReadRequest,
  { mailbox, since }: { mailbox: string; since: Cursor },
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const now = await stateSince(session, since);
  const before = resumed?.next.uidNext ?? now.uidNext;
  const after = resumed?.after ?? Number.POSITIVE_INFINITY;
  const { left, known, total, ...changes } = await session.ask({ changes: { ...since, before, after } });
  if (changes.brought.length > request.limit)
    throw new ProviderError('cursor-expired', 'More messages changed than a sync may bring.');
  const brought = new Set(changes.brought);
  const modseq = now.modseq ?? since.modseq;
  const next = resumed?.next ?? { uidValidity: now.uidValidity, uidNext: now.uidNext, modseq, known };
  const place = { mailbox, uidValidity: since.uidValidity };
  for (let offset = 0; offset < left.length; offset += PAGE_SIZE) {
    const chunk = [...left.slice(offset, offset + PAGE_SIZE)];
    const found = await fetchRecords(
      session,
      place,
      chunk.filter((uid) => brought.has(uid)),
    );
    yield {
      records: chunk.flatMap((uid) => found.get(uid) ?? []),
      removed: chunk.filter((uid) => !found.has(uid)).map((uid) => recordId(place, uid)),
      checkpoint: { next, after: chunk.at(-1) as number },
      total,
    };
  }
  // No UID is less than 0: nothing is left to do.
  if (left.length === 0) yield { records: [], checkpoint: { next, after: 0 }, total };
  return { cursor: next, truncated: false };
}
