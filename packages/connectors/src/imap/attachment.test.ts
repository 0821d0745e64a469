import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentOf, fetchFiles } from '../../test-support/fetch-files.ts';
import { DOVECOT_MISSING, Dovecot, MailboxControl } from '../../test-support/imap/index.ts';
import { type ScriptedMail, ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { type MailWithFiles, mailOfFile, mailsWithFiles } from '../../test-support/mail/mails-with-files.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import { type ConnectorRecord, type EntityDefinition, ProviderClient, Scheduler } from '../sdk/index.ts';
import { imapConnector } from './index.ts';

const PASSWORD = 'open sesame';
/** Writers of contents in encodings, with lines of the network. */
const WRITERS = {
  base64: (content: Buffer) => (content.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'),
  'quoted-printable': (content: Buffer) =>
    (
      content
        .toString('hex')
        .toUpperCase()
        .match(/.{1,50}/g) ?? []
    )
      .map((line) => line.replaceAll(/../g, '=$&'))
      .join('=\r\n'),
  binary: (content: Buffer) => content.toString('latin1'),
};
const connector = imapConnector({ hosts: ['127.0.0.1'] });
const messages = connector.entities.find(({ id }) => id === 'imap-messages') as EntityDefinition;
let dovecot: Dovecot;
let mailbox: MailboxControl;

function createClient(port = dovecot.ports.plain): ProviderClient {
  const fields = { host: '127.0.0.1', port: String(port), security: 'none', user: 'ada' };
  return new ProviderClient({
    connector,
    scheduler: new Scheduler(connector.quota),
    credentials: async () => ({ accessToken: PASSWORD, fields, scopes: [] }),
    signal: new AbortController().signal,
  });
}

/** Returns the records of a mailbox by subject. */
async function readRecords(name: string): Promise<Map<string, ConnectorRecord>> {
  const source = messages.read({
    client: createClient(),
    settings: { mailbox: name },
    checkpoint: null,
    cursor: null,
    limit: 1000,
    signal: new AbortController().signal,
    stored: nothingStored,
  });
  const found = new Map<string, ConnectorRecord>();
  for await (const { records } of source)
    for (const record of records) found.set(documentOf(record).subject, record);
  return found;
}

/** Stores mails, and returns the records of them in the same order. */
async function store(name: string, mails: readonly Pick<MailWithFiles, 'name' | 'source'>[]) {
  await mailbox.create(name);
  for (const { source } of mails) await mailbox.deliver(name, source);
  const records = await readRecords(name);
  return mails.map((mail) => records.get(mail.name) as ConnectorRecord);
}

const fetchAll = (record: ConnectorRecord, maxBytes?: number) =>
  fetchFiles(messages, record, { client: createClient(), ...(maxBytes !== undefined && { maxBytes }) });

describe.skipIf(DOVECOT_MISSING)('files of IMAP messages', () => {
  beforeAll(async () => {
    dovecot = await Dovecot.start({ ada: PASSWORD });
    mailbox = new MailboxControl(dovecot, 'ada', PASSWORD);
  });
  afterAll(async () => {
    mailbox?.close();
    await dovecot?.stop();
  });

  it.each([
    ['small', 0, 400],
    ['large', 60_000, 90_000],
  ])(
    'are fetched byte for byte from %s messages',
    async (kind, padding, alone) => {
      const mails = [...mailsWithFiles(padding), mailOfFile(alone)];
      const records = await store(kind, mails);
      for (const [at, { name, files }] of mails.entries()) {
        const contents = await fetchAll(records[at] as ConnectorRecord);
        // The structure of a large message lists outer files first.
        const inOrder = (all: Buffer[]) =>
          name === 'nested multiparts' ? all.toSorted((one, other) => one.compare(other)) : all;
        expect(inOrder(contents.map((content) => Buffer.from(content as Uint8Array))), name).toEqual(
          inOrder(files),
        );
      }
    },
    180_000,
  );

  it('are refused beyond the limit, before they are fetched', async () => {
    const [record] = await store('limit', [mailOfFile(300_000)]);
    expect(await fetchAll(record as ConnectorRecord, 299_000)).toEqual(['too-large']);
    expect(await fetchAll(record as ConnectorRecord, 200)).toEqual(['too-large']);
    expect((await fetchAll(record as ConnectorRecord, 300_000))[0]).toHaveLength(300_000);
    const [small] = await store('small limit', [mailOfFile(300)]);
    expect(await fetchAll(small as ConnectorRecord, 299)).toEqual(['too-large']);
  });

  it('of several megabytes are fetched in pieces', async () => {
    const mail = mailOfFile(5_000_000);
    const [record] = await store('megabytes', [mail]);
    const [content] = await fetchAll(record as ConnectorRecord, 5_000_000);
    expect(Buffer.from(content as Uint8Array).equals(mail.files[0] as Buffer)).toBe(true);
  }, 60_000);

  it('are gone with their message, its mailbox or its numbers', async () => {
    const mail = mailOfFile(500);
    const [record] = await store('gone', [mail, { ...mail, name: 'another' }]);
    const [uid = 0] = (await mailbox.list('gone')).map((one) => one.uid);
    await mailbox.remove('gone', uid);
    expect(await fetchAll(record as ConnectorRecord)).toEqual(['record-gone']);
    const [other] = await store('renumbered', [mail]);
    await mailbox.recreate('renumbered');
    await mailbox.deliver('renumbered', mail.source);
    expect(await fetchAll(other as ConnectorRecord)).toEqual(['record-gone']);
    await mailbox.delete('renumbered');
    expect(await fetchAll(other as ConnectorRecord)).toEqual(['record-gone']);
    expect(await fetchAll({ ...(other as ConnectorRecord), id: 'odd' })).toEqual(['record-gone']);
  });

  it.each([200, 50_000])('are not confused with others if the list changed (%d bytes)', async (padding) => {
    const mails = mailsWithFiles(padding).filter(({ name }) => name === 'the same name twice');
    const [record] = await store(`changed ${padding}`, mails);
    const [first = Buffer.alloc(0)] = mails[0]?.files ?? [];
    const ask = async (file: { filename: string; mimeType: string }, index: number, count: number) =>
      messages.fetchAttachment?.({
        client: createClient(),
        recordId: record?.id ?? '',
        file,
        index,
        count,
        maxBytes: 1_000_000,
      });
    const same = { filename: 'same.bin', mimeType: 'application/octet-stream' };
    expect(Buffer.from((await ask(same, 0, 9)) as Uint8Array)).toEqual(first);
    expect(await ask(same, 3, 9)).toBe('attachment-gone');
    expect(await ask({ ...same, filename: 'removed.bin' }, 0, 9)).toBe('attachment-gone');
    // The name was read otherwise when it was stored.
    expect(Buffer.from((await ask({ ...same, filename: 's?me.bin' }, 0, 4)) as Uint8Array)).toEqual(first);
    const filler = { filename: 'filler.bin', mimeType: 'application/octet-stream' };
    expect(await ask(filler, 0, 9)).toHaveLength(padding);
  });
});

describe('files of a server that answers oddly', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.close());

  const ask = (maxBytes: number) =>
    messages.fetchAttachment?.({
      client: createClient(server.port),
      recordId: 'INBOX/7/1',
      file: { filename: 'filler.bin', mimeType: 'application/octet-stream' },
      index: 1,
      count: 2,
      maxBytes,
    });
  const sourceOf = (padding: number) => String(mailsWithFiles(padding)[0]?.source.toString('latin1'));

  it('are read from the source without a structure, which is fetched up to the limit', async () => {
    server.mails = [{ uid: 1, source: sourceOf(300_000) }];
    expect(await ask(300_000)).toHaveLength(300_000);
    server.contentBytes = 0;
    server.mails = [{ uid: 1, source: sourceOf(3_000_000) }];
    expect(await ask(100_000)).toBe('mail-too-large');
    expect(server.contentBytes).toBeLessThan(1_000_000);
  });

  it('fail if the server refuses them or sends more than was asked for', async () => {
    server.mails = [{ uid: 1, source: sourceOf(50_000), instead: 'refusal' }];
    await expect(ask(100_000)).rejects.toMatchObject({ failure: 'invalid' });
    // The server sends the whole mail for each piece after the first.
    server.piece = (content, start, most) => (start > 0 ? content : content.slice(0, most));
    server.mails = [{ uid: 1, source: sourceOf(3_000_000) }];
    await expect(ask(3_000_000)).rejects.toMatchObject({ failure: 'malformed' });
    server.mails = [];
    expect(await ask(100_000)).toBe('record-gone');
  });

  const CUT_OFF = {
    failure: 'malformed',
    message:
      'The mail server sent only a part of this file. Try again, or save it in your mail program instead.',
  };

  /** A large mail with a file, and its structure. @param size of the file that the structure says. Default: the true one */
  function mailOfPart(content: Buffer, encoding: keyof typeof WRITERS, size?: number): ScriptedMail {
    const encoded = WRITERS[encoding](content);
    const text = 'Hello Ada '.repeat(5000);
    const head = `Content-Type: application/octet-stream; name=filler.bin\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    const other = 'Content-Type: application/pdf; name=a.pdf\r\n\r\n';
    return {
      uid: 1,
      source: `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${text}\r\n--b\r\n${other}pdf\r\n--b\r\n${head}${encoded}\r\n--b--\r\n`,
      structure: `(("TEXT" "PLAIN" NIL NIL NIL "7BIT" ${text.length} 1 NIL NIL NIL)("APPLICATION" "PDF" ("NAME" "a.pdf") NIL NIL "7BIT" 3 NIL NIL NIL)("APPLICATION" "OCTET-STREAM" ("NAME" "filler.bin") NIL NIL "${encoding}" ${size ?? encoded.length} NIL NIL NIL) "MIXED" ("BOUNDARY" "b") NIL NIL)`,
      parts: { '1': text, '2.MIME': other, '2': 'pdf', '3.MIME': head, '3': encoded },
    };
  }
  const limitTo =
    (most: number): ScriptedServer['piece'] =>
    (content, start, asked) =>
      content.slice(start, start + Math.min(asked, most));

  it.each([1500, 64 * 1024, 500_000, 1_000_000])(
    'are whole, or an error, from one that sends at most %d bytes at a time',
    async (most) => {
      for (const encoding of ['base64', 'quoted-printable', 'binary'] as const)
        for (const length of [0, 1, 1000, most, 40 * most].filter((one) => one <= 1_200_000)) {
          const content = randomBytes(length);
          server.piece = limitTo(most);
          for (const size of [undefined, 0]) {
            server.mails = [mailOfPart(content, encoding, size)];
            const file = Buffer.from((await ask(4_000_000)) as Uint8Array);
            expect(file.equals(content), `${length} ${encoding} ${size}`).toBe(true);
          }
          const { length: sent } = server.mails[0]?.parts?.['3'] ?? '';
          server.mails = [mailOfPart(content, encoding, sent + 1)];
          await expect(ask(4_000_000), `${length} ${encoding}`).rejects.toMatchObject(CUT_OFF);
        }
    },
  );

  it('are whole from one that says a size that is too small', async () => {
    const content = randomBytes(1_100_000);
    server.mails = [mailOfPart(content, 'base64', 10)];
    expect(Buffer.from((await ask(2_000_000)) as Uint8Array).equals(content)).toBe(true);
  });

  it.each([null, ''])('fail if the server sends %j instead of a piece', async (nothing) => {
    const content = randomBytes(1_100_000);
    for (const from of [0, 1, 512 * 1024, 1024 * 1024]) {
      server.piece = (text, start, most) =>
        text.length > 1_000_000 && start >= from ? nothing : text.slice(start, start + most);
      server.mails = [mailOfPart(content, 'base64')];
      await expect(ask(2_000_000)).rejects.toMatchObject(CUT_OFF);
      const { structure: _, ...unstructured } = mailOfPart(content, 'base64');
      server.mails = [unstructured];
      await expect(ask(2_000_000)).rejects.toMatchObject(CUT_OFF);
    }
  });

  it.each([0, 10, 1000, 5000, 20_000])('are whole from small mails in pieces of %d bytes', async (most) => {
    server.mails = [{ uid: 1, source: sourceOf(12_000) }];
    const expected = await ask(100_000);
    expect(expected).toHaveLength(12_000);
    server.piece = limitTo(most);
    if (most === 0) await expect(ask(100_000)).rejects.toMatchObject(CUT_OFF);
    else expect(await ask(100_000)).toEqual(expected);
    // The server says a size that is too large, and the mail has the end of the file.
    server.piece = limitTo(100_000);
    server.rewrite = (_, lines) => lines.map((text) => text.replace(/RFC822.SIZE \d+/, 'RFC822.SIZE 31000'));
    expect(await ask(100_000)).toEqual(expected);
    for (const lost of [12, 100, 5000]) {
      server.mails = [{ uid: 1, source: sourceOf(12_000).slice(0, -lost) }];
      await expect(ask(100_000)).rejects.toMatchObject(CUT_OFF);
    }
  });

  it('are refused as too large by their own size, or with their mail', async () => {
    const content = randomBytes(30_000);
    const limits = async (encoding: keyof typeof WRITERS, maxBytes: number) => {
      server.mails = [mailOfPart(content, encoding)];
      const file = await ask(maxBytes);
      return typeof file === 'string' ? file : file?.length;
    };
    for (const encoding of ['base64', 'binary', 'quoted-printable'] as const)
      expect(await limits(encoding, 100_000)).toBe(30_000);
    expect(await limits('base64', 30_000)).toBe(30_000);
    expect(await limits('binary', 30_000)).toBe(30_000);
    for (const maxBytes of [29_999, 1000])
      for (const encoding of ['base64', 'binary'] as const)
        expect(await limits(encoding, maxBytes)).toBe('too-large');
    // Quoted-printable triples most bytes.
    expect(await limits('quoted-printable', 65_000)).toBe(30_000);
    expect(await limits('quoted-printable', 30_000)).toBe('mail-too-large');
  });
});
