import type { Page } from '@playwright/test';
import { hostileMails } from '../packages/connectors/test-support/hostile-html.ts';
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

/** Delivers HTML mails to Ada and opens the page that finds them. */
async function openMails(page: Page, { url }: Datadeck): Promise<void> {
  for (const { name, html } of MAILS) {
    const headers = [
      'From: Mallory <mallory@hostile.example>',
      `Subject: ${name}`,
      'Content-Type: text/html',
    ];
    await deliverMail({ url }, { to: ADA, headers, body: `<p>The first line</p>${html}` });
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
  await openMails(page, datadeck);
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
