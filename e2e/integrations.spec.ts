import type { Page } from '@playwright/test';
import { choose } from './support/journey.ts';
import { expect, test } from './support/workspace.ts';

const PROVIDERS = '/dashboard/integrations/providers';
const SYNCS = '/dashboard/integrations/synchronizations';
const HISTORY = '/dashboard/integrations/history';

const numbers = (page: Page) => page.getByText(/^#\d+$/);

// @covers 2.parameter-provider-value 8.failed-connecting-provider
test('reports a failed connection for an empty provider parameter', async ({ page, openAs }) => {
  await openAs('standard', `${PROVIDERS}?provider=`);
  await expect(page.getByText('Failed connecting with provider')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${PROVIDERS}$`));
  const refreshed = page.waitForRequest(/\/api\/integrations\/providers$/);
  await page.goto(`${page.url()}?provider=github`);
  await refreshed;
  await expect(page.getByRole('article', { name: 'GitHub' })).toBeVisible();
  await expect(page.getByText('Failed connecting with provider')).toHaveCount(0);
});

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

// @covers 2.card-per-provider 2.social-card-blocked
test('shows the cards: In use, no Disconnect for the sign-in provider, social disabled', async ({
  page,
  openAs,
}) => {
  await openAs('standard', PROVIDERS);
  const gmail = page.getByRole('article', { name: 'Gmail' });
  await expect(gmail.getByRole('button', { name: 'In use' })).toBeDisabled();
  await gmail.getByRole('button', { name: 'Manage Gmail' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete data' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Disconnect' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Manage GitHub' }).click();
  await expect(page.getByRole('menuitem', { name: 'Disconnect' })).toBeVisible();
  await page.keyboard.press('Escape');
  const social = page.getByRole('article', { name: 'Facebook' });
  await expect(social.getByText('Under construction...')).toBeVisible();
  await expect(social.getByRole('button')).toHaveCount(0);
});

// @covers 8.failed-deleting-data 8.confirmation-delete-data
test('reports a failed deletion of the data of a provider', async ({ page, openAs, failing }) => {
  await failing('POST', '/api/integrations/entities/delete-all-data');
  await openAs('standard', PROVIDERS);
  await page.getByRole('button', { name: 'Manage GitHub' }).click();
  await page.getByRole('menuitem', { name: 'Delete data' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    'All associated data for this provider will be deleted. Confirm to continue.',
  );
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Failed deleting the data for this provider')).toBeVisible();
});

// @covers 2.tooltip-counter
test('shows the limit of the counter on focus', async ({ page, openAs }) => {
  await openAs('standard', `${SYNCS}?details=gh-pulls`);
  await page.getByRole('button', { name: /^Limit: \d+\/50$/ }).focus();
  await expect(page.getByRole('tooltip')).toContainText('The usage resets every month.');
});

// @covers 2.history-collapsible-filters 2.history-paging-n 2.history-empty-synchronizations 9.history-pages-8
test('lists the history in pages of 8 with filters and a read-only dialog', async ({ page, openAs }) => {
  await openAs('demo', HISTORY);
  await expect(numbers(page)).toHaveCount(8);
  await expect(page.getByText('#13', { exact: true })).toBeVisible();
  await expect(page.getByText(/^aurora-labs \/ harbor · \d+ records in /).first()).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'History pages' });
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(numbers(page)).toHaveCount(5);
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
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

// @covers 2.loading-failure-reload
test('reports data that cannot be loaded, and Reload loads it', async ({ page, openAs, failing }) => {
  await failing('GET', '/api/integrations/providers');
  await openAs('standard', '/dashboard');
  await expect(
    page.getByText('An error occurred while loading the data. Please try again later.'),
  ).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${PROVIDERS}$`));
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

// @covers 2.default-error-screen
test('shows Unexpected Application Error! for an unknown address', async ({ page, openAs }) => {
  await openAs('standard', '/dashboard/nowhere');
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByText('404 Not Found')).toBeVisible();
});

// @covers 6.save-query-save 6.delete-view-json
test('disables what a demo user may not do, except Delete of a view and .JSON', async ({ page, openAs }) => {
  await openAs('demo', PROVIDERS);
  for (const provider of ['Gmail', 'GitHub']) {
    await page.getByRole('button', { name: `Manage ${provider}` }).click();
    for (const name of ['Disconnect', 'Delete data'])
      await expect(page.getByRole('menuitem', { name })).toBeDisabled();
    await page.keyboard.press('Escape');
  }
  await openAs('demo', `${SYNCS}?details=gh-pulls`);
  const dialog = page.getByRole('dialog', { name: 'Overview' });
  for (const name of ['Resync', 'Delete']) await expect(dialog.getByRole('button', { name })).toBeDisabled();

  await openAs(
    'demo',
    '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1',
  );
  await page.getByRole('textbox', { name: 'Query expression' }).click();
  await page.keyboard.insertText('$count($)');
  await expect(page.getByText('Ran over the 20 rows of this page')).toBeVisible();
  for (const name of ['Save', 'Save as View'])
    await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();

  await openAs('demo', '/dashboard/data/views?provider=github&entity=gh-pulls');
  await page.getByRole('button', { name: /^Busy reviewers/ }).click();
  await expect(page.getByRole('button', { name: '.JSON' })).toBeEnabled();
  for (const name of ['New Category', 'New View', 'Update'])
    await expect(page.getByRole('button', { name })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled();

  await openAs('demo', '/dashboard/account');
  for (const name of ['Delete all data', 'Delete Account'])
    await expect(page.getByRole('button', { name })).toBeDisabled();
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
  await expect(menu.getByRole('link')).toHaveText([
    'Providers',
    'Synchronizations',
    'History',
    'Search',
    'Query',
    'Views',
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
