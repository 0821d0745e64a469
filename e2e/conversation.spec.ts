import { readFile } from 'node:fs/promises';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { deliverMail } from './support/deliver-mail.ts';
import { expect, test } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';

test.use({ hasTestSandbox: true });

const ADA = 'ada.nowak@sandbox.example';
/** The file of a mail of the sample. */
const LOAD_TEST = 'run,p50_ms,p99_ms,rss_mb\r\n1,412,2590,188\r\n2,420,2644,190\r\n3,1877,30112,189\r\n';

test('reads a conversation by keyboard, and a mail with its quote folded', async ({ page, datadeck }) => {
  const { url } = datadeck;
  const headers = ['From: Trent <trent@zoo.example>', 'Subject: Quokkas', 'Content-Type: text/html'];
  const body = '<p>Yes, on Monday.</p><blockquote type="cite"><p>Shall we meet?</p></blockquote>';
  await deliverMail({ url }, { to: ADA, headers, body });
  const ada = await new Client({ url }).signIn(ADA);
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  await page.addInitScript((token) => {
    if (location.protocol.startsWith('http')) localStorage.setItem('dd-authToken', JSON.stringify(token));
  }, ada.token);

  await page.goto(`${url}/dashboard/data/search?q=subject%3Aload+from%3Asamuel+attached`);
  const results = page.getByRole('list', { name: 'Results' });
  await expect(results).toContainText('4 mails in this conversation');
  await results.getByRole('link').first().click();
  const list = page.getByRole('dialog').getByRole('list', { name: 'Conversation' });
  await expect(list.getByRole('button', { expanded: true })).toHaveCount(2);
  await expect(list.getByText('Attached the raw numbers.').first()).toBeVisible();
  const folded = list.getByRole('button', { expanded: false });
  await expect(folded).toHaveCount(2);
  await folded.first().focus();
  await page.keyboard.press('Enter');
  await expect(folded).toHaveCount(1);

  await page.goto(`${url}/dashboard/data/search?q=from%3Atrent`);
  await results.getByRole('link').first().click();
  await page.getByRole('switch', { name: 'Show formatted mail' }).click();
  const frame = page.frameLocator('iframe[title="Formatted mail"]');
  await expect(frame.getByText('Yes, on Monday.')).toBeVisible();
  await expect(frame.getByText('Shall we meet?')).toBeHidden();
  await frame.getByText('Show quoted text').click();
  await expect(frame.getByText('Shall we meet?')).toBeVisible();
});

test('saves a file of a mail in a demo workspace', async ({ page, datadeck, faults }) => {
  const demo = await new Client({ url: datadeck.url }).demo();
  await page.addInitScript((token) => {
    if (location.protocol.startsWith('http')) localStorage.setItem('dd-authToken', JSON.stringify(token));
  }, demo.token);
  await page.goto(`${datadeck.url}/dashboard/data/search?q=filename%3Aload-test`);
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click();
  const files = page.getByRole('dialog').getByRole('region', { name: 'Attachments' });
  const waiting = page.waitForEvent('download');
  await files.getByRole('button', { name: 'Save CSV load-test.csv 76 B' }).focus();
  await page.keyboard.press('Enter');
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('load-test.csv');
  const bytes = await readFile(await download.path());
  expect(bytes.toString()).toBe(LOAD_TEST);
  expect(await download.failure()).toBeNull();

  faults.add('/attachment');
  const error = { code: 'reconnect-needed', message: 'Gmail no longer grants access.' };
  await page.route(/\/attachment\?/, (route) => route.fulfill({ status: 409, json: { error } }));
  await page.keyboard.press('Enter');
  await expect(files.getByRole('alert')).toHaveText('Gmail no longer grants access. Open Providers');
  await expectSound(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page);
});
