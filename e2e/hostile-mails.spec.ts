import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { hostileMails } from '../packages/connectors/test-support/hostile-html.ts';
import { hostileFiles, mailOfFiles } from '../packages/connectors/test-support/mail/hostile-files.ts';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { deliverMail } from './support/deliver-mail.ts';
import { type Datadeck, expect, test } from './support/journey.ts';

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

interface Measured extends Window {
  longestGap: number;
}

interface Mail {
  name: string;
  type: string;
  body: string;
}

/** Delivers mails to Ada and opens the page that finds them. */
async function openMails(page: Page, { url }: Datadeck, mails: readonly Mail[]): Promise<void> {
  for (const { name, type, body } of mails) {
    const headers = ['From: Mallory <mallory@hostile.example>', `Subject: ${name}`, `Content-Type: ${type}`];
    await deliverMail({ url }, { to: ADA, headers, body });
  }
  const ada = await new Client({ url }).signIn(ADA);
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  await page.addInitScript((token) => {
    if (!location.protocol.startsWith('http')) return;
    localStorage.setItem('dd-authToken', JSON.stringify(token));
    const measured = window as unknown as Measured;
    let last = performance.now();
    measured.longestGap = 0;
    setInterval(() => {
      const now = performance.now();
      measured.longestGap = Math.max(measured.longestGap, now - last);
      last = now;
    }, 20);
  }, ada.token);
  await page.goto(`${url}/dashboard/data/search?q=from%3Ahostile.example`);
}

/** Returns the longest time since the last call in which the page did not respond, ms. */
const takeLongestGap = (page: Page) =>
  page.evaluate(() => {
    const measured = window as unknown as Measured;
    const gap = measured.longestGap;
    measured.longestGap = 0;
    return gap;
  });

/** Shows the open mail as its sender formatted it, and measures how long the page does not respond. */
async function showFormatted(page: Page, name: string): Promise<void> {
  const reading = page.getByRole('dialog', { name });
  const formatted = reading.getByRole('switch', { name: 'Show formatted mail' });
  await expect(formatted).toBeVisible();
  await takeLongestGap(page);
  await formatted.click();
  const frame = page.frameLocator('iframe[title="Formatted mail"]');
  await expect(frame.getByText('The first line').first()).toBeVisible();
  // A frame is painted after its text is found.
  await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
  expect(await takeLongestGap(page), name).toBeLessThan(DEADLINE_MS);
}

test('shows hostile mails without a pause, also after a reload', async ({ page, datadeck }) => {
  expect(MAILS).toHaveLength(SHOWN.size + 2);
  const mails = MAILS.map(({ name, html }) => ({
    name,
    type: 'text/html',
    body: `<p>The first line</p>${html}`,
  }));
  await openMails(page, datadeck, mails);
  for (const { name } of MAILS) {
    await page.getByRole('list', { name: 'Results' }).getByRole('link', { name, exact: true }).click();
    await showFormatted(page, name);
    if (name === '<p>unclosed b before paragraphs' || name === CUT_OFF) {
      await page.reload();
      await showFormatted(page, name);
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
  const deeds: string[] = [];
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(datadeck.url) && !/^(about|data|blob):/.test(to)) deeds.push(to);
  });
  page.on('dialog', (dialog) => {
    deeds.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (other) => deeds.push(`a page: ${other.url()}`));
  await openMails(page, datadeck, [{ name: 'Files', ...mailOfFiles(files) }]);
  await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'Files' }).click();
  const address = page.url();
  const list = page.getByRole('dialog').getByRole('region', { name: 'Attachments' });
  await list.getByRole('button', { name: 'Show 54 more files' }).click();
  const items = list.getByRole('listitem');
  await expect(items).toHaveCount(60);
  await takeLongestGap(page);
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
  expect(await takeLongestGap(page)).toBeLessThan(DEADLINE_MS);
  expect(deeds).toEqual([]);
  expect(page.url()).toBe(address);
  await expect(page).toHaveTitle(/Datadeck/);
});
