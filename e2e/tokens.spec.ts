import { Client } from '../packages/server/test-support/test-server.ts';
import { expect, test } from './support/workspace.ts';

const ACCOUNT = '/dashboard/account';

test('creates a token, shows it once, lists its use, and revokes it', async ({ page, openAs, workspace }) => {
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  await openAs(user, ACCOUNT);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill('Backup script');
  await dialog.getByRole('radio', { name: 'Read' }).check();
  await dialog.getByLabel('Expires after').selectOption('30 days');
  await dialog.getByRole('button', { name: 'Create token' }).click();

  const created = page.getByRole('dialog', { name: 'Your new token' });
  const token = await created.getByLabel('Token', { exact: true }).inputValue();
  expect(token).toMatch(/^ddt_/);
  await created.getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByText(token)).toHaveCount(0);
  await expect(page.getByText('Never used')).toBeVisible();

  const call = (path: string) =>
    fetch(`${workspace.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await call('/api/data/search')).status).toBe(200);
  expect((await call('/api/accounts/tokens')).status).toBe(403);
  // A call is logged after its answer.
  const uses = () => user.get<{ count: number }>('/api/accounts/tokens/uses?page=1');
  await expect.poll(async () => (await uses()).count).toBe(2);
  await page.getByRole('button', { name: 'Access log' }).click();
  const log = page.getByRole('dialog', { name: 'Access log' });
  await expect(log.getByText('GET /api/data/search')).toBeVisible();
  await expect(log.getByText('403')).toBeVisible();
  await log.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Revoke Backup script' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Backup script was revoked')).toBeVisible();
  expect((await call('/api/data/search')).status).toBe(401);
});

test('creates a token for one view with a number of rows', async ({ page, openAs, workspace }) => {
  const user = await new Client(workspace).signIn('ada.nowak@sandbox.example');
  const { _id: viewId } = await user.post<{ _id: string }>('/api/data/views', {
    title: 'Board for visitors',
    description: 'Open pull requests',
    jsonNataQuery: '$',
    basedOn: null,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  await openAs(user, ACCOUNT);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill('Visitors');
  await dialog.getByRole('radio', { name: 'One view' }).check();
  await dialog.getByLabel('Rows in all').fill('500');
  await expect(dialog.getByRole('button', { name: 'Create token' })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'View' }).click();
  await page.getByRole('option', { name: 'Board for visitors' }).click();
  await dialog.getByRole('button', { name: 'Create token' }).click();

  const token = await page.getByLabel('Token', { exact: true }).inputValue();
  const headers = { authorization: `Bearer ${token}` };
  expect(
    (await fetch(`${workspace.url}/api/data/views/aggregate/${viewId}?page=1`, { headers })).status,
  ).toBe(200);
  expect((await fetch(`${workspace.url}/api/data/search`, { headers })).status).toBe(403);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByText(/Board for visitors · \d+ of 500 rows used/)).toBeVisible();
});
