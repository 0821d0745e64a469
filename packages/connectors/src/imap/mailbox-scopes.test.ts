import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NamedMailbox, NamedMailboxes } from '../../test-support/imap/named-mailboxes.ts';
import { ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { Reader } from '../sdk/conformance/reading.ts';
import type { ScopeChoice, ScopeDefinition } from '../sdk/index.ts';
import { imapConnector } from './index.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(() => server.close());

function readerOf(settings: Record<string, string> = {}): Reader {
  const fields = { host: '127.0.0.1', port: String(server.port), security: 'none', user: 'ada' };
  const connector = imapConnector({ hosts: ['127.0.0.1'] });
  return new Reader(
    { entity: 'imap-messages', settings },
    { connector, credentials: { accessToken: 'secret', fields, scopes: [] } },
  );
}

const scopes = () => readerOf().entity.scopes as ScopeDefinition;

function serve(mailboxes: readonly (Partial<NamedMailbox> & { name: string })[]): void {
  const mails = (index: number) => [{ uid: index + 1, source: `Subject: ${index}\r\n\r\nHello` }];
  new NamedMailboxes(
    server,
    mailboxes.map((mailbox, index) => ({ mails: mails(index), ...mailbox })),
  );
}

async function list(pattern?: string): Promise<ScopeChoice[]> {
  const { signal } = new AbortController();
  const client = readerOf().client(signal);
  const choices: ScopeChoice[] = [];
  for await (const batch of scopes().list({ client, signal, ...(pattern === undefined ? {} : { pattern }) }))
    choices.push(...batch);
  return pattern === undefined ? choices : choices.filter((choice) => scopes().selects(pattern, choice));
}

describe('mailboxes to choose from', () => {
  it('have readable names and counts', async () => {
    serve([{ name: 'INBOX' }, { name: 'Entw&APw-rfe' }, { name: 'Closed', attributes: '\\Noselect' }]);
    expect(await list()).toEqual([
      expect.objectContaining({ name: 'INBOX', title: 'INBOX', count: 1, isTrash: false }),
      expect.objectContaining({ name: 'Entwürfe', title: 'Entwürfe', count: 1, changedAt: null }),
    ]);
  });

  it('are counted up to a bound, and not for a pattern', async () => {
    serve(Array.from({ length: 230 }, (_, index) => ({ name: `box-${String(index).padStart(3, '0')}` })));
    const all = await list();
    expect(all).toHaveLength(230);
    expect(all.filter(({ count }) => count !== null)).toHaveLength(200);
    const selected = await list('*');
    expect(selected).toHaveLength(230);
    expect(selected.every(({ count }) => count === null)).toBe(true);
  });

  it('are all but Trash and Junk by attribute or name, with what is in them', async () => {
    serve([
      { name: 'INBOX' },
      { name: 'Bin', attributes: '\\Trash' },
      { name: 'Bin/2025' },
      { name: 'Binary' },
      { name: 'Spam' },
      { name: 'Work' },
    ]);
    const names = async (pattern: string) => (await list(pattern)).map(({ name }) => name);
    expect(await names('* -trash')).toEqual(['INBOX', 'Binary', 'Work']);
    expect(await names('*')).toHaveLength(6);
  });

  it('that are called like a pattern have a name of their own', async () => {
    const names = ['*', '* -trash', '\\*', '\\* -trash', '\\\\*', '*a', '\\a'];
    serve(names.map((name) => ({ name })));
    const listed = await list();
    expect(new Set(listed.map(({ name }) => name)).size).toBe(names.length);
    const { isPattern, nameOf, settingsOf, problemOf } = scopes();
    for (const { name, title } of listed) {
      expect(isPattern(name), name).toBe(false);
      expect(problemOf(name)).toBeUndefined();
      expect(settingsOf(name)).toEqual({ mailbox: title });
      expect(nameOf(settingsOf(name))).toBe(name);
      const { pages } = await readerOf(settingsOf(name)).run();
      const [record] = pages.flatMap(({ records }) => records);
      expect(record?.columns.subject, name).toBe(String(names.indexOf(title)));
    }
    expect(nameOf({ mailbox: '*' })).toBe('\\*');
    expect(isPattern('*') && isPattern('* -trash')).toBe(true);
  });
});
