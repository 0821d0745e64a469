import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  type Page,
  parseSaved,
  type ReadRequest,
} from '../sdk/index.ts';
import { fetchRecords, PAGE_SIZE } from './message-fetch.ts';
import type { Head, Heads } from './message-uids.ts';
import { type ImapSession, type MailboxState, renumbered } from './session.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

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

/** A server that does not count changes cannot tell which flags changed: then each run is a full one. */
function cursorOf({ modseq, ...state }: MailboxState, known: string): Cursor | null {
  return modseq === null ? null : { ...state, modseq, known };
}

/** Some of the messages by their place in the list. */
export function headsOf({ left }: Heads, from: number, to: number): Head[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    uid: left[2 * (from + index)] ?? 0,
    time: left[2 * (from + index) + 1] ?? 0,
  }));
}

/** The whole mailbox, newest first. Messages that come meanwhile are brought by the next run. */
export async function* readAll(
  session: ImapSession,
  request: ReadRequest,
  mailbox: string,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const now = await session.state();
  if (resumed && resumed.uidValidity !== now.uidValidity) throw renumbered();
  const start: MailboxState = resumed ?? now;
  const state = { uidValidity: start.uidValidity, uidNext: start.uidNext, modseq: start.modseq };
  const known = new Set(readUidSet(resumed?.known ?? ''));
  let after = resumed?.after ?? null;
  const heads = await session.ask({ heads: { uidNext: state.uidNext, after } });
  const count = heads.left.length / 2;
  const due = Math.min(count, request.limit);
  const pageOf = (records: ConnectorRecord[], skipped: number, offset: number): Page => ({
    records,
    skipped,
    checkpoint: { ...state, known: writeUidSet(known), after },
    ...(resumed || offset > 0 ? {} : { total: heads.total }),
  });
  for (let offset = 0; offset < Math.max(1, due); offset += PAGE_SIZE) {
    const chunk = headsOf(heads, offset, Math.min(due, offset + PAGE_SIZE));
    const uids = chunk.map(({ uid }) => uid);
    const found = await fetchRecords(session, { mailbox, uidValidity: state.uidValidity }, uids);
    const records = uids.flatMap((uid) => found.get(uid) ?? []);
    for (const uid of found.keys()) known.add(uid);
    after = chunk.at(-1) ?? after;
    yield pageOf(records, chunk.length - records.length, offset);
  }
  return { cursor: cursorOf(state, writeUidSet(known)), truncated: count > due };
}
