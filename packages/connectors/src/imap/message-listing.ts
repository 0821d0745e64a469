import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  type Page,
  type ReadRequest,
  readSaved,
} from '../sdk/index.ts';
import { fetchRecords, PAGE_SIZE } from './message-fetch.ts';
import { receivedAt } from './message-record.ts';
import { type ImapSession, type MailboxState, renumbered } from './session.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

/** A message of the mailbox's list. */
export interface Head {
  uid: number;
  /** When the server received it, ms. */
  time: number;
}

const stateSchema = z.object({
  uidValidity: z.string(),
  uidNext: z.number().int(),
  modseq: z.string().nullable(),
});

/** Where the next incremental run begins: the mailbox's state, and the messages known by then. */
export const cursorSchema = stateSchema.extend({
  modseq: z.string(),
  /** A set of UIDs; what is no longer among the mailbox's was deleted. */
  known: z.string(),
});
export type Cursor = z.infer<typeof cursorSchema>;

const checkpointSchema = stateSchema.extend({
  known: z.string(),
  /** The last message brought. */
  after: z.object({ time: z.number(), uid: z.number().int() }).nullable(),
});

/** Newest first; of messages received in the same second the later numbered. */
function newestFirst(a: Head, b: Head): number {
  return b.time - a.time || b.uid - a.uid;
}

/** Every message of the mailbox, newest first. */
export async function listHeads(session: ImapSession): Promise<Head[]> {
  const found = await session.run(async (imap) => {
    const isEmpty = imap.mailbox === false || imap.mailbox.exists === 0;
    return isEmpty ? [] : imap.fetchAll('1:*', { uid: true, internalDate: true });
  });
  const heads = found.map(({ uid, internalDate }) => ({ uid, time: receivedAt(internalDate).getTime() }));
  return heads.sort(newestFirst);
}

/** A server that does not count changes cannot tell which flags changed: then each run is a full one. */
function cursorOf({ modseq, ...state }: MailboxState, known: string): Cursor | null {
  return modseq === null ? null : { ...state, modseq, known };
}

/** The whole mailbox, newest first. Messages that come meanwhile are brought by the next run. */
export async function* readAll(
  session: ImapSession,
  request: ReadRequest,
  mailbox: string,
): AsyncGenerator<Page, Completion> {
  const resumed = readSaved(checkpointSchema, request.checkpoint);
  const now = await session.state();
  if (resumed && resumed.uidValidity !== now.uidValidity) throw renumbered();
  const start: MailboxState = resumed ?? now;
  const state = { uidValidity: start.uidValidity, uidNext: start.uidNext, modseq: start.modseq };
  const known = new Set(readUidSet(resumed?.known ?? ''));
  const heads = (await listHeads(session)).filter(({ uid }) => uid < state.uidNext);
  let after = resumed?.after ?? null;
  const place = after;
  const left = place ? heads.filter((head) => newestFirst(head, place) > 0) : heads;
  const due = left.slice(0, request.limit);
  const pageOf = (records: ConnectorRecord[], skipped: number, offset: number): Page => ({
    records,
    skipped,
    checkpoint: { ...state, known: writeUidSet(known), after },
    ...(resumed || offset > 0 ? {} : { total: heads.length }),
  });
  for (let offset = 0; offset < Math.max(1, due.length); offset += PAGE_SIZE) {
    const chunk = due.slice(offset, offset + PAGE_SIZE);
    const uids = chunk.map(({ uid }) => uid);
    const found = await fetchRecords(session, { mailbox, uidValidity: state.uidValidity }, uids);
    const records = uids.flatMap((uid) => found.get(uid) ?? []);
    for (const uid of found.keys()) known.add(uid);
    after = chunk.at(-1) ?? after;
    yield pageOf(records, chunk.length - records.length, offset);
  }
  return { cursor: cursorOf(state, writeUidSet(known)), truncated: left.length > due.length };
}
