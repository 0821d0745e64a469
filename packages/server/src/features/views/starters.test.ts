import {
  createViewSchema,
  isAvailable,
  type QueryAnswer,
  STARTERS,
  toCreateView,
  type View,
  type ViewResults,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
const REPOSITORY = { owner: 'ada-nowak', repo: 'dotfiles' };
/** What persons may have connected. */
const PROVIDERS = [
  ['github', 'google'],
  ['github', 'imap'],
  ['github', 'google', 'imap', 'outlook'],
  ['imap', 'outlook'],
  ['github'],
  [],
] as const;
let server: TestServer;
let ada: Client;

/** Delivers a mail to Ada's inbox. */
function deliver(from: string, headers: Record<string, string>): void {
  const lines = Object.entries({ From: from, To: ADA, Date: new Date().toUTCString(), ...headers });
  const raw = `${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\nText\r\n`;
  server.control.gmail.insertRaw(ADA, raw);
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gh-pulls', REPOSITORY);
  await runSync(ada, 'gh-commits', REPOSITORY);
  const topic = '<ada-nowak/dotfiles/pull/2@github.com>';
  deliver('GitHub <notifications@github.com>', { Subject: 'About two', 'Message-ID': topic });
  deliver('Jonas <notifications@github.com>', {
    Subject: 'Re: About two',
    'Message-ID': '<ada-nowak/dotfiles/pull/2/c1@github.com>',
    'In-Reply-To': topic,
  });
  deliver('GitHub <notifications@github.com>', {
    Subject: 'About twenty',
    'Message-ID': '<ada-nowak/dotfiles/pull/20@github.com>',
  });
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
}, 120_000);
afterAll(() => server?.remove());

/** Saves a starter as the Views screen does, and reads it. @returns its rows */
async function rowsOf(
  title: string,
  values: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const starter = STARTERS.find((one) => one.title === title);
  const written = starter && toCreateView(starter, new Set(['github', 'google']));
  if (!written) throw new Error(`no starter ${title}`);
  const view = await ada.post<View>('/api/data/views', written);
  const rows: Record<string, unknown>[] = [];
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ page: String(page), parameters: JSON.stringify(values) });
    const { results, count } = await ada.get<ViewResults>(`/api/data/views/aggregate/${view._id}?${query}`);
    rows.push(...(results as Record<string, unknown>[]));
    if (rows.length >= count) return rows;
  }
}

/** Evaluates an expression over all rows of a template. */
async function query(entryCollection: string, templateKey: string, jsonNataQuery: string): Promise<unknown> {
  const answer = await ada.post<QueryAnswer>('/api/data/query', {
    entryCollection,
    templateKey,
    jsonNataQuery,
  });
  return answer.results[0];
}

describe('a starter', () => {
  it.each(
    STARTERS.flatMap((starter) =>
      PROVIDERS.map((keys) => [starter.title, keys.join(' and '), starter, keys] as const),
    ),
  )('fits the rules of views: %s of %s', (_title, _keys, starter, keys) => {
    const written = toCreateView(starter, new Set(keys));
    expect(written === undefined).toBe(!isAvailable(starter, new Set(keys)));
    if (written) expect(createViewSchema.safeParse(written).error).toBeUndefined();
  });

  it('shows reviews and conversations that wait for me', async () => {
    const rows = await rowsOf('Waiting for me');
    const reviews = await query('gh-pulls', 'pulls-waiting', '$count($[reviewer = "ada-nowak"])');
    const mails = (await query(
      'gmail-messages',
      'messages-all',
      '[[$.{"t": threadId, "f": from.address, "l": labelIds}]]',
    )) as { t: string; f: string; l: string[] }[];
    const newest = mails.filter((mail, index) => mails.findIndex(({ t }) => t === mail.t) === index);
    const inbox = newest.filter(({ f, l }) => l.includes('INBOX') && f !== ADA);
    const waiting = inbox.filter(({ f }) => !/^(no-?reply|notifications)/.test(f));
    expect(waiting.length).toBeLessThan(inbox.length);
    expect(rows.filter(({ kind }) => kind === 'Review')).toHaveLength(Number(reviews));
    expect(rows.filter(({ kind }) => kind === 'Mail')).toHaveLength(waiting.length);
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThan(newest.length);
    const since = rows.map((row) => String(row.since));
    expect(since).toEqual(since.toSorted().reverse());
  });

  it('shows the mails about one pull request, with its title', async () => {
    const rows = await rowsOf('Mails about this pull request', { repository: 'ada-nowak/dotfiles', pull: 2 });
    const pull = await query('gh-pulls', 'pulls-all', '$[number = 2].title');
    expect(rows.map(({ subject, from, pull: title }) => [subject, from, title]).toSorted()).toEqual([
      ['About two', 'GitHub', pull],
      ['Re: About two', 'Jonas', pull],
    ]);
  });

  it('shows mails and commits by person', async () => {
    const rows = await rowsOf('People');
    const addresses = rows.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
    const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
    expect(sum('commits')).toBe(await query('gh-commits', 'commits-all', '$count($)'));
    const ids = '$count($distinct($[from.address].($lowercase(from.address) & messageId)))';
    expect(sum('mails')).toBe(await query('gmail-messages', 'messages-all', ids));
    expect(rows.some(({ commits, mails }) => Number(commits) > 0 && Number(mails) > 0)).toBe(true);
  });
});
