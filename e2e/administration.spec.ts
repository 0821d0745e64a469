import { Client } from '../packages/server/test-support/test-server.ts';
import { expect, linkIn, signInByLink, test } from './support/journey.ts';

const ADA = 'ada.nowak@sandbox.example';

test('the first account manages the accounts of the server', async ({ page, datadeck }) => {
  const ada = await new Client(datadeck).signIn(ADA);
  await signInByLink(page, linkIn(await datadeck.admin('login', 'root@example.org')));
  expect(await datadeck.admin('users')).toMatch(/root@example\.org {2}"root" {2}administrator/);

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await expect(page.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible();
  await expect(page.getByText('2 accounts', { exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: /^Search by name/ }).fill('NOWAK');
  await expect(page.getByText('1 account', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Details of Ada Nowak' }).click();
  const details = page.getByRole('dialog', { name: 'Ada Nowak', exact: true });

  await details.getByRole('radio', { name: 'Pro' }).click();
  await expect(page.getByText('The plan is pro now')).toBeVisible();
  expect((await ada.get<{ status: string }>('/api/accounts')).status).toBe('pro');

  await details.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Ada Nowak was signed out')).toBeVisible();
  expect((await ada.call('GET', '/api/accounts')).status).toBe(401);

  await details.getByRole('button', { name: 'Delete account' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete Ada Nowak' });
  const confirm = deletion.getByRole('button', { name: 'Delete account' });
  await deletion.getByLabel('Type the address of the account').fill('ada.nowak');
  await expect(confirm).toBeDisabled();
  await deletion.getByLabel('Type the address of the account').fill(ADA);
  await confirm.click();
  await expect(page.getByText('No account matches this search')).toBeVisible();
  expect(await datadeck.admin('users')).not.toContain(ADA);

  await page.getByRole('radio', { name: 'Audit log' }).click();
  const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
  await expect(entries).toHaveCount(5);
  await expect(entries.first()).toContainText(
    /^Account\s*root \(root@example\.org\) deleted account [0-9a-f]{8}/,
  );
  await expect(entries.nth(2)).toContainText('standard → pro');
  await expect(entries.last()).toContainText(/^Shell/);
  await expect(entries.last()).toContainText('printed a sign-in link for root (root@example.org)');
});
