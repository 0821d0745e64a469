import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { deliverMail } from './support/deliver-mail.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

const MEI = 'mei.tanaka@sandbox.example';

/** Delivers a mail to Mei's mailbox. */
const deliver = (url: string, subject: string) =>
  deliverMail(
    { url },
    {
      to: MEI,
      headers: ['From: Zoe Quartz <zoe@quartz.example>', `To: ${MEI}`, `Subject: ${subject}`],
      body: 'The ship is on its way.',
    },
  );

test('refines a search, saves it as a view, and hears of a new match', async ({
  page,
  openAs,
  workspace,
}) => {
  const { url } = workspace;
  const mei = await new Client({ url }).signIn(MEI);
  await mei.connect('google', MEI);
  await mei.connect('github', 'ada-nowak');
  await deliver(url, 'Cargo for Zanzibar');
  await deliver(url, 'Papers for Zanzibar');
  const syncMails = () => runSync(mei, 'gmail-messages', { labelIds: 'INBOX' });
  await syncMails();
  await runSync(mei, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });

  // Several kinds of records: the menu asks which.
  await openAs(mei, '/dashboard/data/search?q=zanzibar%20OR%20repo%3Adotfiles');
  const menuButton = page.getByRole('button', { name: 'Refine or save' });
  await menuButton.click();
  const menu = page.getByRole('menu');
  await expect(menu.getByText(/^Gmail · Messages \(2\)$/)).toBeVisible();
  await expect(menu.getByText(/^GitHub · Pull [Rr]equests \(\d+\)$/)).toBeVisible();
  await expect(menu.getByRole('menuitem')).toHaveCount(7);
  await expectSound(page);
  const mails = menu.getByRole('group', { name: /^Gmail/ });
  await mails.getByRole('menuitem', { name: 'Refine with JSONata' }).click();

  // The query page has the search, and evaluates expressions over all found records.
  const field = page.getByRole('textbox', { name: 'Only records that match' });
  await expect(field).toHaveValue('zanzibar OR repo:dotfiles');
  await expect(page.getByText('2 results', { exact: true })).toBeVisible();
  await field.fill('zanzibar form:zoe');
  await expect(page.getByText(/There is no operator form:/)).toBeVisible();
  await field.fill('zanzibar papers');
  await expect(page.getByText('1 result', { exact: true })).toBeVisible();
  await field.fill('zanzibar from:zoe');
  await expect(page.getByText('2 results', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Query expression' }).fill('$.subject');
  await page.getByRole('switch', { name: 'All results' }).click();
  await expect(page.getByRole('tree', { name: 'Query output' })).toContainText('Papers for Zanzibar');
  await expectSound(page);
  await page.getByRole('button', { name: 'Save as View' }).click();
  const saving = page.getByRole('dialog', { name: 'Save as View' });
  await expect(saving.getByRole('region', { name: 'Search' })).toHaveText('zanzibar from:zoe');
  await saving.getByRole('textbox', { name: 'Name' }).fill('Zanzibar subjects');
  await saving.getByRole('textbox', { name: 'Description' }).fill('For a test.');
  await saving.getByRole('button', { name: 'Save' }).click();
  await expect(saving).toBeHidden();

  // The view shows its search, and Update changes it.
  await page.goto(`${url}/dashboard/data/views?provider=google&entity=gmail-messages`);
  await page.getByRole('button', { name: 'Zanzibar subjects' }).click();
  await expect(page.getByRole('region', { name: 'Search' })).toHaveText('zanzibar from:zoe');
  await page.getByRole('button', { name: 'Update' }).click();
  const updating = page.getByRole('dialog', { name: 'Update View' });
  await updating.getByRole('textbox', { name: 'Search' }).fill('zanzibar cargo');
  await updating.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region', { name: 'Search' })).toHaveText('zanzibar cargo');

  // An alert on the search itself.
  await page.goto(`${url}/dashboard/data/search?q=subject%3Azanzibar`);
  await menuButton.click();
  await expect(menu.getByRole('menuitem')).toHaveCount(4);
  await menu.getByRole('menuitem', { name: 'Alert me' }).click();
  await expect(saving.getByRole('textbox', { name: 'Description' })).toHaveValue(
    'Records that match subject:zanzibar',
  );
  await saving.getByRole('textbox', { name: 'Name' }).fill('Mail about Zanzibar');
  await saving.getByRole('button', { name: 'Save' }).click();
  const watching = page.getByRole('dialog', { name: 'Watch "Mail about Zanzibar"' });
  await watching.getByRole('button', { name: 'Save' }).click();
  await expect(watching.getByText(/^2 rows, compared/)).toBeVisible();
  await watching.getByRole('button', { name: 'Close' }).click();

  await deliver(url, 'News from Zanzibar');
  await deliver(url, 'News from elsewhere');
  await syncMails();
  await page.getByRole('button', { name: /^Notifications: 1 unread/ }).click();
  await expect(page.getByText('Mail about Zanzibar changed')).toBeVisible();
  await expect(page.getByText('1 row appeared.')).toBeVisible();
  await page.getByRole('button', { name: 'Open: Mail about Zanzibar changed' }).click();
  await expect(page.getByRole('region', { name: 'Search' })).toHaveText('subject:zanzibar');
  // What the page still asks for must not meet the deletion.
  await page.goto('about:blank');
  // Other journeys begin with nothing connected.
  await mei.json('DELETE', '/api/accounts/delete-account');
});
