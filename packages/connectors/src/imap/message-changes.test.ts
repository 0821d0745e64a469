import { describe, expect, it } from 'vitest';
import { type Completion, type Page, type ReadRequest, sendRecords } from '../sdk/index.ts';
import { readChanges, requireSameNumbering } from './message-changes.ts';
import { messageRecord } from './message-record.ts';
import type { ImapSession } from './session.ts';
import type { SessionRequests } from './session-tasks.ts';

const MAILBOX = 'INBOX';
const SINCE = { uidValidity: '7', uidNext: 10, modseq: '20', known: '1:9' };
const NOW = { uidValidity: '7', uidNext: 500, modseq: '90' as string | null };

interface Mailbox {
  state?: typeof NOW;
  /** UIDs to process, highest first; those that are not in `changed` were deleted. */
  remaining: number[];
  changed: number[];
  /** Changed messages that are gone before they are read. */
  gone?: number[];
}

/** Creates a session of a mailbox, and what was requested from it. */
function sessionOf({ state = NOW, remaining, changed, gone = [] }: Mailbox) {
  const requested: SessionRequests['changes'][] = [];
  const read: number[][] = [];
  const request = async (task: Partial<SessionRequests>) => {
    if (task.changes) requested.push(task.changes);
    if (task.changes) return { remaining, changed, known: '1:499', total: 400 };
    const { uids = [], mailboxRef = { mailbox: '', uidValidity: '' } } = task.messages ?? {};
    read.push([...uids]);
    const found = uids.filter((uid) => !gone.includes(uid));
    const source = Buffer.from('Subject: read\r\n\r\nHello');
    const records = found.map((uid) => messageRecord(mailboxRef, { seq: uid, uid, source, size: 23 }));
    return { uids: found, records: sendRecords(await Promise.all(records)) };
  };
  return { session: { state: async () => state, request } as unknown as ImapSession, requested, read };
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
  const NEXT = { uidValidity: '7', uidNext: 500, modseq: '90', known: '1:499' };

  it('reads changed messages and removes deleted ones in pages of 100', async () => {
    const remaining = uidsDown(499, 150);
    const deleted = [498, 351];
    const changed = remaining.filter((uid) => !deleted.includes(uid));
    const { session, requested, read } = sessionOf({ remaining, changed, gone: [499] });

    const { pages, completion } = await run(session);

    expect(requested).toEqual([{ ...SINCE, before: 500, after: Number.POSITIVE_INFINITY }]);
    expect(read.map((uids) => uids.length)).toEqual([99, 49]);
    expect(pages.map(({ records }) => records.length)).toEqual([98, 49]);
    expect(pages.flatMap(({ records }) => uidsOf(records.map(({ id }) => id)))).toEqual(
      changed.filter((uid) => uid !== 499),
    );
    expect(pages.map(({ removed }) => removed)).toEqual([['INBOX/7/499', 'INBOX/7/498'], ['INBOX/7/351']]);
    expect(pages.map(({ checkpoint }) => checkpoint)).toEqual([
      { next: NEXT, after: 400 },
      { next: NEXT, after: 350 },
    ]);
    expect(pages.map(({ total }) => total)).toEqual([400, 400]);
    expect(completion).toEqual({ cursor: NEXT, truncated: false });
  });

  it('resumes at its checkpoint with the cursor of the run before', async () => {
    const next = { ...NEXT, uidNext: 450, modseq: '80', known: '1:449' };
    const { session, requested } = sessionOf({ remaining: [399], changed: [399] });
    const { completion } = await run(session, { checkpoint: { next, after: 400 } });
    expect(requested).toEqual([{ ...SINCE, before: 450, after: 400 }]);
    expect(completion.cursor).toEqual(next);
  });

  it('yields one empty page when nothing changed', async () => {
    const { session, read } = sessionOf({ remaining: [], changed: [] });
    const { pages } = await run(session);
    expect(pages).toEqual([{ records: [], checkpoint: { next: NEXT, after: 0 }, total: 400 }]);
    expect(read).toEqual([]);
  });

  it('requests a full run when more messages changed than the limit', async () => {
    const { session } = sessionOf({ remaining: [3, 2, 1], changed: [3, 2] });
    expect((await run(session, { limit: 2 })).pages).toHaveLength(1);
    await expect(run(session, { limit: 1 })).rejects.toMatchObject({
      failure: 'cursor-expired',
      message: expect.stringContaining('More messages changed'),
    });
  });

  it.each([
    ['another numbering', { ...NOW, uidValidity: '8' }],
    ['no CONDSTORE', { ...NOW, modseq: null }],
  ])('expires the cursor of a mailbox with %s', async (_, state) => {
    const { session } = sessionOf({ state, remaining: [], changed: [] });
    await expect(requireSameNumbering(session, SINCE)).rejects.toMatchObject({ failure: 'cursor-expired' });
    await expect(run(session)).rejects.toMatchObject({ failure: 'cursor-expired' });
  });
});
