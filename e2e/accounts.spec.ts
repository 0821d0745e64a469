import type { Locator, Page } from '@playwright/test';
import { choose, connectBoth, expect, openPage, runTemplate, signIn, test } from './support/journey.ts';
import { reach } from './support/keyboard.ts';
import { expectSound } from './support/soundness.ts';

const ADA = 'ada-nowak';
const JONAS = 'jonas-weber';

const cardOf = (page: Page) => page.getByRole('article', { name: 'GitHub' });
const rowOf = (page: Page, name: string) => cardOf(page).getByRole('listitem', { name });

/** Chooses an account on GitHub's page and returns to the Providers screen. */
async function authorize(page: Page, login: string): Promise<void> {
  await page.getByRole('radio', { name: login }).check();
  await page.getByRole('button', { name: 'Authorize Datadeck' }).click();
}

async function addAccount(page: Page, login: string): Promise<void> {
  await cardOf(page).getByRole('button', { name: 'Manage GitHub' }).click();
  await page.getByRole('menuitem', { name: 'Add another account', exact: true }).click();
  await authorize(page, login);
}

/** Runs a sync of a repository in the open dialog. */
async function sync(dialog: Locator, owner: string, name: string): Promise<void> {
  await dialog.getByLabel('Repository owner username', { exact: true }).fill(owner);
  await dialog.getByLabel('Repository name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
  await expect(dialog.getByText('Finished').first()).toBeVisible({ timeout: 120_000 });
}

/** Opens the menu of an account and chooses an item by keyboard. */
async function manage(page: Page, name: string, item: string): Promise<void> {
  await reach(page, rowOf(page, name).getByRole('button', { name: `Manage account ${name}` }));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

// Without this, a control that is missing would be waited for until the test ends.
test.use({ actionTimeout: 30_000 });

test('connects, names, synchronizes, filters, disconnects and reconnects a second account', async ({
  page,
  datadeck,
}) => {
  await signIn(page, datadeck, 'mei.tanaka');
  await connectBoth(page, { google: 'mei.tanaka', github: ADA });

  await test.step('adds an account, and says that a known one was renewed', async () => {
    await addAccount(page, JONAS);
    await expect(page.getByText(`${JONAS} is connected.`)).toBeVisible();
    await expect(page).toHaveURL(/\/providers$/);
    await expect(rowOf(page, JONAS).getByText('Connected')).toBeVisible();
    await addAccount(page, JONAS);
    await expect(page.getByText(`${JONAS} is connected already. Its access was renewed.`)).toBeVisible();
    await manage(page, JONAS, 'Name…');
    await page.getByRole('dialog').getByLabel('Name').fill('Work');
    await page.keyboard.press('Enter');
    await expect(rowOf(page, 'Work').getByText(JONAS)).toBeVisible();
    await expectSound(page);
  });

  await test.step('synchronizes both, each with its own receipt', async () => {
    await openPage(page, 'Synchronizations');
    await page.getByRole('button', { name: 'Details of Pull Requests' }).click();
    const dialog = page.getByRole('dialog', { name: 'Overview' });
    // The page behind it has a choice of the same name.
    await expect(dialog.getByRole('combobox', { name: 'Account' })).toBeVisible();
    await choose(page, 'Account', 'Work');
    await expectSound(page, '[role="dialog"]');
    await sync(dialog, 'aurora-labs', 'harbor');
    await choose(page, 'Account', ADA);
    await expect(dialog.getByText(/^Not synchronized yet/)).toBeVisible();
    await sync(dialog, ADA, 'dotfiles');
    await page.keyboard.press('Escape');
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Pull Requests' }).getByText(ADA, { exact: true }),
    ).toBeVisible();
    await choose(page, 'Account', 'Work');
    await expect(page).toHaveURL(/account=jonas-weber/);
    await expectSound(page);
  });

  await test.step('filters the results of a query by account', async () => {
    await openPage(page, 'Query');
    await runTemplate(page, 'GitHub', 'Pull Requests', 'All pull requests');
    const results = page.getByText(/^[\d,]+ results$/);
    const all = await results.textContent();
    await choose(page, 'Account', ADA);
    await expect(results).not.toHaveText(all ?? '');
    await page.getByRole('radio', { name: 'Table' }).first().click();
    await expect(page.getByRole('columnheader', { name: 'account', exact: true })).toBeVisible();
    await expectSound(page);
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Account' })).toHaveAccessibleDescription(ADA);
  });

  await test.step('finds the records of one account', async () => {
    await page.goto(`${datadeck.url}/dashboard/data/search?provider=github`);
    await page.getByRole('region', { name: 'Account' }).getByRole('button', { name: /^Work/ }).click();
    await expect(page).toHaveURL(/q=account%3Ajonas-weber/);
    await expect(page.getByRole('list', { name: 'Results' }).getByText('Work').first()).toBeVisible();
    await expectSound(page);
  });

  await test.step('disconnects one account, and reconnects it', async () => {
    await openPage(page, 'Providers');
    await manage(page, 'Work', 'Disconnect');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Work was disconnected. Its data was kept.')).toBeVisible();
    await expect(rowOf(page, 'Work').getByText('Disconnected')).toBeVisible();
    await expectSound(page);
    await rowOf(page, 'Work').getByRole('button', { name: 'Reconnect Work' }).click();
    await expect(page.getByRole('radio', { name: JONAS })).toBeChecked();
    await authorize(page, JONAS);
    await expect(rowOf(page, 'Work').getByText('Connected')).toBeVisible();
  });
});
