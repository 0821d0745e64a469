import type { Page } from '@playwright/test';
import { DOVECOT_MISSING, type Dovecot } from '../packages/connectors/test-support/imap/index.ts';
import { Hand, reportClicks } from './support/hand.ts';
import { expect, signIn, test } from './support/journey.ts';
import { MAILBOX_PASSWORD, startMailbox } from './support/own-mailbox.ts';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });

test.describe.configure({ timeout: 360_000 });

test('a newcomer needs few clicks to connect, synchronise, make a view with a chart and watch it', async ({
  page,
  datadeck,
}) => {
  await signIn(page, datadeck, 'ada.nowak@sandbox.example');

  const connecting = new Hand();
  await connecting.press(button(page, 'Connect GitHub'));
  await connecting.press(page.getByRole('radio', { name: 'ada-nowak' }));
  await connecting.press(button(page, 'Authorize Datadeck'));
  await connecting.press(button(page, 'Synchronize GitHub'));
  const details = page.getByRole('dialog', { name: /Overview/ });
  await connecting.type(details.getByLabel('Repository owner username', { exact: true }), 'aurora-labs');
  await connecting.type(details.getByLabel('Repository name', { exact: true }), 'harbor');
  await connecting.press(details.getByRole('button', { name: 'Sync', exact: true }));
  await connecting.press(details.getByRole('button', { name: 'See 260 records' }));
  await expect(page.getByText('260 results')).toBeVisible();
  reportClicks('Connect and synchronise', connecting.clicks, 8);

  await page.goto(`${datadeck.url}/dashboard/data/query`);
  const charting = new Hand();
  await charting.press(button(page, /^Pull requests by author/));
  await charting.press(button(page, 'Make a view'));
  const dialog = page.getByRole('dialog', { name: 'Save as View' });
  await charting.press(dialog.getByRole('button', { name: 'Save' }));
  await charting.press(button(page, 'Open'));
  // The Query screen, which stays until the view is loaded, has such a radio, too.
  await expect(page.getByRole('heading', { name: 'Views', level: 1 })).toBeVisible();
  await charting.press(page.getByRole('radio', { name: 'Chart' }));
  await charting.press(button(page, 'Save display'));
  await expect(button(page, 'Save display')).toBeHidden();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Chart' })).toBeChecked();
  reportClicks('Make a view with a chart', charting.clicks, 6);

  const watching = new Hand();
  await watching.press(button(page, 'Watch'));
  const alerts = page.getByRole('dialog', { name: /^Watch/ });
  await watching.press(alerts.getByRole('button', { name: 'Save' }));
  await expect(alerts.getByText('Rows that appear')).toBeVisible();
  reportClicks('Set an alert', watching.clicks, 4);
});

test.describe('a mailbox by IMAP', () => {
  test.skip(DOVECOT_MISSING !== undefined, DOVECOT_MISSING);
  let dovecot: Dovecot;
  test.beforeAll(async () => {
    dovecot = await startMailbox();
  });
  test.afterAll(() => dovecot?.stop());

  test('is connected and synchronised with few clicks', async ({ page, datadeck }) => {
    await signIn(page, datadeck, 'ada.nowak@sandbox.example');
    const hand = new Hand();
    await hand.press(button(page, 'Connect IMAP'));
    const form = page.getByRole('dialog', { name: 'Connect IMAP' });
    await hand.type(form.getByLabel('Mail server'), '127.0.0.1');
    // Port and security have the values that mail servers use; this one is a private one without a certificate.
    await form.getByLabel('Port').fill(String(dovecot.ports.plain));
    await form.getByLabel('Security').click();
    await page.getByRole('option', { name: 'None (this machine only)' }).click();
    await hand.type(form.getByLabel('User name'), 'ada');
    await hand.type(form.getByLabel('Password'), MAILBOX_PASSWORD);
    await hand.press(form.getByRole('button', { name: 'Connect' }));
    await hand.press(button(page, 'Synchronize IMAP'));
    const details = page.getByRole('dialog', { name: /Overview/ });
    await hand.press(details.getByRole('button', { name: 'Sync', exact: true }));
    await expect(details.getByText('Finished').first()).toBeVisible();
    await expect(details.getByRole('button', { name: /^See \d+ record/ })).toBeVisible();
    reportClicks('Connect a mailbox and synchronise', hand.clicks, 7);
  });
});
