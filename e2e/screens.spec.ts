import type { Page } from '@playwright/test';
import { expectSound } from './support/soundness.ts';
import { expect, type Role, test } from './support/workspace.ts';

// A walk is long on a machine that has other work.
test.describe.configure({ mode: 'parallel', timeout: 480_000 });

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
    path: '/dashboard/data/search',
    heading: 'Search',
    ready: (page) => page.getByText('Newest records').or(page.getByText('No provider is connected')),
  },
  {
    path: '/dashboard/data/search?q=is%3Aopen',
    heading: 'Search',
    ready: (page) => page.getByText(/^\d+ results?$/).or(page.getByText('No provider is connected')),
  },
  {
    path: '/dashboard/data/search?q=unknown%3Aoperator',
    heading: 'Search',
    ready: (page) => page.getByText(/^There is no operator unknown:/),
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
    path: '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1&q=zanzibar',
    heading: 'Query',
    ready: (page) => page.getByText(/^(No record matches this search|The template returned no rows)$/),
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

for (const { device, viewport } of DEVICES) {
  test.describe(`screens on a ${device}`, () => {
    test.use({ colorScheme: 'light', viewport });

    // @covers 2.login-screen 2.login-sign-button 2.sign-entry-google
    test('shows an accessible login screen in light and dark', async ({ page, workspace }) => {
      await page.goto(workspace.url);
      await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
      await expect(page.getByText('or as', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Demo User' })).toBeVisible();
      await expectSound(page);
    });

    for (const role of ['demo', 'standard', 'pro'] satisfies Role[]) {
      // @covers 1.product-marked-screen 2.route-table-shows 10.screen-demo-standard
      test(`shows accessible screens in light and dark to a ${role} user`, async ({ page, openAs }) => {
        for (const { path, heading, ready } of SCREENS) {
          await openAs(role, path);
          await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
          await expect(ready(page)).toBeVisible();
          await expect(page.getByText('Alpha: this product is under development')).toBeVisible();
          await expectSound(page);
        }
        await expect(
          page.getByText(role.charAt(0).toUpperCase() + role.slice(1), { exact: true }),
        ).toBeVisible();
      });
    }
  });
}
