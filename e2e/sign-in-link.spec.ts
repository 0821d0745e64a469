import { expect, linkIn, signInByLink, test } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';

// A Datadeck of one's own on which nothing is configured yet.
test.use({ settings: { SANDBOX: 'off' } });

const NONE_SET_UP =
  /No sign-in provider is set up on this server. The administrator can print a sign-in link/;

test('signs in by a printed link once, and explains a second use', async ({ page, datadeck, faults }) => {
  faults.add('/auth/sign-in');
  await page.goto(datadeck.url);
  await expect(page.getByText(NONE_SET_UP)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Google' })).toHaveCount(0);

  const first = linkIn(datadeck.output());
  await page.goto(first);
  await expect(page.getByRole('heading', { name: 'Continue as owner (owner@localhost)?' })).toBeVisible();
  await signInByLink(page, first);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  await page.goto(first);
  await expect(page.getByText('This sign-in has expired or was already used. Sign in again.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  await expect(page).toHaveURL(`${datadeck.url}/`);

  const second = linkIn(await datadeck.admin('login', 'mei@example.org'));
  await page.goto(second);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await signInByLink(page, second);
  await page.goto(`${datadeck.url}/dashboard/account`);
  await expect(page.getByLabel('Email')).toHaveValue('mei@example.org');
});

test('changes name and address of an account of a printed link', async ({ page, datadeck, faults }) => {
  faults.add('/api/accounts');
  await datadeck.admin('login', 'mei@example.org');
  await signInByLink(page, linkIn(datadeck.output()));
  await page.goto(`${datadeck.url}/dashboard/account`);
  await page.getByRole('button', { name: 'Edit profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Name and address' });
  await dialog.getByLabel('Name').fill('Ada Nowak');
  await dialog.getByLabel('Email').fill('Mei@example.org');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Another account of this server has this address')).toBeVisible();
  await dialog.getByLabel('Email').fill('ada@example.org');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.org');
  const command = await page.getByText(/^datadeck users --verify/).innerText();
  await datadeck.admin(...command.split(' ').slice(1));
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Ada Nowak');
  await expect(page.getByText(/^Unverified/)).toHaveCount(0);
});

test('offers only what works while neither Google nor GitHub has a client', async ({ page, datadeck }) => {
  await signInByLink(page, linkIn(datadeck.output()));
  const gmail = page.getByRole('article', { name: 'Gmail' });
  await expect(gmail.getByText(/GOOGLE_CLIENT_ID/)).toBeVisible();
  await expect(gmail.getByRole('button', { name: /Connect/ })).toHaveCount(0);
  for (const [provider, field] of [
    ['GitHub', 'Personal access token'],
    ['IMAP', 'Mail server'],
  ] as const) {
    const card = page.getByRole('article', { name: provider });
    await expect(card.getByRole('button')).toHaveText(['Manage', 'Connect']);
    await card.getByRole('button', { name: `Connect ${provider}` }).click();
    await expect(page.getByRole('dialog').getByLabel(field)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});
