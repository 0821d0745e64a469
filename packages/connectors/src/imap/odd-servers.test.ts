import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ODD_BEHAVIOURS } from '../../test-support/imap/odd-servers/behaviours.ts';
import { type ScriptedMail, ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { Reader, type Run } from '../sdk/conformance/reading.ts';
import type { Page } from '../sdk/index.ts';
import { imapConnector } from './index.ts';
import { readUidSet } from './uid-set.ts';

const MAILS = 130;
/** A mail with a file, and one with a long text. Both are longer than what is read of each mail at first. */
const [WITH_FILE, LONG] = [40, 41];
const TEXT = 'All of the text.';
const LONG_TEXT = `${'word '.repeat(12_000)}the end`;
const LARGE_MAILS: Record<number, Omit<ScriptedMail, 'uid'>> = {
  [WITH_FILE]: {
    source: [
      'Subject: number 40\r\nContent-Type: multipart/mixed; boundary=b\r\n',
      `--b\r\nContent-Type: text/plain\r\n\r\n${TEXT}`,
      `--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n`,
      `${'JVBE'.repeat(25_000)}\r\n--b--\r\n`,
    ].join('\r\n'),
    structure:
      '(("TEXT" "PLAIN" NIL NIL NIL "7BIT" 16 1 NIL NIL NIL)("APPLICATION" "PDF" ("NAME" "a.pdf") NIL NIL "BASE64" 100000 NIL NIL NIL) "MIXED" ("BOUNDARY" "b") NIL NIL)',
    parts: { '1.MIME': 'Content-Type: text/plain\r\n\r\n', '1': TEXT },
  },
  [LONG]: {
    source: `Subject: number 41\r\n\r\n${LONG_TEXT}`,
    structure: `("TEXT" "PLAIN" NIL NIL NIL "7BIT" ${LONG_TEXT.length} 1 NIL NIL NIL)`,
  },
};
let server: ScriptedServer;
let reader: Reader;

beforeEach(async () => {
  server = await ScriptedServer.start();
  server.mails = Array.from({ length: MAILS }, (_, index) => ({
    uid: index + 1,
    source: `Subject: number ${index + 1}\r\n\r\nHello`,
    ...LARGE_MAILS[index + 1],
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

/** Checks that the texts of the large mails are complete, or said to be cut. */
function expectLargeTexts(pages: readonly Page[], askAgain: ReadonlySet<number>): void {
  const records = pages.flatMap((page) => page.records);
  const bodyOf = (uid: number) => {
    const data = records.find(({ id }) => id.endsWith(`/${uid}`))?.data;
    return data && (JSON.parse(String(data)) as { text: string; truncated: boolean });
  };
  for (const [uid, text] of [
    [WITH_FILE, TEXT],
    [LONG, LONG_TEXT],
  ] as const) {
    const body = askAgain.has(uid) ? undefined : bodyOf(uid);
    if (body) expect([uid, body.text.trim()]).toEqual([uid, body.truncated ? expect.any(String) : text]);
    if (body) expect(body.text).toContain(text.slice(0, 16));
  }
}

/** Returns the UIDs of messages whose content the server did not send, which each run asks for again. */
function askAgainOf({ completion }: Run): Set<number> {
  return new Set(readUidSet((completion.cursor as { askAgain: string }).askAgain));
}

describe.each(ODD_BEHAVIOURS)('IMAP server with $name', ({ start }) => {
  it('loses nothing in a first, an incremental, a killed and a resumed run', async () => {
    server.rewrite = start();
    const first = await reader.run();
    expectAll(first.pages, first.completion.isListPartial === true);
    const { stored } = uidsOf(first.pages);
    expect(new Set(stored).size).toBe(stored.length);

    const before = server.contentBytes;
    const second = await reader.run({ cursor: first.completion.cursor });
    expect(uidsOf(second.pages).removed).toEqual([]);
    const askAgain = askAgainOf(first);
    expect(uidsOf(second.pages).stored.filter((uid) => !askAgain.has(uid))).toEqual([]);
    // Nothing has changed, so no content is sent, not even of a message that is asked for again in vain.
    expect(server.contentBytes - before).toBe(0);
    expectLargeTexts(first.pages, askAgain);

    const [killed] = first.pages;
    const resumed = await reader.run({ checkpoint: killed?.checkpoint ?? null });
    expectAll([...(killed ? [killed] : []), ...resumed.pages], resumed.completion.isListPartial === true);
  });

  it('removes nothing that a run before stored, and finds it again', async () => {
    const first = await reader.run();
    server.rewrite = start();
    const odd = await reader.run({ cursor: first.completion.cursor });
    expect(uidsOf(odd.pages).removed).toEqual([]);

    server.rewrite = undefined;
    const last = await reader.run({ cursor: odd.completion.cursor });
    expect(uidsOf(last.pages)).toMatchObject({ named: [], removed: [] });
  });
});

/** Sets the UIDVALIDITY that the mailbox has when it is opened. */
function renumber(uidValidity: () => string): void {
  server.rewrite = (name, lines) =>
    name === 'EXAMINE'
      ? lines.map((text) => text.replace(/UIDVALIDITY \d+/, `UIDVALIDITY ${uidValidity()}`))
      : lines;
}

describe('IMAP server that changes UIDVALIDITY', () => {
  it.each(['8', '4294967295', '6'])('is read in full when it is %s in the next run', async (changed) => {
    const first = await reader.run();
    renumber(() => changed);
    expect(await reader.failure({ cursor: first.completion.cursor })).toBe('cursor-expired');
    expect(await reader.failure({ checkpoint: first.pages[0]?.checkpoint ?? null })).toBe('cursor-expired');
    const full = await reader.run();
    expectAll(full.pages, false);
    const ids = full.pages.flatMap(({ records }) => records.map(({ id }) => id));
    expect(ids.every((id) => id.includes(`/${changed}/`))).toBe(true);
  });

  it.each<[string, boolean]>([
    ['the bodies', true],
    ['the listing', false],
  ])('restarts a run that it interrupts in %s, and never mixes numberings', async (_, inBodies) => {
    let opened = 0;
    renumber(() => String(7 + opened));
    const { rewrite } = server;
    let left = 1;
    server.rewrite = (name, lines, line) => {
      if (name === 'FETCH' && line.includes('BODY') === inBodies && left-- > 0) {
        opened++;
        return [...lines.slice(0, 5), '* BYE renumbering'];
      }
      return rewrite?.(name, lines, line) ?? lines;
    };
    expect(await reader.failure()).toBe('cursor-expired');
    const full = await reader.run();
    expectAll(full.pages, false);
  });

  it('keeps its messages while it omits the number', async () => {
    const first = await reader.run();
    renumber(() => '0');
    const second = await reader.run({ cursor: first.completion.cursor });
    server.rewrite = undefined;
    const third = await reader.run({ cursor: second.completion.cursor });
    expect([second, third].map(({ pages }) => uidsOf(pages))).toEqual(
      Array.from({ length: 2 }, () => ({ stored: [], named: [], removed: [] })),
    );
  });
});
