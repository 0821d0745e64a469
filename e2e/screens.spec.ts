import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectContrast, type Role, test } from './support/workspace.ts';

test.describe.configure({ mode: 'parallel' });
// Screens are walked fast and often; a trace of each would take longer than the walk.
test.use({ trace: 'off' });

const QUERY = '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-by-author';

interface Screen {
  path: string;
  heading: string;
  /** Something that is there once its data is. */
  ready: (page: Page) => ReturnType<Page['getByText']>;
}

const SCREENS: Screen[] = [
  {
    path: '/dashboard/integrations/providers',
    heading: 'Providers',
    ready: (page) => page.getByRole('article', { name: 'Facebook' }),
  },
  {
    path: '/dashboard/integrations/synchronizations',
    heading: 'Synchronizations',
    ready: (page) =>
      page.getByRole('button', { name: 'Details of Labels' }).or(page.getByText('No provider is connected')),
  },
  {
    path: '/dashboard/integrations/history',
    heading: 'History',
    ready: (page) =>
      page
        .getByText('#1', { exact: true })
        .or(page.getByText(/synchronizations/i))
        .last(),
  },
  {
    path: QUERY,
    heading: 'Query',
    ready: (page) => page.getByRole('button', { name: 'Run', exact: true }),
  },
  {
    path: `${QUERY}&step=1&page=1`,
    heading: 'Query',
    ready: (page) => page.getByText(/^\d+ results?$/),
  },
  {
    path: '/dashboard/data/views?provider=github&entity=gh-pulls',
    heading: 'Views',
    ready: (page) => page.getByText('View has not been selected.'),
  },
  {
    path: '/dashboard/account',
    heading: 'Account',
    ready: (page) => page.getByRole('button', { name: 'Delete Account' }),
  },
];

const DEVICES = [
  { device: 'desktop', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 390, height: 844 } },
] as const;

/** Nothing but data scrolls sideways. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Light: every rule. Dark: contrast, which is all that differs. */
async function expectSound(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectContrast(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
}

/** Opens a dialog, checks it, closes it with Escape; the focus comes back to what opened it. */
async function checkDialog(page: Page, name: string | RegExp, open: () => Promise<void>): Promise<void> {
  await open();
  await expect(dialog(page, name)).toBeVisible();
  await expectSound(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page, name)).toBeHidden();
}

for (const { device, viewport } of DEVICES) {
  test.describe(`light and dark, ${device}`, () => {
    test.use({ colorScheme: 'light', viewport });

    test('the login screen', async ({ page, workspace }) => {
      await page.goto(workspace.url);
      await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
      await expect(page.getByText('or as', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Demo User' })).toBeVisible();
      await expectSound(page);
    });

    const roles: Role[] = device === 'desktop' ? ['demo', 'standard', 'pro'] : ['demo', 'standard'];
    for (const role of roles) {
      test(`every screen as a ${role} user`, async ({ page, openAs }) => {
        for (const { path, heading, ready } of SCREENS) {
          await openAs(role, path);
          await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
          await expect(ready(page)).toBeVisible();
          await expect(page.getByText('Alpha: this product is under development')).toBeVisible();
          await expectNoSidewaysScroll(page);
          // A demo user sees what a standard user sees, with more of it disabled; pro nothing else.
          if (role === 'standard') await expectSound(page);
          else if (role === 'demo') await expectAccessible(page);
        }
        await expect(
          page.getByText(role.charAt(0).toUpperCase() + role.slice(1), { exact: true }),
        ).toBeVisible();
      });
    }

    test('the dialogs of the shell and of the synchronizations', async ({ page, openAs }) => {
      await openAs('standard', '/dashboard/integrations/synchronizations');
      await expect(page.getByRole('button', { name: 'Details of Messages' })).toBeVisible();
      await checkDialog(page, 'Search and commands', () => page.keyboard.press('Control+k'));
      await checkDialog(page, 'Keyboard shortcuts', () => page.keyboard.press('?'));
      if (device === 'phone') {
        await checkDialog(page, 'Side menu', () => page.getByRole('button', { name: 'Open menu' }).click());
        await page.getByRole('button', { name: 'Open menu' }).click();
      }
      await checkDialog(page, 'Upgrade', () => page.getByRole('button', { name: 'Upgrade' }).click());
      await page.getByRole('button', { name: 'Details of Messages' }).click();
      await expect(dialog(page, 'Overview').getByText(/^Limit: \d+\/50$/)).toBeVisible();
      await expectSound(page);
      await checkDialog(page, 'Example Data', async () => {
        await page.getByRole('button', { name: 'Example for Label IDs' }).click();
        await expect(dialog(page, 'Example Data').getByLabel('Label IDs')).toBeDisabled();
      });
      await page.keyboard.press('Escape');
      await expect(dialog(page, 'Overview')).toBeHidden();
      await expect(page.getByRole('button', { name: 'Details of Messages' })).toBeFocused();
    });

    test('the dialogs of query, views and account', async ({ page, openAs }) => {
      await openAs('standard', `${QUERY}&step=1&page=1`);
      await page.getByRole('textbox', { name: 'Query expression' }).click();
      await page.keyboard.insertText('$count($)');
      await checkDialog(page, 'Save Query', () =>
        page.getByRole('button', { name: 'Save', exact: true }).click(),
      );
      await checkDialog(page, 'Save as View', () =>
        page.getByRole('button', { name: 'Save as View' }).click(),
      );
      await openAs('standard', '/dashboard/data/views?provider=github&entity=gh-pulls');
      await checkDialog(page, 'New View', () => page.getByRole('button', { name: 'New View' }).click());
      await checkDialog(page, 'Create View', () =>
        page.getByRole('button', { name: 'New Category' }).click(),
      );
      await openAs('standard', '/dashboard/account');
      await page.getByRole('button', { name: 'Delete all data' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await expectSound(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Delete all data' })).toBeFocused();
    });
  });
}
