import { HookServer } from '../packages/server/test-support/hook-server.ts';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { expect, test } from './support/workspace.ts';

const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const SETTINGS = { owner: 'ada-nowak', repo: 'dotfiles' };

test('watches a view, sends a test, and shows what a sync changed', async ({ page, openAs, workspace }) => {
  const hook = await new HookServer().start();
  const user = await new Client({ url: workspace.url }).signIn('mei.tanaka@sandbox.example');
  await user.connect('github', 'ada-nowak');
  const view = { title: 'Watched', description: 'For a test.', jsonNataQuery: '$', templateKey: 'pulls-all' };
  const { _id } = await user.post<{ _id: string }>('/api/data/views', { ...PULLS, ...view });
  await openAs(user, `/dashboard/data/views?provider=github&entity=gh-pulls&view=${_id}`);

  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Watch "Watched"' });
  await expect(dialog.getByText('Mail (this installation sends none)')).toBeVisible();
  await dialog.getByRole('switch', { name: 'The bell' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Choose at least one way of delivery')).toBeVisible();
  await dialog.getByRole('switch', { name: 'The bell' }).click();
  await dialog.getByRole('textbox', { name: 'Webhook' }).fill('http://example.com/');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Must begin with https://')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Webhook' }).fill(hook.url);
  await dialog.getByRole('button', { name: 'Save' }).click();

  await expect(dialog.getByLabel('Secret', { exact: true })).toHaveValue(/^[\w-]{20,}$/);
  await expect(dialog.getByText('Rows that appear')).toBeVisible();
  await expect(dialog.getByText(/^0 rows, compared/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Send a test' }).click();
  const deliveries = dialog.getByRole('region', { name: /^Deliveries/ }).getByRole('listitem');
  await expect(deliveries).toHaveText([/^Bell · Test/, /^Webhook · Test.*Answered 200\.$/]);
  await expect(deliveries.getByRole('img', { name: 'Delivered', exact: true })).toHaveCount(2);

  await runSync(user, 'gh-pulls', SETTINGS);
  await expect(deliveries).toHaveCount(4);
  await expect(deliveries.first()).toHaveText(/\d+ rows appeared/);
  await expect(dialog.getByText(/^[1-9]\d* rows, compared/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await expect(dialog.getByText('Paused')).toBeVisible();
  await dialog.getByRole('button', { name: 'Edit: Rows that appear' }).click();
  await dialog.getByRole('switch', { name: 'disappear' }).click();
  await dialog.getByRole('radio', { name: 'Daily' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Rows that appear or disappear', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: /^Notifications: 2 unread/ }).click();
  await expect(page.getByText('Watched changed')).toBeVisible();
  await page.getByRole('button', { name: 'Open: Watched changed' }).click();
  await expect(page).toHaveURL(new RegExp(`view=${_id}`));
  await page.getByRole('button', { name: 'Watching (1)' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Alerts' }).click();
  const row = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
  await expect(row).toContainText('Paused');
  await row.getByRole('button', { name: /^Resume/ }).click();
  await expect(row).toContainText('Watching');
  await row.getByRole('button', { name: /^Snooze/ }).click();
  await page.getByRole('menuitem', { name: '1 hour' }).click();
  await expect(row).toContainText('Snoozed');
  await row.getByRole('link', { name: 'Watched' }).click();
  await page.getByRole('button', { name: 'Watching (1)' }).click();
  await dialog.getByRole('button', { name: 'Delete: Rows that appear or disappear' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('Rows that appear or disappear', { exact: true })).toBeHidden();
  hook.stop();
  // What the page still asks for must not meet the deletion.
  await page.goto('about:blank');
  // Other journeys begin with nothing connected.
  await user.json('DELETE', '/api/accounts/delete-account');
});
