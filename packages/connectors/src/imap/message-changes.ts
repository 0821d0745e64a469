import { z } from 'zod';
import { type Completion, type Page, ProviderError, type ReadRequest, readSaved } from '../sdk/index.ts';
import { fetchRecords, PAGE_SIZE } from './message-fetch.ts';
import { type Cursor, cursorSchema } from './message-listing.ts';
import { recordId } from './message-record.ts';
import { type ImapSession, type MailboxState, renumbered } from './session.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

const checkpointSchema = z.object({ next: cursorSchema, after: z.number().int() });

/** What happened to a mailbox since a cursor, by UID. */
interface Changes {
  /** New, or with other flags. */
  brought: Set<number>;
  gone: Set<number>;
  /** Messages that the mailbox holds. */
  total: number;
}

async function listUids(session: ImapSession): Promise<number[]> {
  return session.run(async (imap) => {
    const found = await imap.search({ all: true }, { uid: true });
    // imapflow tells a refusal by this value; as a failure it is tried again.
    if (!Array.isArray(found)) throw new Error('the search was refused');
    return found;
  });
}

/** Messages of those known whose flags changed. */
async function listFlagged(session: ImapSession, kept: readonly number[], modseq: string): Promise<number[]> {
  if (kept.length === 0) return [];
  // Sorted as the set was; the range is shorter to send than the set.
  const range = `${kept[0]}:${kept.at(-1)}`;
  const found = await session.run((imap) =>
    imap.fetchAll(range, { uid: true, flags: true }, { uid: true, changedSince: BigInt(modseq) }),
  );
  const among = new Set(kept);
  return found.map(({ uid }) => uid).filter((uid) => among.has(uid));
}

/** What changed between the cursor and `uidNext`. */
export async function listChanges(session: ImapSession, since: Cursor, uidNext: number): Promise<Changes> {
  const uids = (await listUids(session)).filter((uid) => uid < uidNext);
  const existing = new Set(uids);
  const known = readUidSet(since.known);
  const kept = known.filter((uid) => existing.has(uid));
  const flagged = await listFlagged(session, kept, since.modseq);
  const fresh = uids.filter((uid) => uid >= since.uidNext);
  return {
    brought: new Set([...fresh, ...flagged]),
    gone: new Set(known.filter((uid) => !existing.has(uid))),
    total: uids.length,
  };
}

function nextCursor(since: Cursor, now: MailboxState, { brought, gone }: Changes): Cursor {
  const known = new Set([...readUidSet(since.known), ...brought]);
  for (const uid of gone) known.delete(uid);
  return {
    uidValidity: now.uidValidity,
    uidNext: now.uidNext,
    modseq: now.modseq ?? since.modseq,
    known: writeUidSet(known),
  };
}

/** @throws ProviderError `cursor-expired` when the mailbox was numbered anew, or no longer counts its changes */
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
  const resumed = readSaved(checkpointSchema, request.checkpoint);
  const now = await stateSince(session, since);
  const changes = await listChanges(session, since, resumed?.next.uidNext ?? now.uidNext);
  const { brought, gone, total } = changes;
  if (brought.size > request.limit)
    throw new ProviderError('cursor-expired', 'More messages changed than a sync may bring.');
  const next = resumed?.next ?? nextCursor(since, now, changes);
  const after = resumed?.after ?? Number.POSITIVE_INFINITY;
  const place = { mailbox, uidValidity: since.uidValidity };
  const left = [...brought, ...gone].filter((uid) => uid < after).sort((a, b) => b - a);
  for (let offset = 0; offset < left.length; offset += PAGE_SIZE) {
    const chunk = left.slice(offset, offset + PAGE_SIZE);
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
