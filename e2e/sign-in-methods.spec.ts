import { expect, type Page, test } from '@playwright/test';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import {
  type OpenIdProvider,
  startOpenIdProvider,
} from '../packages/server/test-support/open-id-provider.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';

let issuer: OpenIdProvider;
let server: ChildServer;
let folder: string;

test.beforeAll(async () => {
  const port = await findFreePort('127.0.0.1');
  issuer = await startOpenIdProvider(`http://127.0.0.1:${port}/auth/work/callback`);
  issuer.people.mei = { email: 'mei@work.example', name: 'Mei' };
  folder = makeTemporaryFolder('datadeck-methods-');
  server = new ChildServer({
    DATA_DIR: folder,
    PORT: String(port),
    WEB_APP: 'on',
    SANDBOX: 'on',
    OIDC_PROVIDERS: JSON.stringify([issuer.setting('work', 'Work')]),
  });
  await server.start();
});
test.afterAll(async () => {
  await server?.end('SIGTERM');
  await issuer?.close();
  if (folder) removeDataFolder(folder);
});

async function signInWithGoogle(page: Page): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Google' }).click();
  await page.locator('button', { hasText: 'mei.tanaka' }).click();
  const allow = page.locator('button[value="allow"]');
  const dashboard = page.getByRole('heading', { name: 'Providers' });
  await allow.or(dashboard).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await dashboard.waitFor();
}

test('adds a sign-in method on the account page, and removes one', async ({ page }) => {
  await signInWithGoogle(page);
  await page.goto(`${server.url}/dashboard/account`);
  await expect(page.getByRole('button', { name: 'Remove Google' })).toBeHidden();
  await page.getByRole('button', { name: 'Add Work' }).click();
  await page.locator('input[name="login"]').fill('mei');
  await page.locator('input[name="password"]').fill('x');
  await page.locator('button[type="submit"]').click();
  await page.locator('button[type="submit"]').click();
  await expect(page.getByRole('note').filter({ hasText: 'The sign-in method was added.' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/account$/);
  await expect(page.getByText('mei@work.example')).toBeVisible();

  await page.getByRole('button', { name: 'Remove Google' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Google was removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Google' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('mei@work.example');
  await expect(page.getByRole('button', { name: 'Remove Work' })).toBeHidden();
});
