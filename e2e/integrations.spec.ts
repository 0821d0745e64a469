import type { Page } from '@playwright/test';
import { choose } from './support/journey.ts';
import { expect, test } from './support/workspace.ts';

const PROVIDERS = '/dashboard/integrations/providers';
const HISTORY = '/dashboard/integrations/history';

const numbers = (page: Page) => page.getByText(/^#\d+$/);

// @covers 6.demo-session-connects
test('refuses a demo user at the consent page with 403 and redirects back', async ({
  page,
  workspace,
  faults,
}) => {
  faults.add('/auth/github');
  // The login itself leaves the cookie that navigations go by.
  await page.goto(workspace.url);
  await page.getByRole('button', { name: 'Demo User' }).click();
  await expect(page.getByRole('article', { name: 'GitHub' })).toBeVisible();
  const refused = page.waitForResponse(/\/auth\/github$/);
  await page.goto(`${workspace.url}/auth/github`).catch(() => null);
  expect((await refused).status()).toBe(403);
  await expect(page.getByText('Failed connecting with provider')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${PROVIDERS}$`));
});

// @covers 2.history-collapsible-filters 2.history-paging-n 2.history-empty-synchronizations 9.history-pages-8
test('lists the history in pages of 8 with filters and a read-only dialog', async ({ page, openAs }) => {
  await openAs('demo', HISTORY);
  await expect(numbers(page)).toHaveCount(8);
  await expect(page.getByText('#14', { exact: true })).toBeVisible();
  await expect(page.getByText(/^aurora-labs \/ harbor · \d+ records in /).first()).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'History pages' });
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(numbers(page)).toHaveCount(6);
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
  // A bar limits the list to its day, by keyboard as well.
  await page.getByRole('toolbar', { name: 'Days' }).getByRole('button').last().press('Enter');
  await expect(page).toHaveURL(/[?&]day=\d{4}-\d{2}-\d{2}$/);
  await expect(numbers(page).first()).toHaveText('#14');
  expect(await numbers(page).count()).toBeLessThan(8);
  await page.getByRole('button', { name: /^Show all days/ }).click();
  await expect(numbers(page)).toHaveCount(8);
  await choose(page, 'Status', 'Failed');
  await expect(numbers(page)).toHaveCount(2);
  await choose(page, 'Provider', 'GitHub');
  await expect(numbers(page)).toHaveCount(1);
  await expect(page.getByRole('img', { name: 'Failed' })).toHaveCount(1);
  await page.getByRole('button', { name: /^Details of #/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Overview' });
  await expect(dialog.getByText(/^aurora-labs\/harbour: The repository does not exist/)).toBeVisible();
  for (const name of [/sync/i, 'Delete', /^Example for/])
    await expect(dialog.getByRole('button', { name })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await choose(page, 'Status', 'Started');
  await expect(page.getByText('No synchronizations for this entity yet')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No synchronizations for this entity yet')).toBeVisible();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeHidden();
});

// @covers 2.same-menu-stays
test('reports a screen whose code cannot be fetched, and retries', async ({ page, openAs, faults }) => {
  faults.add('/assets/history-page');
  await openAs('standard', PROVIDERS);
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.route('**/assets/history-page*', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('The code of this screen could not be loaded.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Synchronizations' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => loads).toBe(1);
  await expect(page.getByText('The code of this screen could not be loaded.')).toBeVisible();
  expect(loads).toBe(1);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
});

// @covers 2.banner-20-px 2.sidebar-two-groups 2.current-route-highlighted 2.upgrade-modal-currently 9.sidebar-64-256
test('highlights the route in the sidebar, which collapses from 256 to 64 px', async ({ page, openAs }) => {
  await openAs('standard', '/dashboard/data/query');
  const menu = page.getByRole('complementary', { name: 'Side menu' });
  await expect(menu.getByRole('link', { name: 'Query' })).toHaveAttribute('aria-current', 'page');
  await expect(menu.getByRole('button', { name: 'Data Management' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  await expect(menu.getByRole('link', { name: 'Datadeck: Home' })).toBeVisible();
  await expect(menu.getByRole('navigation').getByRole('link')).toHaveText([
    'Providers',
    'Synchronizations',
    'History',
    'Search',
    'Query',
    'Views',
    'Boards',
    'Alerts',
  ]);
  await expect(menu).toHaveCSS('width', '256px');
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await expect(menu).toHaveCSS('width', '64px');
  await page.reload();
  await expect(menu).toHaveCSS('width', '64px');
  await expect(page.getByRole('region', { name: 'Product status' })).toHaveCSS('height', '20px');
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Upgrade' }).getByText('Currently unavailable'),
  ).toBeVisible();
});
