import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import { type Page, ProviderClient, Scheduler, sendRecords, ThreadLimitError } from '../sdk/index.ts';
import { imapConnector } from './index.ts';
import { fetchRecords } from './mail-fetch.ts';
import { messageRecord } from './mail-record.ts';
import type { ImapSession } from './session.ts';
import type { SessionRequests } from './session-tasks.ts';

const MAILS = 20;
/** A clock that never waits. */
const clock = { now: () => Date.now(), pause: async () => undefined };
let server: ScriptedServer;

beforeEach(async () => {
  server = await ScriptedServer.start();
  server.mails = Array.from({ length: MAILS }, (_, index) => ({
    uid: index + 1,
    source: `Subject: number ${index + 1}\r\n\r\nHello`,
  }));
});
afterEach(() => server.close());

/** Returns the pages of a full run of INBOX. */
async function readInbox(idleTimeoutMs = 60_000): Promise<Page[]> {
  const connector = imapConnector({ hosts: ['127.0.0.1'] });
  const { signal } = new AbortController();
  const fields = { host: '127.0.0.1', port: String(server.port), security: 'none', user: 'ada' };
  const client = new ProviderClient({
    connector,
    scheduler: new Scheduler(connector.quota, clock),
    clock,
    credentials: async () => ({ accessToken: 'secret', fields, scopes: [] }),
    signal,
    idleTimeoutMs,
  });
  const messages = connector.entities.find(({ id }) => id === 'imap-messages');
  if (!messages) throw new Error('there is no entity of messages');
  const settings = { mailbox: 'INBOX' };
  const pages: Page[] = [];
  const source = messages.read({
    client,
    settings,
    checkpoint: null,
    cursor: null,
    limit: 100,
    signal,
    stored: nothingStored,
  });
  for await (const page of source) pages.push(page);
  return pages;
}

describe('IMAP message fetch', () => {
  it.each(['refusal', 'nothing'] as const)(
    'stores a mail that the server cannot send (%s) without its text',
    async (instead) => {
      for (const at of [4, 11]) server.mails[at] = { ...server.mails[at], instead } as never;
      const records = (await readInbox()).flatMap((page) => page.records);
      expect(records).toHaveLength(MAILS);
      for (const { data, columns } of records) {
        const { uid, subject, truncated } = JSON.parse(String(data)) as Record<string, unknown>;
        const isUnread = uid === 5 || uid === 12;
        expect([uid, subject, truncated]).toEqual([uid, isUnread ? '' : `number ${uid}`, isUnread]);
        expect(columns.size).toBeGreaterThan(20);
      }
    },
  );

  it.each(['NO The structure cannot be read.', 'BAD Unknown item', 'OK nothing'])(
    'reads more of the beginning of a large mail whose structure is refused: %s',
    async (answer) => {
      const text = 'All of it.\r\n'.repeat(5000);
      server.mails[4] = { uid: 5, source: `Subject: large\r\n\r\n${text}` };
      server.hostility = (line, socket) => {
        if (!line.includes('BODYSTRUCTURE')) return false;
        socket.write(`${line.split(' ')[0]} ${answer}\r\n`);
        return true;
      };
      const records = (await readInbox()).flatMap((page) => page.records);
      expect(records).toHaveLength(MAILS);

      const large = records.map(({ data }) => JSON.parse(String(data))).find(({ uid }) => uid === 5);
      expect(large).toMatchObject({
        subject: 'large',
        text: text.replaceAll('\r\n', '\n'),
        truncated: false,
      });
    },
  );

  it.each([
    'NO [ALERT] Too many simultaneous connections. (Failure)',
    'NO [OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)',
    'NO [UNAVAILABLE] Temporary authentication failure.',
    'NO Server busy, please try again later',
    'BAD User is authenticated but not connected.',
  ])('retries a sign-in that was refused temporarily: %s', async (words) => {
    server.refusals.push(words, words);
    expect((await readInbox()).flatMap((page) => page.records)).toHaveLength(MAILS);
  });

  it.each(['NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)', 'NO LOGIN failed.'])(
    'asks to connect again when the password is refused: %s',
    async (words) => {
      server.refusals.push(words, words, words);
      await expect(readInbox()).rejects.toMatchObject({ failure: 'reauthorise' });
    },
  );

  // @covers transport.body-drips-less
  it('aborts a response that drips endlessly and repeats the request', async () => {
    server.drips = 1;
    expect((await readInbox(300)).flatMap((page) => page.records)).toHaveLength(MAILS);
    expect(server.drips).toBe(0);
  });

  it('stores a mail that exceeds the time limit of the thread without its text', async () => {
    const mailboxRef = { mailbox: 'INBOX', uidValidity: '7' };
    const requestedUids: number[][] = [];
    const request = async ({ messages: { uids, withoutSource } }: Pick<SessionRequests, 'messages'>) => {
      requestedUids.push([...uids]);
      if (uids.includes(5) && !withoutSource) throw new ThreadLimitError('time');
      const source = Buffer.from(withoutSource ? '' : 'Subject: read\r\n\r\nHello');
      const read = uids.map((uid) => messageRecord(mailboxRef, { seq: uid, uid, source, size: 23 }));
      return { uids, records: sendRecords(await Promise.all(read)), withoutContent: [] };
    };
    const uids = Array.from({ length: 50 }, (_, index) => index + 1);
    const session = { request } as unknown as ImapSession;
    const { records } = await fetchRecords(session, { mailboxRef, uids, mustAnswer: true });
    const read = uids.map((uid) => JSON.parse(String(records.get(uid)?.data)) as Record<string, unknown>);

    expect(read.map(({ subject }) => subject)).toEqual(uids.map((uid) => (uid === 5 ? '' : 'read')));
    expect(requestedUids.length).toBeLessThan(16);
  });
});
