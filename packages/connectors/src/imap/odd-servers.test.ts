import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Reader } from '../../test-support/conformance/reading.ts';
import { ODD_BEHAVIOURS } from '../../test-support/imap/odd-servers/behaviours.ts';
import { ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import type { Page } from '../sdk/index.ts';
import { imapConnector } from './index.ts';
import { readUidSet } from './uid-set.ts';

const MAILS = 130;
let server: ScriptedServer;
let reader: Reader;

beforeEach(async () => {
  server = await ScriptedServer.start();
  server.mails = Array.from({ length: MAILS }, (_, index) => ({
    uid: index + 1,
    source: `Subject: number ${index + 1}\r\n\r\nHello`,
  }));
  const fields = { host: '127.0.0.1', port: String(server.port), security: 'none', user: 'ada' };
  reader = new Reader(
    { entity: 'imap-messages', settings: { mailbox: 'INBOX' } },
    {
      connector: imapConnector({ hosts: ['127.0.0.1'] }),
      credentials: { accessToken: 'secret', fields, scopes: [] },
    },
  );
});
afterEach(() => server.close());

/** Returns the UIDs of pages: stored, named as unreadable, and removed. */
function uidsOf(pages: readonly Page[]) {
  const uid = (id: string) => Number(id.slice(id.lastIndexOf('/') + 1));
  const stored = pages.flatMap(({ records }) => records.map(({ id }) => uid(id)));
  const named = pages.flatMap(({ unreadable = [] }) => unreadable.map(uid));
  // The server never had message 900, which one behaviour lists for a while.
  const removed = pages.flatMap(({ removed = [] }) => removed.map(uid)).filter((one) => one !== 900);
  return { stored, named, removed };
}

/** Checks that each message that the server has listed is stored or named. */
function expectAll(pages: readonly Page[], isPartial: boolean): void {
  const { stored, named } = uidsOf(pages);
  const missing = server.mails.filter(({ uid }) => !stored.includes(uid) && !named.includes(uid));
  // A message that no answer lists is unknown; the run then reports that its list is partial.
  if (!isPartial) expect(missing).toEqual([]);
}

describe.each(ODD_BEHAVIOURS)('IMAP server with $name', ({ rewrite }) => {
  // @covers 10.imap-odd-servers
  it('loses nothing in a first, an incremental, a killed and a resumed run', async () => {
    server.rewrite = rewrite;
    const first = await reader.run();
    expectAll(first.pages, first.completion.isListPartial === true);
    const { stored } = uidsOf(first.pages);
    expect(new Set(stored).size).toBe(stored.length);

    const second = await reader.run({ cursor: first.completion.cursor });
    expect(uidsOf(second.pages).removed).toEqual([]);
    // Only messages whose content the server did not send before are asked for.
    const { known } = first.completion.cursor as { known: Record<string, string> };
    const askedAgain = new Set(readUidSet(known[''] ?? ''));
    expect(uidsOf(second.pages).stored.filter((uid) => !askedAgain.has(uid))).toEqual([]);

    const [killed] = first.pages;
    const resumed = await reader.run({ checkpoint: killed?.checkpoint ?? null });
    expectAll([...(killed ? [killed] : []), ...resumed.pages], resumed.completion.isListPartial === true);
  });

  // @covers 10.imap-odd-servers
  it('removes nothing that a run before stored, and finds it again', async () => {
    const first = await reader.run();
    server.rewrite = rewrite;
    const odd = await reader.run({ cursor: first.completion.cursor });
    expect(uidsOf(odd.pages).removed).toEqual([]);

    server.rewrite = undefined;
    const last = await reader.run({ cursor: odd.completion.cursor });
    expect(uidsOf(last.pages)).toMatchObject({ named: [], removed: [] });
  });
});
