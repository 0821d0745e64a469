import type { SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;

const query = (sql: string, values?: unknown[]) => server.product.context.db.$client.query(sql, values);
const searchFor = (q: string) => ada.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q })}`);

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
});
afterAll(() => server?.remove());

describe('search result', () => {
  it('shows what kind of record a result is, without the marks of Markdown', async () => {
    const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((filename) => ({ filename }));
    await query(
      `update gmail_messages set hash = hash || 'x', unread = true, attachments = 3, sender_name = 'Zoe',
        data = jsonb_set(jsonb_set(data::jsonb, '{attachments}', $1), '{subject}', '"Quokka files"')::json
      where id = (select max(id) from gmail_messages)`,
      [JSON.stringify(files)],
    );
    await query(
      `update gh_pulls set hash = hash || 'x', state = 'open', merged_at = null, draft = true, number = 7, reviewers = '{amy}',
        data = jsonb_set(data::jsonb, '{body}', '"## **Quokka** [docs](https://a.example)"')::json
      where id = (select max(id) from gh_pulls)`,
    );
    const [mail] = (await searchFor('subject:quokka')).results;
    const [pull] = (await searchFor('quokka docs')).results;

    expect(mail?.mail).toEqual({ sender: 'Zoe', isUnread: true, files: ['a.pdf', 'b.pdf'], fileCount: 3 });
    expect(pull?.pull).toEqual({
      reference: 'ada-nowak/dotfiles #7',
      state: 'open',
      isDraft: true,
      isReviewRequested: true,
    });
    expect(pull?.excerpt).toEqual([
      { text: 'Quokka', isMatch: true },
      { text: ' ', isMatch: false },
      { text: 'docs', isMatch: true },
    ]);
  });
});
