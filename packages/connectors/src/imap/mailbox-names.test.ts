import { textOfSetting, validateSettings } from '@datadeck/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NamedMailbox, NamedMailboxes } from '../../test-support/imap/named-mailboxes.ts';
import { ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { Reader } from '../sdk/conformance/reading.ts';
import { imapConnector } from './index.ts';

const EIGHT_BIT = ['Entwürfe', '日本', 'Ä%', 'Ä*', 'Ä "x"', ' Ä ', 'Ä & Ö'];
/** Names as the server writes them. Neighbours differ by what a careless client adds, removes or replaces. */
const NAMES = [
  ...[
    'INBOX',
    'Work',
    ' Work',
    'Work ',
    ' Work ',
    'Work  ',
    'work',
    'Work/',
    '/Work',
    'Work/ sub',
    'Work /sub',
  ],
  ...['100%', '100', '100%%', '%', '*', 'a*', 'ab', 'a*b', 'axb', 'a%c', 'axc', 'a/c'],
  ...[
    '"quoted"',
    'quoted',
    'one"',
    'back\\slash',
    'backslash',
    'back\\\\slash',
    '\\',
    'end\\',
    '\\"',
    "it's",
  ],
  ...[
    'R&D',
    'R&-X',
    'R-X',
    'a & b',
    'AT&T',
    '&',
    '& ',
    'x&',
    '&AOQ',
    '&AOQ-',
    '&AOQ-rger',
    'M&APw-ll',
    '&-&-',
  ],
  ...['(paren)', '{brace}', '{5}', '[x]', '~tilde', '#news', 'NIL', 'nil', '""', 'a\tb', 'a  b', 'a b'],
  ...['100% & more', 'a* & b', 'ab & b', '"q" & "r"', '\\ & ', ' & lead', '& lead'],
  // 8-bit names, as servers send them that ignore modified UTF-7.
  ...EIGHT_BIT.map((name) => Buffer.from(name).toString('latin1')),
];
let server: ScriptedServer;

beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(() => server.close());

function readerOf(entity: string, settings: Record<string, string>): Reader {
  const fields = { host: '127.0.0.1', port: String(server.port), security: 'none', user: 'ada' };
  return new Reader(
    { entity, settings },
    {
      connector: imapConnector({ hosts: ['127.0.0.1'] }),
      credentials: { accessToken: 'secret', fields, scopes: [] },
    },
  );
}

function serve(names: readonly string[], more: Partial<NamedMailbox> = {}): void {
  const mailboxes = names.map((name, index) => ({
    ...{ name, ...more },
    mails: [{ uid: index + 1, source: `Subject: ${index}\r\n\r\nHello` }],
  }));
  new NamedMailboxes(server, mailboxes);
}

async function listedIds(): Promise<string[]> {
  const { pages } = await readerOf('imap-mailboxes', {}).run();
  return pages.flatMap(({ records }) => records.map(({ id }) => id));
}

/** Reads a mailbox by a listed id, as a form sends it. @returns the subjects of its messages */
async function subjectsOf(id: string): Promise<unknown[]> {
  const { entity } = readerOf('imap-messages', {});
  const [setting] = entity.settings;
  if (!setting) throw new Error('no setting');
  expect(validateSettings(entity.settings, { mailbox: id })).toEqual({});
  expect(textOfSetting(setting, { mailbox: id })).toBe(id);
  const { pages } = await readerOf('imap-messages', { mailbox: id }).run();
  return pages.flatMap(({ records }) => records.map(({ columns }) => columns.subject));
}

describe('mailbox names', () => {
  it.each([
    ['the usual delimiter', {}],
    ['no delimiter', { delimiter: 'NIL' }],
    ['a dot as delimiter', { delimiter: '"."' }],
    ['attributes in another case', { attributes: '\\hasNOchildren \\MARKED' }],
    ['8-bit bytes in quotes', { isQuoted: true }],
  ])(
    'are all read by the listed name, and no neighbour is (%s)',
    async (_, more) => {
      serve(NAMES, more);
      const ids = await listedIds();
      expect(new Set(ids).size).toBe(NAMES.length);
      expect(ids).toEqual(expect.arrayContaining(EIGHT_BIT));
      const read: unknown[] = [];
      for (const id of ids) read.push(...(await subjectsOf(id)));
      expect(read.map(Number).sort((a, b) => a - b)).toEqual(NAMES.map((_, index) => index));
    },
    60_000,
  );

  it('are not found if only their neighbours exist', async () => {
    serve(NAMES);
    const ids = await listedIds();
    for (const name of NAMES.filter((one) => one !== 'INBOX')) {
      serve(NAMES.filter((other) => other !== name));
      const others = await listedIds();
      const gone = ids.filter((id) => !others.includes(id));
      expect(gone, name).toHaveLength(1);
      const [id = ''] = gone;
      expect(await readerOf('imap-messages', { mailbox: id }).failure(), name).toBe('not-found');
    }
  }, 60_000);

  it.each([
    '\\Noselect',
    '\\NoSelect',
    '\\NOSELECT',
    '\\noselect',
    '\\NonExistent',
    '\\NONEXISTENT',
    '\\HasChildren \\noSelect',
  ])('are not listed if the mailbox cannot be opened (%s)', async (attributes) => {
    const closed = { name: 'Closed', attributes, mails: [] };
    new NamedMailboxes(server, [closed, { name: 'Open', attributes: '\\HasNoChildren', mails: [] }]);
    expect(await listedIds()).toEqual(['Open']);
  });
});
