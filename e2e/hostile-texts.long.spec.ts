import type { Locator } from '@playwright/test';
import { hostileMarkdown } from '../packages/connectors/test-support/hostile-markdown.ts';
import { allRows, runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { actOnSandbox } from './support/act-on-sandbox.ts';
import { deliverMail } from './support/deliver-mail.ts';
import { expect, test } from './support/journey.ts';
import { watchPage } from './support/watched-page.ts';

test.use({ hasTestSandbox: true });

const ADA = 'ada.nowak@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
/** Longest time in which a page may not respond, ms. */
const DEADLINE_MS = 2000;
/** Longest text of those that all are shown, UTF-16 units; of the longer ones some. */
const SHORT = 16_000;
const LONG = [
  'deep quotes',
  'unclosed emphasis',
  'references without a definition',
  'a wide table',
  'a bomb of cells',
];
const TEXTS = [...hostileMarkdown()].filter(
  ({ name, markdown }) => markdown.length <= SHORT || LONG.includes(name),
);
const THREAD = '19b0c0ffee0c0ffe';
/** What no hostile text may change. */
const TITLE = /Datadeck/;

/** Clicks controls that no longer match once they were clicked. */
async function clickAll(controls: Locator): Promise<void> {
  for (let left = await controls.count(); left > 0; left--) {
    await controls.first().click();
    await expect(controls).toHaveCount(left - 1);
  }
}

test('shows hostile Markdown: nothing leaves its frame, nothing freezes', async ({
  page,
  datadeck: { url },
}) => {
  expect(TEXTS.length).toBeGreaterThan(40);
  const ada = await new Client({ url }).signIn(ADA);
  await ada.connect('github', 'ada-nowak');
  for (const { name, markdown } of TEXTS)
    await actOnSandbox(url, 'github.insertPull', 'ada-nowak/dotfiles', { title: name, body: markdown });
  await runSync(ada, 'gh-pulls', DOTFILES);
  const rows = (await allRows(ada, 'gh-pulls', 'pulls-all')) as { id: number; title: string }[];
  const idOf = new Map(rows.map(({ id, title }) => [title, id]));
  const deeds = await watchPage(page, url, ada.token);
  for (const { name } of TEXTS) {
    const record = new URLSearchParams({ record: `github/gh-pulls/${idOf.get(name)}`, of: 'ada-nowak' });
    const address = `${url}/dashboard/data/search?${record}`;
    await page.goto(address);
    const reading = page.getByRole('dialog', { name, exact: true });
    await expect(reading, name).toBeVisible();
    // A text without visible content has no frame.
    await expect(
      reading.locator('iframe[title="Formatted text"]').or(reading.getByText(/No text|no text/)),
    ).toBeAttached();
    expect(await deeds.takeLongestGap(), name).toBeLessThan(DEADLINE_MS);
    expect(deeds.forbidden, name).toEqual([]);
    expect(page.url(), name).toBe(address);
    expect(await page.title(), name).toMatch(TITLE);
    const others = () =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url());
    await expect.poll(() => others().filter((at) => at !== 'about:srcdoc'), name).toEqual([]);
  }
});

test('shows a conversation of hostile mails: nothing leaves their frames', async ({
  page,
  datadeck: { url },
}) => {
  const traps = TEXTS.filter(({ markdown, name }) => markdown.length < 200 && !name.startsWith('random'));
  expect(traps.length).toBeGreaterThan(15);
  for (const [index, { name, markdown }] of traps.entries()) {
    const headers = [
      `From: "${name.replaceAll('"', '')}" <mallory${index}@hostile.example>`,
      'Subject: Re: A hostile conversation',
      'Content-Type: text/html',
    ];
    await deliverMail(
      { url },
      { to: ADA, headers, threadId: THREAD, body: `<p>Mail ${index}</p>${markdown}<blockquote>${markdown}` },
    );
  }
  const ada = await new Client({ url }).signIn(ADA);
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  const deeds = await watchPage(page, url, ada.token);
  await page.goto(`${url}/dashboard/data/search?q=from%3Ahostile.example`);
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click();
  const list = page.getByRole('dialog').getByRole('list', { name: 'Conversation' });
  await expect(list.getByRole('listitem').first()).toBeVisible();
  const address = page.url();
  await clickAll(list.getByRole('button', { expanded: false }));
  // The text of an opened mail arrives later.
  await expect(list.getByRole('switch', { name: 'Show formatted mail' })).toHaveCount(traps.length);
  await clickAll(list.getByRole('switch', { name: 'Show formatted mail', checked: false }));
  await expect(list.locator('iframe[title="Formatted mail"]')).toHaveCount(traps.length);
  expect(await deeds.takeLongestGap()).toBeLessThan(DEADLINE_MS);
  expect(deeds.forbidden).toEqual([]);
  expect(page.url()).toBe(address);
  expect(await page.title()).toMatch(TITLE);
});
