import { describe, expect, it } from 'vitest';
import { type Completion, type Page, type ReadRequest, sendRecords } from '../sdk/index.ts';
import { readChanges } from './mail-changes.ts';
import { messageRecord } from './mail-record.ts';
import type { ImapSession } from './session.ts';
import type { SessionRequests } from './session-tasks.ts';

const MAILBOX = 'INBOX';
const SINCE = { uidValidity: '7', askAgain: '', older: '' };
const STORED = [3, 351, 498];

/** Reads the stored messages, of which the second is of a version before flags were a column. */
const stored: ReadRequest['stored'] = async function* (columns) {
  expect(columns).toEqual(['flags', 'received_at']);
  const flags = (uid: number) => (uid === 351 ? null : ['\\Seen', 'Work']);
  for (const uid of STORED)
    yield [
      { id: `INBOX/7/${uid}`, columns: { flags: flags(uid), received_at: '2026-03-01T08:00:00+00:00' } },
    ];
  yield [{ id: 'INBOX/6/5', columns: { flags: [], received_at: null } }];
};
const KNOWN = {
  uids: Uint32Array.from(STORED),
  flags: Int32Array.from([0, -1, 0]),
  times: Float64Array.from(STORED, () => Date.parse('2026-03-01T08:00:00Z')),
  keys: ['\\seen work'],
};

interface Mailbox {
  /** UIDs with changes, highest first. */
  changed: number[];
  gone?: number[];
  /** Changed messages that the server does not send. */
  missing?: number[];
}

/** Creates a session of a mailbox, and what was requested from it. */
function sessionOf({ changed, gone = [], missing = [] }: Mailbox) {
  const requested: SessionRequests['changes'][] = [];
  const read: number[][] = [];
  const mustAnswer: boolean[] = [];
  const request = async (task: Partial<SessionRequests>) => {
    if (task.changes) requested.push(task.changes);
    if (task.changes)
      return {
        changed: Uint32Array.from(changed),
        gone: Uint32Array.from(gone),
        total: 400,
      };
    const { uids = [], mailboxRef = { mailbox: '', uidValidity: '' } } = task.messages ?? {};
    read.push([...uids]);
    mustAnswer.push(task.messages?.mustAnswer === true);
    const found = uids.filter((uid) => !missing.includes(uid));
    const source = Buffer.from('Subject: read\r\n\r\nHello');
    const records = found.map((uid) => messageRecord(mailboxRef, { seq: uid, uid, source, size: 23 }));
    return { uids: found, records: sendRecords(await Promise.all(records)), withoutContent: [] };
  };
  const uidValidity = async (stored: string) => stored;
  return { session: { uidValidity, request } as unknown as ImapSession, requested, read, mustAnswer };
}

async function run(
  session: ImapSession,
  { limit = 1000, checkpoint = null }: { limit?: number; checkpoint?: ReadRequest['checkpoint'] } = {},
): Promise<{ pages: Page[]; completion: Completion }> {
  const pages: Page[] = [];
  const request = { limit, checkpoint, stored } as ReadRequest;
  const source = readChanges(session, request, { mailbox: MAILBOX, since: SINCE });
  for (;;) {
    const next = await source.next();
    if (next.done) return { pages, completion: next.value };
    pages.push(next.value);
  }
}

const uidsDown = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
const uidsOf = (ids: readonly string[] = []) => ids.map((id) => Number(id.split('/').at(-1)));

describe('readChanges of an IMAP mailbox', () => {
  it('reads changed messages and removes deleted ones in pages of 100', async () => {
    const changed = uidsDown(649, 150);
    const { session, requested, read } = sessionOf({ changed, gone: [498, 351], missing: [600] });

    const { pages, completion } = await run(session);

    expect(requested).toEqual([{ known: KNOWN, askAgain: '', older: '', isFull: false, isNumbered: true }]);
    expect(read.map((uids) => uids.length)).toEqual([100, 50]);
    expect(pages.flatMap(({ records }) => uidsOf(records.map(({ id }) => id)))).toEqual(
      changed.filter((uid) => uid !== 600),
    );
    expect(pages.map(({ removed }) => removed)).toEqual([['INBOX/7/498', 'INBOX/7/351'], []]);
    expect(pages.map(({ unreadable }) => unreadable)).toEqual([['INBOX/7/600'], []]);
    expect(pages.map(({ total }) => total)).toEqual([400, 400]);
    // The message that was not sent is asked for again.
    const cursor = { uidValidity: '7', askAgain: '600', older: '' };
    expect(completion).toEqual({ cursor, truncated: false });
    expect(pages.at(-1)?.checkpoint).toEqual(completion.cursor);
  });

  it('needs an answer to its first messages if none is stored', async () => {
    const { session, mustAnswer } = sessionOf({ changed: uidsDown(250, 250) });
    const none = async function* () {};
    const source = readChanges(session, { limit: 1000, checkpoint: null, stored: none } as never, {
      mailbox: MAILBOX,
      since: SINCE,
    });
    for (let next = await source.next(); !next.done; ) next = await source.next();
    expect(mustAnswer).toEqual([true, false, false]);
    const others = sessionOf({ changed: [5] });
    await run(others.session);
    expect(others.mustAnswer).toEqual([false]);
  });

  it('resumes at its checkpoint, which is a cursor', async () => {
    const checkpoint = { ...SINCE, askAgain: '2,600', older: '20' };
    const { session, requested } = sessionOf({ changed: [600, 399], gone: [2] });
    const { completion } = await run(session, { checkpoint });
    expect(requested).toEqual([
      { known: KNOWN, askAgain: '2,600', older: '20', isFull: false, isNumbered: true },
    ]);
    expect(completion.cursor).toEqual({ ...checkpoint, askAgain: '' });
  });

  it('continues from a cursor of a version that saved all messages', async () => {
    const checkpoint = { uidValidity: '7', known: { a: '1:9', '': '450' }, older: '20' };
    const { session, requested } = sessionOf({ changed: [399] });
    const { completion } = await run(session, { checkpoint });
    expect(requested).toMatchObject([{ askAgain: '450', older: '20' }]);
    expect(completion.cursor).toEqual({ uidValidity: '7', askAgain: '450', older: '20' });
  });

  it('yields one empty page when nothing changed', async () => {
    const { session, read } = sessionOf({ changed: [] });
    const { pages } = await run(session);
    expect(pages).toEqual([{ records: [], unreadable: [], removed: [], checkpoint: SINCE, total: 400 }]);
    expect(read).toEqual([]);
  });

  it('yields as many pages as there are', async () => {
    const { session } = sessionOf({ changed: uidsDown(200, 200) });
    expect((await run(session)).pages).toHaveLength(2);
  });

  it('requests a full run when more messages changed than the limit', async () => {
    const { session } = sessionOf({ changed: [3, 2], gone: [1] });
    expect((await run(session, { limit: 2 })).pages).toHaveLength(1);
    await expect(run(session, { limit: 1 })).rejects.toMatchObject({
      failure: 'cursor-expired',
      message: expect.stringContaining('More messages changed'),
    });
  });
});
