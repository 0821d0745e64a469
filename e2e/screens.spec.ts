import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectSound } from './support/soundness.ts';
import { expect, type Role, test } from './support/workspace.ts';

// A walk is long on a machine that has other work.
test.describe.configure({ mode: 'parallel', timeout: 480_000 });
test.use({ colorScheme: 'light' });

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const QUERY = '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-by-author';

interface Screen {
  path: string;
  heading: string;
  /** Something that is there once its data is. */
  ready: (page: Page) => ReturnType<Page['getByText']>;
  /** What a pro user with nothing connected sees in its place. */
  empty?: (page: Page) => ReturnType<Page['getByText']>;
  /** Roles for which the screen has markup that a standard user does not see. */
  differsFor?: Role[];
  /** What else differs for a role; it may leave the screen. */
  differences?: Partial<Record<Role, (page: Page) => Promise<void>>>;
}

const notConnected = (page: Page) => page.getByText('No provider is connected');

/** Returns a check that the empty screen offers the next step. */
function leadsTo(button: string, heading: string): { pro: (page: Page) => Promise<void> } {
  return {
    pro: async (page) => {
      await page.getByRole('button', { name: button }).first().click();
      // By its tag: where a dialog opens over the screen, its heading is hidden from assistive technology.
      await expect(page.locator('h1', { hasText: heading })).toBeVisible();
    },
  };
}

async function expectDisabled(area: Pick<Page, 'getByRole'>, ...names: string[]): Promise<void> {
  for (const name of names) await expect(area.getByRole('button', { name, exact: true })).toBeDisabled();
}

const SCREENS: Screen[] = [
  {
    path: '/dashboard/home',
    heading: 'Home',
    ready: (page) =>
      page.getByText('Nothing waits for you.').or(page.getByRole('list', { name: 'Needs you' })),
    // Has new records, or says that there were no syncs.
    differsFor: ['demo', 'pro'],
    differences: leadsTo('Go to Synchronizations', 'Synchronizations'),
  },
  {
    path: '/dashboard/integrations/providers',
    heading: 'Providers',
    ready: (page) => page.getByRole('article', { name: 'Facebook' }),
    differences: {
      demo: async (page) => {
        for (const provider of ['Gmail', 'GitHub']) {
          await page.getByRole('button', { name: `Manage ${provider}` }).click();
          for (const name of ['Disconnect', 'Delete data'])
            await expect(page.getByRole('menuitem', { name })).toBeDisabled();
          await page.keyboard.press('Escape');
        }
      },
    },
  },
  {
    path: '/dashboard/integrations/synchronizations',
    heading: 'Synchronizations',
    ready: (page) => page.getByRole('button', { name: 'Details of Labels' }),
    empty: notConnected,
    differsFor: ['pro'],
    differences: {
      ...leadsTo('Go to Providers', 'Providers'),
      demo: async (page) => {
        await page.getByRole('button', { name: 'Details of Pull Requests' }).click();
        await expectDisabled(page.getByRole('dialog', { name: 'Overview' }), 'Resync', 'Delete');
      },
    },
  },
  {
    path: '/dashboard/integrations/history',
    heading: 'History',
    ready: (page) => page.getByText('#1', { exact: true }).or(page.getByText('#14', { exact: true })),
    empty: (page) => page.getByText('No synchronizations for this entity yet'),
    // A demo workspace has several pages.
    differsFor: ['demo', 'pro'],
    differences: leadsTo('Go to Synchronizations', 'Synchronizations'),
  },
  {
    path: '/dashboard/data/search',
    heading: 'Search',
    ready: (page) => page.getByText('Newest records'),
    empty: notConnected,
    differsFor: ['pro'],
    differences: leadsTo('Go to Providers', 'Providers'),
  },
  {
    path: '/dashboard/data/search?q=is%3Aopen',
    heading: 'Search',
    ready: (page) => page.getByText(/^\d+ results?$/),
    empty: notConnected,
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
    // Says that the provider is not connected.
    differsFor: ['pro'],
  },
  {
    path: `${QUERY}&step=1&page=1`,
    heading: 'Query',
    ready: (page) => page.getByText(/^\d+ results?$/),
    differsFor: ['pro'],
    differences: {
      ...leadsTo('Go to Providers', 'Providers'),
      demo: async (page) => {
        await page.getByRole('textbox', { name: 'Query expression' }).click();
        await page.keyboard.insertText('$count($)');
        await expect(page.getByText(/^Ran over the \d+ rows of this page/)).toBeVisible();
        await expectDisabled(page, 'Save', 'Save as View');
      },
    },
  },
  {
    path: '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1&q=zanzibar',
    heading: 'Query',
    ready: (page) => page.getByText('No record matches this search'),
  },
  {
    path: '/dashboard/data/views?provider=github&entity=gh-pulls',
    heading: 'Views',
    ready: (page) => page.getByText('View has not been selected.'),
    // A demo workspace has views in categories.
    differsFor: ['demo', 'pro'],
    differences: {
      ...leadsTo('Go to Query', 'Query'),
      demo: async (page) => {
        await page.getByRole('button', { name: /^Busy reviewers/ }).click();
        for (const name of ['.JSON', 'Delete'])
          await expect(page.getByRole('button', { name, exact: true })).toBeEnabled();
        await expectDisabled(page, 'New Category', 'New View', 'Update');
      },
    },
  },
  {
    path: '/dashboard/data/boards',
    heading: 'Boards',
    ready: (page) =>
      page
        .getByText('There are no boards yet')
        .or(page.getByRole('navigation', { name: 'Boards' }).getByRole('link').first()),
    // A demo workspace has boards.
    differsFor: ['demo'],
  },
  {
    path: '/dashboard/data/alerts',
    heading: 'Alerts',
    ready: (page) => page.getByText('No alerts').or(page.getByRole('list', { name: 'Alerts' })),
    differences: leadsTo('Go to Views', 'Views'),
  },
  {
    path: '/dashboard/admin',
    heading: 'Administration',
    ready: (page) => page.getByText('This screen is for administrators'),
    empty: (page) => page.getByRole('list', { name: 'Accounts' }),
    // The pro user is the administrator.
    differsFor: ['pro'],
    differences: {
      pro: async (page) => {
        for (const [section, ready] of [
          ['Plans', page.getByText('Limits', { exact: true })],
          ['Health', page.getByRole('list', { name: 'Checks' })],
          ['Doctor', page.getByText('Not checked yet')],
          ['Audit log', page.getByRole('list', { name: 'Audit log' })],
        ] as const) {
          await page.getByRole('radio', { name: section }).click();
          await expect(ready).toBeVisible();
          await expectSound(page);
          for (const viewport of [PHONE, DESKTOP]) {
            await page.setViewportSize(viewport);
            await expectNoSidewaysScroll(page);
          }
        }
      },
    },
  },
  {
    path: '/dashboard/integrations/connectors',
    heading: 'Connectors',
    ready: (page) => page.getByText('This screen is for administrators'),
    empty: (page) => page.getByText('No connectors yet'),
    // The pro user is the administrator.
    differsFor: ['pro'],
    differences: {
      pro: async (page) => {
        for (const start of [/^An example answer/, /^An OpenAPI/, /^A shipped/, /^A document/]) {
          await page.getByRole('button', { name: start }).click();
          await expectSound(page, '[role="dialog"]');
          await page.keyboard.press('Escape');
        }
      },
    },
  },
  {
    path: '/dashboard/account',
    heading: 'Account',
    ready: (page) => page.getByRole('button', { name: 'Delete Account' }),
    differences: { demo: (page) => expectDisabled(page, 'Delete all data', 'Delete Account') },
  },
];

