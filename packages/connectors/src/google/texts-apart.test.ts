import type { FaultName, StartedSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectGmail } from '../../test-support/connected-gmail.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import { type Credentials, ProviderClient, Scheduler } from '../sdk/index.ts';
import type { googleConnector } from './index.ts';
import { gmailMessages } from './messages.ts';

const MAILBOX = 'jonas.weber@sandbox.example';
const ATTACHMENTS = 'gmail GET /v1/users/:userId/messages/:id/attachments/:attachmentId';
/** A clock that never waits. */
const clock = { now: () => Date.now(), pause: async () => undefined };
let sandbox: StartedSandbox;
let connector: ReturnType<typeof googleConnector>;
let credentials: Credentials;

beforeAll(async () => {
  ({ sandbox, connector, credentials } = await connectGmail(MAILBOX));
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

/** Inserts messages with a label of their own and reads them; returns their documents by subject. */
async function read(...sources: string[]): Promise<Record<string, Record<string, unknown>>> {
  const { control } = sandbox;
  const label = control.gmail.createLabel(MAILBOX, `apart-${Date.now()}`);
  for (const source of sources) control.gmail.insertRaw(MAILBOX, source, [label]);
  control.resetCounters();
  const { signal } = new AbortController();
  const scheduler = new Scheduler(connector.quota, clock);
  const client = new ProviderClient({
    connector,
    scheduler,
    credentials: async () => credentials,
    signal,
    clock,
  });
  const settings = { labelIds: label };
  const found: Record<string, Record<string, unknown>> = {};
  for await (const page of gmailMessages.read({
    client,
    settings,
    checkpoint: null,
    cursor: null,
    limit: 100,
    signal,
    stored: nothingStored,
  }))
    for (const { data } of page.records) {
      const document = Buffer.isBuffer(data) ? JSON.parse(data.toString()) : data;
      found[document.subject] = document;
    }
  return found;
}

const requestsOf = () => sandbox.control.counters().requests[ATTACHMENTS] ?? 0;
const mail = (subject: string, ...lines: string[]) =>
  ['From: bo@example.org', `Message-ID: <${subject}@example.org>`, `Subject: ${subject}`, ...lines].join(
    '\r\n',
  );
const named = (text: string) => ['Content-Type: text/plain; name=body.txt', '', text];
const parts = (...list: string[][]) => [
  'Content-Type: multipart/mixed; boundary=b',
  '',
  ...list.flatMap((part) => ['--b', ...part]),
  '--b--',
];

describe('a text that Gmail returns on its own', () => {
  it('is fetched where it is a text of the message', async () => {
    const found = await read(
      mail('alone', ...named('Hello')),
      mail('with a file', ...parts(named('Hello'), ['Content-Type: application/pdf; name=a.pdf', '', 'x'])),
      mail('large', 'Content-Type: text/plain', '', 'word '.repeat(1_200_000)),
      mail('a file', ...parts(['Content-Type: text/plain', '', 'Hello'], named('not mine'))),
    );

    expect(found.alone).toMatchObject({ text: 'Hello', attachments: [], truncated: false });
    expect(found['with a file']).toMatchObject({ text: 'Hello', attachments: [{ filename: 'a.pdf' }] });
    expect(String(found.large?.text)).toBe('word '.repeat(60_000).slice(0, 262_144));
    expect(found.large).toMatchObject({ truncated: true });
    expect(found['a file']).toMatchObject({ text: 'Hello', attachments: [{ filename: 'body.txt' }] });
    expect(requestsOf()).toBe(3);
  });

  it('is fetched up to four times for a message', async () => {
    const { many } = await read(
      mail('many', ...parts(...Array.from({ length: 9 }, (_, at) => named(`text ${at}`)))),
    );

    expect(String(many?.text).match(/text \d/g)).toEqual(['text 0', 'text 1', 'text 2', 'text 3']);
    expect(many).toMatchObject({ truncated: true, attachments: [] });
    expect(requestsOf()).toBe(4);
  });

  it.each<FaultName>(['http-500', 'invalid-json', 'html-instead-of-json'])(
    'is left out when Gmail fails to return it: %s',
    async (name) => {
      sandbox.control.fault({
        name,
        match: { api: 'gmail', path: /attachments/ },
        times: 100,
      });
      const { alone } = await read(mail('alone', ...named('Hello')));

      expect(alone).toMatchObject({ text: '', truncated: true, attachments: [] });
    },
  );

  it('is fetched for the messages of a thread', async () => {
    const answer = (subject: string) =>
      mail(subject, 'In-Reply-To: <first@example.org>', 'References: <first@example.org>', ...named(subject));
    const found = await read(mail('first', ...named('first')), ...['Re: first', 'RE: first'].map(answer));

    for (const [subject, document] of Object.entries(found)) expect(document.text).toBe(subject);
    expect(Object.keys(found)).toHaveLength(3);
  });
});
