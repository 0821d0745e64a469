import type { StartedSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectGmail } from '../../test-support/connected-gmail.ts';
import { documentOf, fetchFiles } from '../../test-support/fetch-files.ts';
import { mailOfFile, mailsWithFiles } from '../../test-support/mail/mails-with-files.ts';
import { type Connector, type Credentials, ProviderClient, Scheduler } from '../sdk/index.ts';
import { messageRecord } from './mail-record.ts';
import { gmailMessages } from './messages.ts';

const MAILBOX = 'jonas.weber@sandbox.example';
const clock = { now: () => Date.now(), pause: async () => undefined };
let sandbox: StartedSandbox;
let connector: Connector;
let credentials: Credentials;

beforeAll(async () => {
  ({ sandbox, connector, credentials } = await connectGmail(MAILBOX));
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

function createClient(): ProviderClient {
  return new ProviderClient({
    connector,
    scheduler: new Scheduler(connector.quota, clock),
    credentials: async () => credentials,
    signal: new AbortController().signal,
    clock,
  });
}

/** Delivers a mail. @returns its record, as a run stores it */
async function deliver(source: Buffer) {
  const id = sandbox.control.gmail.insertRaw(MAILBOX, source);
  const { body } = await createClient().get({ path: `/gmail/v1/users/me/messages/${id}`, units: 20 });
  return messageRecord(body);
}

const fetchAll = (record: ReturnType<typeof messageRecord>, maxBytes?: number) =>
  fetchFiles(gmailMessages, record, { client: createClient(), ...(maxBytes !== undefined && { maxBytes }) });

describe('files of Gmail messages', () => {
  it.each([0, 60_000])(
    'are fetched byte for byte, from mails with %d more bytes',
    async (padding) => {
      for (const { name, source, files } of [...mailsWithFiles(padding), mailOfFile(400 + padding)]) {
        const contents = await fetchAll(await deliver(source));
        expect(contents.length, name).toBe(files.length);
        expect(
          contents.map((content) => Buffer.from(content as Uint8Array)),
          name,
        ).toEqual(files);
      }
    },
    60_000,
  );

  it('cost the quota of two messages, however large they are', async () => {
    const record = await deliver(mailOfFile(2_000_000).source);
    const client = createClient();
    await fetchFiles(gmailMessages, record, { client, maxBytes: 2_000_000 });
    expect([client.requests, client.units]).toEqual([2, 40]);
  });

  it('are refused beyond the limit, without a request for the content', async () => {
    const record = await deliver(mailOfFile(20_000).source);
    const client = createClient();
    expect(await fetchFiles(gmailMessages, record, { client, maxBytes: 19_999 })).toEqual(['too-large']);
    expect(client.requests).toBe(1);
    expect((await fetchAll(record, 20_000))[0]).toHaveLength(20_000);
  });

  it('that are small are fetched from a larger mail, or refused as files of a mail that is too large', async () => {
    const attached = mailsWithFiles(60_000).find(({ name }) => name === 'attached messages');
    if (!attached) throw new Error('no such mail');
    const record = await deliver(attached.source);
    const [inner, same, small, filler] = attached.files;
    const bytesOf = async (maxBytes: number) =>
      (await fetchAll(record, maxBytes)).map((one) =>
        typeof one === 'string' ? one : Buffer.from(one ?? []),
      );
    expect(await bytesOf(60_000)).toEqual([inner, same, small, filler]);
    expect(attached.source.length).toBeGreaterThan(80_000);
    expect(await bytesOf(50_000)).toEqual([inner, same, small, 'too-large']);
    expect(await bytesOf(40_000)).toEqual(['mail-too-large', 'mail-too-large', small, 'too-large']);
  });

  it('are gone with their message, and with their part', async () => {
    const record = await deliver(mailOfFile(500).source);
    const document = documentOf(record);
    const moved = {
      ...document,
      attachments: document.attachments.map((one) => ({ ...one, partId: '7.1' })),
    };
    expect(await fetchAll({ ...record, data: moved as never })).toEqual(['attachment-gone']);
    sandbox.control.gmail.remove(MAILBOX, record.id);
    expect(await fetchAll(record)).toEqual(['record-gone']);
  });
});
