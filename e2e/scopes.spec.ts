import { productSettings, type StartedSandbox, startSandbox } from '../packages/test-sandbox/src/index.ts';
import { test as base, expect, openPage, signIn } from './support/journey.ts';
import { reach } from './support/keyboard.ts';
import { expectSound } from './support/soundness.ts';

/** A Datadeck of its own, and the sandbox that it talks to, in which Ada sees three more repositories. */
const test = base.extend<{ sandbox: StartedSandbox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox({ quotaScale: 0 });
    const { github } = sandbox.control;
    github.addRepositories({ owner: 'fleet', count: 3, pulls: 4, members: ['ada-nowak'] });
    github.addRepositories({
      owner: 'fleet',
      count: 1,
      pulls: 4,
      members: ['ada-nowak'],
      prefix: 'f',
      isFork: true,
    });
    await use(sandbox);
    await sandbox.close();
  },
  settings: async ({ sandbox }, use) => use({ ...productSettings(sandbox), SANDBOX: 'auto' }),
});

test('a newcomer chooses repositories by pattern and by name, and reads the receipt', async ({
  page,
  datadeck,
  sandbox,
}) => {
  await signIn(page, datadeck, 'ada.nowak@sandbox.example');
  await page.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('radio', { name: 'ada-nowak' }).check();
  await page.getByRole('button', { name: 'Authorize Datadeck' }).click();
  const card = page.getByRole('article', { name: 'GitHub' });
  await expect(card.getByRole('button', { name: 'In use' })).toBeVisible();
  await openPage(page, 'Synchronizations');
  await page.getByRole('button', { name: 'Details of Pull Requests' }).click();
  const dialog = page.getByRole('dialog', { name: 'Overview' });
  const choose = dialog.getByRole('button', { name: 'Choose repositories' });
  await reach(page, choose);
  await page.keyboard.press('Enter');

  const picker = page.getByRole('dialog', { name: 'Choose repositories' });
  const search = picker.getByRole('searchbox', { name: 'Search repositories' });
  await expect(search).toBeFocused();
  const pattern = picker.getByRole('checkbox', { name: /^All repositories of fleet without forks and/ });
  await expect(pattern).toBeVisible();
  await expectSound(page);
  await page.keyboard.type('fleet');
  await expect(picker.getByRole('checkbox', { name: /harbor/ })).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(pattern).toBeFocused();
  await page.keyboard.press('Space');
  await expect(picker.getByText('3 of 100 repositories')).toBeVisible();
  await expect(picker.getByRole('checkbox', { name: /repo-1.*Included/ })).toBeDisabled();
  for (const name of ['ada-nowak/dotfiles', 'aurora-labs/harbor']) {
    await search.fill(name);
    const row = picker.getByRole('checkbox', { name });
    await expect(row).toBeVisible();
    await expect(picker.getByRole('checkbox', { name: /fleet/ })).toHaveCount(0);
    await search.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(row).toBeFocused();
    await page.keyboard.press('Space');
  }
  await expect(picker.getByText('5 of 100 repositories')).toBeVisible();
  await picker.getByLabel('Only pull requests updated since').fill('2020-01-01');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await reach(page, picker.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');

  await expect(picker).toBeHidden();
  const source = /^All repositories of fleet without forks.*, ada-nowak\/dotfiles, .* · since Jan 1, 2020$/;
  await expect(dialog.getByText(source)).toBeVisible();
  await expect(dialog.getByText(/^This sync: .* of 5 repositories/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
  await expect(dialog.getByText('5 repositories', { exact: true })).toBeVisible();
  await expect(dialog.getByText('Finished').first()).toBeVisible({ timeout: 120_000 });
  await expect(dialog.getByText('Only pull requests updated since Jan 1, 2020.')).toBeVisible();

  sandbox.control.github.deleteRepository('ada-nowak/dotfiles');
  await dialog.getByRole('button', { name: 'Resync' }).click();
  const receipt = dialog.getByRole('region', { name: 'Receipt of #2' });
  await expect(receipt.getByText('5 repositories, 1 failed')).toBeVisible({ timeout: 120_000 });
  await expect(receipt.getByText(/ada-nowak\/dotfiles: The repository does not exist/)).toBeVisible();
  await expectSound(page);
  await receipt.getByRole('button', { name: 'All repositories' }).click();
  const all = page.getByRole('dialog', { name: 'Repositories of #2' });
  await expect(all.getByRole('listitem').first()).toContainText('ada-nowak/dotfiles');
  await expect(all.getByText('4 stored · no changes')).toHaveCount(3);
  await expectSound(page);
  await page.keyboard.press('Escape');
  await expect(receipt.getByRole('button', { name: 'All repositories' })).toBeFocused();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Sync all' }).click();
  await expect(page.getByText('1 sync started')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sync all' })).toBeEnabled({ timeout: 120_000 });
  await openPage(page, 'History');
  await expect(page.getByText(/^5 repositories, 1 failed/)).toHaveCount(2);
});
