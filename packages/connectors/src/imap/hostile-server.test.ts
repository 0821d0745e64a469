import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flood, ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import { type ConnectorRecord, ProviderClient, type ReadStored, Scheduler } from '../sdk/index.ts';
import { ImapAuthorization } from './authorization.ts';
import { imapConnector } from './index.ts';

/** Generous limits for a busy machine that also runs the server; the attacks took 5 s and gigabytes without limits. */
const MAX_DELAY_MS = 1500;
const MAX_HEAP_GROWTH = 500 * 1024 * 1024;
const MAILS = 10;
const clock = { now: () => Date.now(), pause: async () => undefined };
const HOSTS = ['127.0.0.1'];
let server: ScriptedServer;

beforeEach(async () => {
  server = await ScriptedServer.start();
  server.mails = Array.from({ length: MAILS }, (_, index) => ({
    uid: index + 1,
    source: `Subject: number ${index + 1}\r\n\r\nHello`,
  }));
});
afterEach(() => server.close());

/** Reads all records of an entity; `cursor` makes the run an incremental one. */
async function read(
  entity: string,
  { cursor = null as never, idleTimeoutMs = 5000 } = {},
): Promise<ConnectorRecord[]> {
  const connector = imapConnector({ hosts: HOSTS });
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
  const definition = connector.entities.find(({ id }) => id === entity);
  if (!definition) throw new Error(`there is no entity ${entity}`);
  const settings = { mailbox: 'INBOX' };
  const records: ConnectorRecord[] = [];
  for await (const page of definition.read({
    client,
    settings,
    checkpoint: null,
    cursor,
    limit: 100,
    signal,
    // A message that the server never had.
    stored: cursor === null ? nothingStored : oneStored,
  }))
    records.push(...page.records);
  return records;
}

/** Reads the stored records: one message. */
const oneStored: ReadStored = async function* () {
  yield [{ id: 'INBOX/7/999', columns: { flags: [], received_at: null } }];
};

/** Runs the work and checks its event loop delay and memory growth. @returns its result, or its failure as a text */
async function bounded<T>(work: () => Promise<T>): Promise<T | string> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  delay.enable();
  const outcome = await work().catch(
    (error: { failure: string; message: string }) => `failed: ${error.failure}`,
  );
  delay.disable();
  clearInterval(sampling);
  expect(delay.max / 1e6).toBeLessThan(MAX_DELAY_MS);
  expect(most - before).toBeLessThan(MAX_HEAP_GROWTH);
  return outcome;
}

const is = (command: string) => (line: string) => new RegExp(`^\\S+ (UID )?${command}\\b`).test(line);
const isFetchOfMails = (line: string) => line.includes('BODY.PEEK');

