import { describe, expect, it } from 'vitest';
import { type Completion, type Page, type ReadRequest, sendRecords } from '../sdk/index.ts';
import { readChanges } from './mail-changes.ts';
import { messageRecord } from './mail-record.ts';
import type { ImapSession } from './session.ts';
import type { SessionRequests } from './session-tasks.ts';

const MAILBOX = 'INBOX';
const SINCE = { uidValidity: '7', known: { a: '1:9,351,498' }, older: '' };

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
  const request = async (task: Partial<SessionRequests>) => {
    if (task.changes) requested.push(task.changes);
    if (task.changes)
      return {
        changed,
        indexes: changed.map(() => 0),
        fingerprints: ['b'],
        gone: Uint32Array.from(gone),
        total: 400,
      };
    const { uids = [], mailboxRef = { mailbox: '', uidValidity: '' } } = task.messages ?? {};
    read.push([...uids]);
    const found = uids.filter((uid) => !missing.includes(uid));
    const source = Buffer.from('Subject: read\r\n\r\nHello');
    const records = found.map((uid) => messageRecord(mailboxRef, { seq: uid, uid, source, size: 23 }));
    return { uids: found, records: sendRecords(await Promise.all(records)), withoutContent: [] };
  };
  const uidValidity = async (stored: string) => stored;
  return { session: { uidValidity, request } as unknown as ImapSession, requested, read };
}

async function run(
  session: ImapSession,
  { limit = 1000, checkpoint = null }: { limit?: number; checkpoint?: ReadRequest['checkpoint'] } = {},
): Promise<{ pages: Page[]; completion: Completion }> {
  const pages: Page[] = [];
  const request = { limit, checkpoint } as ReadRequest;
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

    expect(requested).toEqual([{ known: SINCE.known, older: '', isNumbered: true }]);
    expect(read.map((uids) => uids.length)).toEqual([100, 50]);
    expect(pages.flatMap(({ records }) => uidsOf(records.map(({ id }) => id)))).toEqual(
      changed.filter((uid) => uid !== 600),
    );
    expect(pages.map(({ removed }) => removed)).toEqual([['INBOX/7/498', 'INBOX/7/351'], []]);
    expect(pages.map(({ unreadable }) => unreadable)).toEqual([['INBOX/7/600'], []]);
    expect(pages.map(({ total }) => total)).toEqual([400, 400]);
    // The message that was not sent is asked for again.
    const known = { a: '1:9', b: '500:599,601:649', '': '600' };
    expect(completion).toEqual({ cursor: { uidValidity: '7', known, older: '' }, truncated: false });
    expect(pages.at(-1)?.checkpoint).toEqual(completion.cursor);
  });

  it('resumes at its checkpoint, which is a cursor', async () => {
    const checkpoint = { ...SINCE, known: { a: '1:9', b: '450' }, older: '20' };
    const { session, requested } = sessionOf({ changed: [399] });
    const { completion } = await run(session, { checkpoint });
    expect(requested).toEqual([{ known: checkpoint.known, older: '20', isNumbered: true }]);
    expect(completion.cursor).toEqual({ ...checkpoint, known: { a: '1:9', b: '399,450' } });
  });

  it('yields one empty page when nothing changed', async () => {
    const { session, read } = sessionOf({ changed: [] });
    const { pages } = await run(session);
    expect(pages).toEqual([{ records: [], unreadable: [], removed: [], checkpoint: SINCE, total: 400 }]);
    expect(read).toEqual([]);
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
