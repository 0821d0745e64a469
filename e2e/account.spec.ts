import type { Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { expect, test } from './support/workspace.ts';

const ACCOUNT = '/dashboard/account';

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('dd-authToken'));

// @covers 1.all-data-can 4.account-deletion-clears 8.account-deleted-successfully 8.account-data-deleted
// @covers 8.confirmations-delete-account
test('deletes all data, then the account, each after a confirmation', async ({ page, openAs, workspace }) => {
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  await user.post('/api/data/views/category', { title: 'Soon gone' });
  await openAs(user, ACCOUNT);
  const question = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Delete all data' }).click();
  await expect(question).toContainText(
    'Are you sure you want to delete all your data? This action is irreversible',
  );
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await user.get('/api/data/views/categories')).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete all data' }).click();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Account data was deleted successfully')).toBeVisible();
  expect(await user.get('/api/data/views/categories')).toEqual([]);
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(question).toContainText(
    'Are you sure you want to delete your account? This action is irreversible',
  );
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Account deleted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  await expect.poll(() => storedToken(page)).toBeNull();
  expect((await user.call('GET', '/api/accounts')).status).toBe(401);
});

// @covers 1.sign-demo-user 2.dashboard-goes-integrations 2.token-state-none 2.avatar-first-letter
// @covers 2.once-profile-loaded 4.logout-clears-token
test('signs in as Demo User; Log out clears the token', async ({ page, workspace }) => {
  await page.goto(workspace.url);
  await page.getByRole('button', { name: 'Demo User' }).click();
  await expect(page).toHaveURL(/\/dashboard\/integrations\/providers$/);
  await expect.poll(() => storedToken(page)).not.toBeNull();
  await expect(page.getByRole('button', { name: 'Account menu' })).toHaveText('D');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/dashboard\/account$/);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  await expect.poll(() => storedToken(page)).toBeNull();
  await page.goto(`${workspace.url}/dashboard/data/views`);
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
});

// @covers 2.return-sign-token 2.return-sign-error 2.sign-another-browser 8.logging-failed
test('asks before it completes a sign-in that another browser began, and reports a failed one', async ({
  page,
  workspace,
  faults,
}) => {
  faults.add('/auth/sign-in');
  const addressOf = (result: object) => `${workspace.url}/?res=${encodeURIComponent(JSON.stringify(result))}`;
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  await page.goto(addressOf({ error: 'refused' }));
  await expect(page.getByText('Logging in failed')).toBeVisible();
  await expect(page).toHaveURL(`${workspace.url}/`);

  const token = await new Client(workspace).returnFromSignIn('mei.tanaka@sandbox.example');
  await page.goto(addressOf({ token, error: null }));
  const question = page.getByRole('heading', {
    name: 'Continue as Mei Tanaka (mei.tanaka@sandbox.example)?',
  });
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(`${workspace.url}/`);
  expect(await stored()).not.toContain('dd-');
  expect(await page.context().cookies(`${workspace.url}/auth`)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  expect(await stored()).not.toContain('dd-');

  const another = await new Client(workspace).returnFromSignIn('mei.tanaka@sandbox.example');
  await page.goto(addressOf({ token: another, error: null }));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/dashboard\/integrations\/providers$/);
  const session = await storedToken(page);
  expect(session).toMatch(/^"[\w-]{40,}"$/);
  expect(session).not.toBe(JSON.stringify(another));
  // The address is worth nothing to the next who finds it in the history.
  await page.evaluate(() => localStorage.clear());
  await page.goto(addressOf({ token: another, error: null }));
  await expect(page.getByText('Logging in failed')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
});

// @covers 2.sign-signed-asks
test('asks before a second sign-in; / opens the dashboard of the signed-in user', async ({
  page,
  openAs,
  workspace,
  faults,
}) => {
  faults.add('/auth/sign-in');
  await openAs('standard', ACCOUNT);
  await expect(page.getByLabel('Email')).toHaveValue('ada.nowak@sandbox.example');
  const before = await storedToken(page);
  await page.goto(workspace.url);
  await expect(page).toHaveURL(/\/dashboard\/integrations\/providers$/);
  const token = await new Client(workspace).returnFromSignIn('mei.tanaka@sandbox.example');
  const address = `${workspace.url}/?res=${encodeURIComponent(JSON.stringify({ token, error: null }))}`;
  await page.goto(address);
  await expect(page.getByRole('heading', { name: /^Continue as Mei Tanaka/ })).toBeVisible();
  expect(await storedToken(page)).toBe(before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/dashboard\/integrations\/providers$/);
  expect(await storedToken(page)).toBe(before);
  for (const worthless of ['unknown', workspace.users.pro.token]) {
    await page.goto(`${workspace.url}/?res=${encodeURIComponent(JSON.stringify({ token: worthless }))}`);
    await expect(page.getByText('Logging in failed')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\/integrations\/providers$/);
    expect(await storedToken(page)).toBe(before);
  }
});

test('explains an ended session, and returns to the same screen after sign-in', async ({
  page,
  openAs,
  workspace,
  faults,
}) => {
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  const place = '/dashboard/data/views?provider=github&entity=gh-pulls';
  await openAs(user, place);
  await expect(page.getByText('View has not been selected.')).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(workspace.url + ACCOUNT);
  await expect(other.getByLabel('Email')).toHaveValue('mei.tanaka@sandbox.example');
  faults.add('/api/');
  // No user action follows: each tab learns from the end of its event stream or from another tab.
  await user.call('POST', '/auth/logout');
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  await expect(other.getByText(/^Your session has ended/)).toBeVisible();
  await other.close();
  await expect(
    page.getByText('Your session has ended. Sign in again to continue where you were.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Demo User' }).click();
  await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  await expect(page.getByText(/^Your session has ended/)).toHaveCount(0);
});

test('follows the sign-in and sign-out of another tab', async ({ page, openAs, workspace }) => {
  const mei = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  await mei.post('/api/data/views/category', { title: 'To stay' });
  await openAs('pro', ACCOUNT);
  await expect(page.getByLabel('Email')).toHaveValue('jonas.weber@sandbox.example');
  await page.getByRole('button', { name: 'Delete all data' }).click();
  const other = await page.context().newPage();
  const token = await new Client(workspace).returnFromSignIn('mei.tanaka@sandbox.example');
  await other.goto(`${workspace.url}/?res=${encodeURIComponent(JSON.stringify({ token }))}`);
  await other.getByRole('button', { name: 'Continue' }).click();
  // The question that was open was Jonas's.
  await expect(page.getByLabel('Email')).toHaveValue('mei.tanaka@sandbox.example');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  expect(await mei.get('/api/data/views/categories')).toHaveLength(1);
  await mei.call('DELETE', '/api/accounts/delete-data');
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
});
