import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  type Page,
  parseSaved,
  type ReadRequest,
} from '../sdk/index.ts';
import { fetchRecords, PAGE_SIZE } from './message-fetch.ts';
import type { ListedMessage, MessageList } from './message-uids.ts';
import { type ImapSession, type MailboxState, uidValidityChangedError } from './session.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

const stateSchema = z.object({
  uidValidity: z.string(),
  uidNext: z.number().int(),
  modseq: z.string().nullable(),
});

/** Start of the next incremental run: the mailbox's state and the UIDs stored so far. */
export const cursorSchema = stateSchema.extend({
  modseq: z.string(),
  /** A UID set, e.g. `1:40,42`; UIDs that the mailbox no longer lists were deleted. */
  known: z.string(),
});
export type Cursor = z.infer<typeof cursorSchema>;

const checkpointSchema = stateSchema.extend({
  known: z.string(),
  /** The last message yielded. */
  after: z.object({ time: z.number(), uid: z.number().int() }).nullable(),
});

/** Returns null for servers without CONDSTORE, which cannot list changed flags; then every run is a full one. */
function cursorOf({ modseq, ...state }: MailboxState, known: string): Cursor | null {
  return modseq === null ? null : { ...state, modseq, known };
}

/** Returns the messages from index `from` to before index `to` of the list. */
export function messagesBetween({ remaining }: MessageList, from: number, to: number): ListedMessage[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    uid: remaining[2 * (from + index)] ?? 0,
    time: remaining[2 * (from + index) + 1] ?? 0,
  }));
}

/**
 * Yields the mailbox up to the request's limit, newest first, continuing after the checkpoint. The next run yields
 * messages that arrive during this one. @throws ProviderError `cursor-expired` when the mailbox was renumbered
 */
export async function* readAll(
  session: ImapSession,
  request: ReadRequest,
  mailbox: string,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const now = await session.state();
  if (resumed && resumed.uidValidity !== now.uidValidity) throw uidValidityChangedError();
  const start: MailboxState = resumed ?? now;
  const state = { uidValidity: start.uidValidity, uidNext: start.uidNext, modseq: start.modseq };
  const known = new Set(readUidSet(resumed?.known ?? ''));
  let after = resumed?.after ?? null;
  const list = await session.request({ list: { uidNext: state.uidNext, after } });
  const count = list.remaining.length / 2;
  const fetchCount = Math.min(count, request.limit);
  const pageOf = (records: ConnectorRecord[], skipped: number, offset: number): Page => ({
    records,
    skipped,
    checkpoint: { ...state, known: writeUidSet(known), after },
    ...(resumed || offset > 0 ? {} : { total: list.total }),
  });
  for (let offset = 0; offset < Math.max(1, fetchCount); offset += PAGE_SIZE) {
    const chunk = messagesBetween(list, offset, Math.min(fetchCount, offset + PAGE_SIZE));
    const uids = chunk.map(({ uid }) => uid);
    const found = await fetchRecords(session, { mailbox, uidValidity: state.uidValidity }, uids);
    const records = uids.flatMap((uid) => found.get(uid) ?? []);
    for (const uid of found.keys()) known.add(uid);
    after = chunk.at(-1) ?? after;
    yield pageOf(records, chunk.length - records.length, offset);
  }
  return { cursor: cursorOf(state, writeUidSet(known)), truncated: count > fetchCount };
}
