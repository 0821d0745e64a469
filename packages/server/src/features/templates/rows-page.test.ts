import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { allRows, runSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;
const db = () => server.product.context.db.$client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await runSync(ada, 'gmail-labels');
  expect(await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' })).toMatchObject({
    status: 'finished',
  });
});
afterAll(() => server?.remove());

describe('the result of a template', () => {
  it('is computed once and stored in pages for all processes', async () => {
    const stored = async () => {
      const { rows } = await db().query(
        "select page, json_array_length(rows) as rows, computed_at from template_pages where template = 'messages-by-sender' order by page",
      );
      return rows;
    };
    await allRows(ada, 'gmail-messages', 'messages-by-sender');
    await until(async () => (await stored()).length > 1);
    const before = await stored();

    const rows = await allRows(ada, 'gmail-messages', 'messages-by-sender');

    expect(before.map(({ page }) => page)).toEqual(before.map((_, index) => index + 1));
    expect(before.reduce((sum, page) => sum + page.rows, 0)).toBe(rows.length);
    expect(await stored()).toEqual(before);
  });

  it('has database statistics of the expressions by which it groups', async () => {
    const { rows } = await db().query<{ name: string }>(
      "select stxname as name from pg_statistic_ext where stxrelid = 'gh_pulls'::regclass order by 1",
    );
    expect(rows.map(({ name }) => name).filter((name) => name.includes('group'))).toEqual(
      [0, 1, 2].map((index) => `gh_pulls_group_${index}`),
    );
  });
});
