import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { hostileMails } from '../packages/connectors/test-support/hostile-html.ts';
import { hostileFiles, mailOfFiles } from '../packages/connectors/test-support/mail/hostile-files.ts';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { deliverMail } from './support/deliver-mail.ts';
import { type Datadeck, expect, test } from './support/journey.ts';
import { type WatchedPage, watchPage } from './support/watched-page.ts';

test.use({ hasTestSandbox: true });

const ADA = 'ada.nowak@sandbox.example';
/** Longest time in which a page may not respond, ms. */
const DEADLINE_MS = 2000;
/** The mail of which only the beginning is shown. */
const CUT_OFF = 'deep table><tr><td';
const SHOWN = new Set([
  '<p>unclosed b before paragraphs',
  'a that ends in blocks',
  'unclosed font in misplaced texts',
  'thousands of attributes',
  'many styles',
  CUT_OFF,
  'deep blockquote',
  'end tags of p',
  'random tags 300',
]);
const TABLE = '<table width="90%"><tr><td width="50%" style="height:50%"><p>x<td>';
const MAILS = [
  ...[...hostileMails(900)].filter(({ name }) => SHOWN.has(name)),
  { name: 'nested tables in percent', html: TABLE.repeat(500) },
  { name: 'cells that span all', html: `<table>${'<td colspan="1000" rowspan="65534">x'.repeat(3000)}` },
];

interface Mail {
  name: string;
  type: string;
  body: string;
}

/** Delivers mails to Ada, opens the page that finds them and watches it. */
async function openMails(page: Page, { url }: Datadeck, mails: readonly Mail[]): Promise<WatchedPage> {
  for (const { name, type, body } of mails) {
    const headers = ['From: Mallory <mallory@hostile.example>', `Subject: ${name}`, `Content-Type: ${type}`];
    await deliverMail({ url }, { to: ADA, headers, body });
  }
  const ada = await new Client({ url }).signIn(ADA);
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  const watched = await watchPage(page, url, ada.token);
  await page.goto(`${url}/dashboard/data/search?q=from%3Ahostile.example`);
  return watched;
}

/** Shows the open mail as its sender formatted it, and measures how long the page does not respond. */
async function showFormatted(page: Page, { takeLongestGap }: WatchedPage, name: string): Promise<void> {
  const reading = page.getByRole('dialog', { name });
  const formatted = reading.getByRole('switch', { name: 'Show formatted mail' });
  await expect(formatted).toBeVisible();
  await takeLongestGap();
  await formatted.click();
  const frame = page.frameLocator('iframe[title="Formatted mail"]');
  await expect(frame.getByText('The first line').first()).toBeVisible();
  // A frame is painted after its text is found.
  await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
  expect(await takeLongestGap(), name).toBeLessThan(DEADLINE_MS);
}

test('shows hostile mails without a pause, also after a reload', async ({ page, datadeck }) => {
  expect(MAILS).toHaveLength(SHOWN.size + 2);
  const mails = MAILS.map(({ name, html }) => ({
    name,
    type: 'text/html',
    body: `<p>The first line</p>${html}`,
  }));
  const watched = await openMails(page, datadeck, mails);
  for (const { name } of MAILS) {
    await page.getByRole('list', { name: 'Results' }).getByRole('link', { name, exact: true }).click();
    await showFormatted(page, watched, name);
    if (name === '<p>unclosed b before paragraphs' || name === CUT_OFF) {
      await page.reload();
      await showFormatted(page, watched, name);
    }
    const notice = page.getByText('Only the beginning of this record is shown.');
    if (name === CUT_OFF) await expect(notice).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('saves hostile files under safe names, and runs none of them', async ({ page, datadeck }) => {
  const files = hostileFiles();
  expect(files).toHaveLength(60);
  const watched = await openMails(page, datadeck, [{ name: 'Files', ...mailOfFiles(files) }]);
  await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'Files' }).click();
  const address = page.url();
  const list = page.getByRole('dialog').getByRole('region', { name: 'Attachments' });
  await list.getByRole('button', { name: 'Show 54 more files' }).click();
  const items = list.getByRole('listitem');
  await expect(items).toHaveCount(60);
  await watched.takeLongestGap();
  // Each name once, and each content several times; the API returns all of them in its own test.
  for (const [index, { name, content }] of files.entries()) {
    if (index % 3 !== Math.floor(index / 3) % 3) continue;
    const waiting = page.waitForEvent('download', { timeout: 60_000 });
    const button = items.nth(index).getByRole('button');
    await button.click();
    await expect(button).toHaveAccessibleName(/^Save /);
    await expect(list.getByRole('alert')).toBeHidden();
    const download = await waiting;
    const saved = download.suggestedFilename();
    expect(saved, name).toMatch(/^[^.\s][^\\/:*?"<>|\p{Cc}\p{Zl}\u200b\u202e]*$/u);
    expect(saved, name).not.toMatch(/^(con|nul)(\.|$)/i);
    expect(await readFile(await download.path())).toEqual(content);
  }
  expect(await watched.takeLongestGap()).toBeLessThan(DEADLINE_MS);
  expect(watched.forbidden).toEqual([]);
  expect(page.url()).toBe(address);
  await expect(page).toHaveTitle(/Datadeck/);
});
