import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOVECOT_MISSING, Dovecot, FaultProxy, MailboxControl } from '../../test-support/imap/index.ts';
import { idsOf, Reader } from '../sdk/conformance/reading.ts';
import { imapConnector } from './index.ts';

const ADA = { user: 'ada', password: 'open sesame' };
const INBOX = 'INBOX';
let dovecot: Dovecot;
let control: MailboxControl;
let counting: FaultProxy;
let plain: FaultProxy;

const append = (title: string) =>
  control.append(INBOX, `From: bo@example.org\r\nSubject: ${title}\r\n\r\nAbout ${title}.`);

/** Creates a reader that reads the mailbox like the sync engine. */
function readerOf(proxy: FaultProxy): Reader {
  const fields = { host: '127.0.0.1', port: String(proxy.port), security: 'none', user: ADA.user };
  return new Reader(
    { entity: 'imap-messages', settings: { mailbox: INBOX } },
    {
      connector: imapConnector({ hosts: ['127.0.0.1'] }),
      credentials: { accessToken: ADA.password, fields, scopes: [] },
    },
  );
}

describe.skipIf(DOVECOT_MISSING)('mail server without CONDSTORE', () => {
  beforeAll(async () => {
    dovecot = await Dovecot.start({ [ADA.user]: ADA.password });
    control = new MailboxControl(dovecot, ADA.user, ADA.password);
    counting = await FaultProxy.start(dovecot.ports.plain);
    plain = await FaultProxy.start(dovecot.ports.plain, true);
    for (const title of ['one', 'two', 'three', 'four']) await append(title);
  });
  afterAll(async () => {
    control?.close();
    await counting?.close();
    await plain?.close();
    await dovecot?.stop();
  });

  it('is read by incremental runs, which find every change and read nothing else', async () => {
    const reader = readerOf(plain);
    const first = await reader.run();
    expect(idsOf(first.pages)).toHaveLength(4);
    expect(first.completion).toMatchObject({ cursor: { older: '' }, truncated: false });

    const [before] = first.pages.flatMap((page) => page.records);
    const uids = (await control.list(INBOX)).map(({ uid }) => uid).sort((a, b) => a - b);
    await control.remove(INBOX, uids[0] ?? 0);
    await control.flag(INBOX, uids[3] ?? 0, '\\Flagged');
    const added = await append('five');
    const second = await reader.run({ cursor: first.completion.cursor });
    const records = second.pages.flatMap((page) => page.records);
    const uidOf = (id: string) => Number(id.slice(id.lastIndexOf('/') + 1));
    expect(records.map(({ id }) => uidOf(id))).toEqual([added, uids[3]]);
    expect(second.pages.flatMap(({ removed = [] }) => removed.map(uidOf))).toEqual([uids[0]]);

    const after = records.find(({ id }) => id === before?.id);
    expect(after?.data).not.toEqual(before?.data);
    expect(JSON.parse(String(after?.data))).toMatchObject({ flags: ['\\Flagged'] });
  });

  it('does not read again what the limit has cut off', async () => {
    const reader = readerOf(plain);
    const { pages, completion } = await reader.run({ limit: 3 });
    expect(completion).toMatchObject({ truncated: true });
    const added = await append('a newer one');
    const second = await reader.run({ limit: 3, cursor: completion.cursor });
    expect(idsOf(second.pages)).toEqual([expect.stringMatching(`/${added}$`)]);
    // The engine keeps the newest three.
    reader.restore([...second.pages, ...pages].flatMap(({ records }) => records).slice(0, 3));
    const third = await reader.run({ limit: 3, cursor: second.completion.cursor });
    expect(idsOf(third.pages)).toEqual([]);
    expect(
      await reader.entity.estimate(reader.request({ limit: 3, cursor: completion.cursor })),
    ).toMatchObject({
      records: 0,
    });
  });

  it('continues from a cursor of when the server had CONDSTORE', async () => {
    const before = readerOf(counting);
    const { completion } = await before.run();
    const { stored } = before.request();
    const { pages } = await readerOf(plain).run({ cursor: completion.cursor, stored });
    expect(idsOf(pages)).toEqual([]);
  });
});