describe('IMAP client with a hostile server', () => {
  it('does not expand ranges of vanished messages', async () => {
    server.hostility = (line, socket) => {
      if (is('FETCH')(line))
        socket.write('* VANISHED (EARLIER) 1:4294967295\r\n* VANISHED 1:4294967295\r\n'.repeat(50));
      return false;
    };
    expect(await bounded(() => read('imap-messages'))).toHaveLength(MAILS);
  }, 60_000);

  it('stores a message without its text when its literal exceeds the request', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 0x61);
    server.hostility = (line, socket) => {
      if (!isFetchOfMails(line)) return false;
      socket.write('* 1 FETCH (UID 1 RFC822.SIZE 20 BODY[]<0> {60000000}\r\n');
      for (let count = 0; count < 7; count++) socket.write(large);
      return true;
    };

    const records = await bounded(() => read('imap-messages'));

    expect(records).toHaveLength(MAILS);
    expect(JSON.parse(String((records as ConnectorRecord[])[0]?.data))).toMatchObject({
      text: '',
      truncated: true,
    });
  }, 60_000);

  const MEGABYTE = 'x'.repeat(1024 * 1024);
  const LITERAL = `* 9 FETCH (UID 4294967295 BODY[]<0> {131072}\r\n${'x'.repeat(131_072)})\r\n`;
  const endless: [name: string, isTarget: (line: string) => boolean, piece: string][] = [
    ['messages that were not requested', isFetchOfMails, LITERAL],
    ['the same message repeatedly', isFetchOfMails, LITERAL.replace('4294967295', '1')],
    ['a line', isFetchOfMails, MEGABYTE],
    ['a nested list', isFetchOfMails, '('.repeat(100_000)],
    [
      'parts of a response',
      isFetchOfMails,
      `* 1 FETCH (UID 1 BODY[] {10}\r\n${'0123456789 {10}\r\n'.repeat(10_000)}`,
    ],
    ['counts of messages', is('EXAMINE'), '* 4294967295 EXISTS\r\n'.repeat(1000)],
    ['flags', is('EXAMINE'), `* FLAGS (${'\\Odd '.repeat(10_000)})\r\n`],
    ['capabilities', is('LOGIN'), `* CAPABILITY ${'IMAP4rev1 X '.repeat(10_000)}\r\n`],
    [
      'UIDs of the list',
      is('FETCH'),
      '* 1 FETCH (UID 1 INTERNALDATE "01-Mar-2026 09:00:00 +0000")\r\n'.repeat(100),
    ],
  ];
  it.each(endless)(
    'aborts an endless response: %s',
    async (_name, isTarget, piece) => {
      server.hostility = (line, socket) => {
        if (!isTarget(line)) return false;
        flood(socket, Buffer.from(piece));
        return true;
      };
      const outcome = await bounded(() => read('imap-messages'));
      // If only the contents are withheld, the messages are stored without them.
      if (typeof outcome !== 'string') expect(outcome).toHaveLength(MAILS);
      else expect(outcome).toMatch(/malformed|invalid|unavailable/);
    },
    120_000,
  );

  it('aborts a search result with more messages than exist', async () => {
    const cursor = { uidValidity: '7', askAgain: '999', older: '' } as never;
    server.hostility = (line, socket) => {
      if (!is('SEARCH')(line)) return false;
      flood(
        socket,
        Buffer.from(`* SEARCH ${Array.from({ length: 50_000 }, (_, uid) => uid + 1).join(' ')}\r\n`),
      );
      return true;
    };
    expect(await bounded(() => read('imap-messages', { cursor }))).toMatch(/malformed/);
  }, 60_000);

  it('aborts a list of too many mailboxes', async () => {
    server.hostility = (line, socket) => {
      if (!is('LIST')(line)) return false;
      flood(socket, Buffer.from('* LIST () "/" "a box"\r\n'.repeat(1000)));
      return true;
    };
    expect(await bounded(() => read('imap-mailboxes'))).toMatch(/malformed/);
  }, 60_000);

  it('reports a message count beyond any mailbox as invalid', async () => {
    server.hostility = (line, socket) => {
      if (!is('EXAMINE')(line)) return false;
      const [tag = ''] = line.split(' ');
      socket.write(
        `* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 7] .\r\n* OK [UIDNEXT 1000] .\r\n${tag} OK done\r\n`,
      );
      return true;
    };
    expect(await bounded(() => read('imap-messages'))).toBe('failed: invalid');
  }, 60_000);

  it('aborts a dripping response before the longest exchange ends', async () => {
    server.hostility = (line, socket) => {
      if (!isFetchOfMails(line)) return false;
      const drip = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => clearInterval(drip));
      return true;
    };
    expect(await bounded(() => read('imap-messages', { idleTimeoutMs: 150 }))).toBe('failed: unavailable');
  }, 60_000);

  it('aborts the connect form when the server sends endlessly', async () => {
    const values = {
      host: '127.0.0.1',
      port: String(server.port),
      security: 'none',
      user: 'ada',
      password: 'secret',
    };
    for (const piece of ['* OK hello\r\n'.repeat(1000), MEGABYTE, '* VANISHED 1:4294967295\r\n']) {
      server.hostility = (_line, socket) => {
        flood(socket, Buffer.from(piece));
        return true;
      };
      const outcome = await bounded(() => new ImapAuthorization({ hosts: HOSTS }).connect(values));
      expect(outcome).toMatch(/unavailable|invalid|malformed/);
    }
  }, 120_000);
});
