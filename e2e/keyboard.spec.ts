import type { Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { reach } from './support/keyboard.ts';
import { expect, test } from './support/workspace.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function press(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, button(page, name).first());
  await page.keyboard.press('Enter');
}

/** Chooses in a select by typing the beginning of the option. */
async function pick(page: Page, label: string, text: string): Promise<void> {
  await reach(page, page.getByRole('combobox', { name: label, exact: true }));
  await page.keyboard.type(text);
  // The options may be loading.
  await expect(page.getByRole('option', { name: text }).first()).toBeVisible();
  await page.keyboard.press('Enter');
}

/** Goes to a screen by its pair of keys; the focus must not be in a box. */
async function go(page: Page, key: string, heading: string): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('g');
  await page.keyboard.press(key);
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
}

// @covers 2.left-side-hands
test('signs in, queries, downloads, deletes and signs out by keyboard alone', async ({ page, workspace }) => {
  await page.goto(workspace.url);
  await expect(button(page, 'Google')).toBeVisible();
  await press(page, 'Demo User');
  await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();

  await go(page, 'q', 'Query');
  await pick(page, 'Provider', 'GitHub');
  await press(page, /^All pull requests/);
  await expect(button(page, /^Run/)).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('160 results')).toBeVisible();

  const tree = page.getByRole('tree', { name: 'Results' });
  await reach(page, tree);
  await page.keyboard.press('ArrowDown');
  const active = () => tree.getAttribute('aria-activedescendant');
  const first = await active();
  await page.keyboard.press('ArrowDown');
  await expect.poll(active).not.toBe(first);
  await page.keyboard.press('p');
  await expect(page.getByText('Path copied')).toBeVisible();
  const path = await page.evaluate(() => navigator.clipboard.readText());
  expect(path).not.toBe('');
  await page.keyboard.press('c');
  await expect(page.getByText('Value copied')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(tree.getByRole('treeitem').first()).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const expression = page.getByRole('textbox', { name: 'Query expression' });
  await expect(expression).not.toHaveText('');
  await reach(page, expression);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('$count($)');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Ran over the 20 rows of this page')).toBeVisible();
  await page.keyboard.press('Escape');
  await reach(page, page.getByRole('switch', { name: 'All results' }));
  await page.keyboard.press('Space');
  await expect(page.getByText('Ran over all 160 rows')).toBeVisible();
  // Over a page again: its rows are paged below the result too.
  await page.keyboard.press('Space');
  await expect(page.getByText('Ran over the 20 rows of this page')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Results pages' });
  await reach(page, pages.getByRole('button', { name: 'Next' }));
  await page.keyboard.press('Enter');
  await expect(pages.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');

  await go(page, 'h', 'History');
  await pick(page, 'Status', 'Failed');
  await expect(page.getByText(/^#\d+$/)).toHaveCount(2);

  await go(page, 'v', 'Views');
  await pick(page, 'Provider', 'GitHub');
  await press(page, /^Busy reviewers/);
  await expect(button(page, '.JSON')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await press(page, '.JSON');
  await downloading;
  await press(page, /^Delete$/);
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await reach(page, button(page, 'Confirm'));
  await page.keyboard.press('Enter');
  await expect(page.getByText('View deleted successfully')).toBeVisible();

  await press(page, 'Account menu');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  // The menu moves its focus a moment after the key.
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
});

// @covers 4.update-view-save
test('connects, synchronises, saves and updates by keyboard alone', async ({ page, openAs, workspace }) => {
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  await openAs(user, '/dashboard/integrations/providers');
  // The consent page goes by the cookie that a sign-in leaves.
  await page
    .context()
    .addCookies([
      { name: 'dd-session', value: user.token, url: workspace.url, httpOnly: true, sameSite: 'Lax' },
    ]);
  await press(page, 'Connect GitHub');
  const account = page.getByRole('radio', { name: 'jonas-weber' });
  await expect(account).toBeVisible();
  await reach(page, page.getByRole('radio').first());
  while (!(await account.isChecked())) await page.keyboard.press('ArrowDown');
  await reach(page, button(page, 'Authorize Datadeck'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'GitHub' }).getByText('In use')).toBeVisible();

  await go(page, 's', 'Synchronizations');
  await press(page, 'Details of Pull Requests');
  const details = page.getByRole('dialog', { name: 'Overview' });
  for (const [label, value] of [
    ['Repository owner username', 'ada-nowak'],
    ['Repository name', 'dotfiles'],
  ] as const) {
    await reach(page, details.getByLabel(label, { exact: true }));
    await page.keyboard.type(value);
  }
  await reach(page, details.getByRole('button', { name: 'Sync', exact: true }));
  await page.keyboard.press('Enter');
  await expect(details.getByText('Finished').first()).toBeVisible({ timeout: 90_000 });
  await page.keyboard.press('Escape');

  await page.goto(
    `${workspace.url}/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1`,
  );
  const expression = page.getByRole('textbox', { name: 'Query expression' });
  await expect(expression).toBeVisible();
  await reach(page, expression);
  await page.keyboard.insertText('$.title');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/^Ran over/)).toBeVisible();
  await page.keyboard.press('Escape');
  await press(page, /^Save as View$/);
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Nothing else was touched.');
  await reach(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Custom view created successfully')).toBeVisible();
  await press(page, /^Save$/);
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByText('JsonNata query was saved successfully')).toBeVisible();

  await go(page, 'v', 'Views');
  await pick(page, 'Provider', 'GitHub');
  await press(page, 'New Category');
  await page.keyboard.type('Keys');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Category was created successfully')).toBeVisible();
  await press(page, /^By keyboard/);
  await press(page, /^Update$/);
  await pick(page, 'Category', 'Keys');
  await reach(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('View was updated successfully')).toBeVisible();
  await expect(button(page, /^Keys/)).toBeVisible();
});