/** Checks what every screen shows to every role. */
async function expectScreen(page: Page, { heading, ready, empty }: Screen, role: Role): Promise<void> {
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
  await expect((role === 'pro' ? (empty ?? ready) : ready)(page)).toBeVisible();
  await expect(page.getByText('Alpha: this product is under development')).toBeVisible();
}

/** Checks that the screen, the account page, shows the plan of the role. */
async function expectBadge(page: Page, role: Role): Promise<void> {
  const plan = role.charAt(0).toUpperCase() + role.slice(1);
  await expect(page.getByText(plan, { exact: true })).toBeVisible();
}

for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test.describe(`screens on a ${device}`, () => {
    test.use({ viewport });

    // @covers 2.default-error-screen 2.login-screen 2.login-sign-button 2.sign-entry-google
    test('shows accessible login and error screens in light and dark', async ({
      page,
      openAs,
      workspace,
    }) => {
      await page.goto(workspace.url);
      await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
      await expect(page.getByText('or as', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Demo User' })).toBeVisible();
      await expectSound(page);
      await openAs('standard', '/dashboard/nowhere');
      await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
      await expect(page.getByText('404 Not Found')).toBeVisible();
      await expectSound(page);
    });

    // @covers 1.product-marked-screen 2.route-table-shows
    test('shows accessible screens in light and dark', async ({ page, openAs }) => {
      for (const screen of SCREENS) {
        await openAs('standard', screen.path);
        await expectScreen(page, screen, 'standard');
        await expectSound(page);
      }
      await expectBadge(page, 'standard');
    });
  });
}

for (const role of ['demo', 'pro'] satisfies Role[]) {
  // @covers 1.product-marked-screen 2.route-table-shows 6.save-query-save 6.delete-view-json
  test(`shows a ${role} user every screen with what differs for the role`, async ({ page, openAs }) => {
    for (const screen of SCREENS) {
      await page.setViewportSize(DESKTOP);
      await openAs(role, screen.path);
      await expectScreen(page, screen, role);
      if (screen.differsFor?.includes(role)) await expectAccessible(page);
      for (const viewport of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        await expectNoSidewaysScroll(page);
      }
      await screen.differences?.[role]?.(page);
    }
    await expectBadge(page, role);
  });
}
