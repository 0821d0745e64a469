import type { Locator, Page } from '@playwright/test';
import { productSettings, type StartedSandbox, startSandbox } from '../packages/test-sandbox/src/index.ts';
import { test as base, expect, linkIn, signInByLink } from './support/journey.ts';

const DAY_SECONDS = 86_400;
const inSeconds = (seconds: number) => Math.round(Date.now() / 1000 + seconds);

/** A Datadeck on which GitHub alone is configured, and the GitHub that it talks to. */
const test = base.extend<{ sandbox: StartedSandbox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox({ quotaScale: 0 });
    await use(sandbox);
    await sandbox.close();
  },
  settings: async ({ sandbox }, use) => {
    const { GOOGLE_CLIENT_ID: _id, GOOGLE_CLIENT_SECRET: _secret, ...others } = productSettings(sandbox);
    await use({ ...others, SANDBOX: 'auto' });
  },
});

const cardOf = (page: Page) => page.getByRole('article', { name: 'GitHub' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect GitHub' });

/** Fills in the form and sends it. */
async function connect(dialog: Locator, token: string, repository = ''): Promise<void> {
  await dialog.getByLabel('Personal access token').fill(token);
  await dialog.getByLabel('Repository to check').fill(repository);
  await dialog.getByRole('button', { name: 'Connect' }).click();
}

test('connects by a token, and says why one is refused', async ({ page, datadeck, sandbox, faults }) => {
  faults.add('/api/integrations/connections/github');
  const { github } = sandbox.control;
  await signInByLink(page, linkIn(datadeck.output()));
  const card = cardOf(page);
  await card.getByRole('button', { name: 'Use a token' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Personal access token').fill('my password');
  await dialog.getByLabel('Repository to check').click();
  await expect(dialog.getByText(/^A token begins with github_pat_ or ghp_/)).toBeVisible();

  const deleted = github.createToken('ada-nowak');
  github.deleteToken(deleted);
  const refused = dialog.getByText(/^GitHub does not accept this token/);
  for (const token of [deleted, github.createToken('ada-nowak', { expiresAt: inSeconds(-5) })]) {
    await connect(dialog, token);
    await expect(refused).toBeVisible();
    await expect(dialog.getByLabel('Personal access token')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Personal access token').fill('');
    await expect(refused).toBeHidden();
  }
  await connect(dialog, github.createToken('ada-nowak', { pullRequests: false }), 'aurora-labs/vault');
  await expect(dialog.getByText(/^The GitHub token may not read.*“Pull requests: read-only”/)).toBeVisible();
  await expect(dialog.getByLabel('Repository to check')).toHaveAttribute('aria-invalid', 'true');

  const expiresAt = inSeconds(30 * DAY_SECONDS);
  await connect(dialog, github.createToken('ada-nowak', { expiresAt }), 'aurora-labs/vault');
  await expect(dialog).toBeHidden();
  await expect(card.getByText('ada-nowak')).toBeVisible();
  await expect(card.getByText('Access: Repositories of a fine-grained token')).toBeVisible();
  await expect(card.getByText(/^Token expires on/).locator('time')).toHaveAttribute(
    'datetime',
    new Date(expiresAt * 1000).toISOString(),
  );
});

test('asks for a new token after the end of the old one', async ({ page, datadeck, sandbox, faults }) => {
  faults.add('/api/integrations/synchronizations/plan');
  const { github } = sandbox.control;
  await signInByLink(page, linkIn(datadeck.output()));
  const card = cardOf(page);
  const token = github.createToken('ada-nowak');
  await card.getByRole('button', { name: 'Use a token' }).click();
  await connect(dialogOf(page), token);
  await expect(card.getByRole('button', { name: 'In use' })).toBeDisabled();
  github.deleteToken(token);
  await page.goto(`${datadeck.url}/dashboard/integrations/synchronizations?details=gh-pulls`);
  const details = page.getByRole('dialog', { name: 'Overview' });
  await details.getByLabel('Repository owner username', { exact: true }).fill('aurora-labs');
  await details.getByLabel('Repository name', { exact: true }).fill('harbor');
  await details.getByRole('button', { name: 'Sync', exact: true }).click();
  await expect(details.getByText(/it has expired or was deleted/).first()).toBeVisible();
  await page.goto(`${datadeck.url}/dashboard/integrations/providers`);
  await expect(card.getByText('Reconnect needed')).toBeVisible();
  await expect(card.getByText(/rejected the stored token or password/)).toBeVisible();
  await card.getByRole('button', { name: 'Reconnect' }).click();
  await connect(dialogOf(page), github.createToken('ada-nowak'));
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
});

test('offers consent at GitHub, and Gmail not, while GitHub alone is configured', async ({
  page,
  datadeck,
}) => {
  await signInByLink(page, linkIn(datadeck.output()));
  const gmail = page.getByRole('article', { name: 'Gmail' });
  await expect(gmail.getByRole('button')).toHaveText(['Manage']);
  const card = cardOf(page);
  await card.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('radio', { name: 'ada-nowak' }).check();
  await page.getByRole('button', { name: 'Authorize Datadeck' }).click();
  await expect(card.getByText('Access: Public repositories (no scope)')).toBeVisible();
});
