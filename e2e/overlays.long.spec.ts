import type { Page } from '@playwright/test';
import type { Client } from '../packages/server/test-support/test-server.ts';
import { reach } from './support/keyboard.ts';
import { expectDarkContrast, expectNoSidewaysScroll, expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

// A walk is long on a machine that has other work.
test.describe.configure({ mode: 'parallel', timeout: 480_000 });
test.use({ colorScheme: 'light' });

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Something that opens over a screen: a dialog, a question, a menu, a list of options or a tooltip. */
interface Overlay {
  /** The control that opens it. */
  by: RegExp;
  role: 'dialog' | 'alertdialog' | 'menu' | 'listbox';
  name?: string | RegExp;
  /** What the control is; default: a button. */
  as?: 'combobox' | 'link';
  /** The item of the menu that opens `above`. */
  item?: string;
  /** What opens over it in turn. */
  above?: Overlay[];
  /** Where it is not, or opens in another way. */
  not?: 'phone' | 'desktop';
}

/** A screen and what opens over it. */
interface ScreenOverlays {
  screen: string;
  path: string;
  /** Something that is there once the screen is ready. */
  ready: string | RegExp;
  prepare?: (page: Page) => Promise<void>;
  /** Whose it is; default: the standard user's. */
  role?: 'pro';
  overlays: Overlay[];
}

const PULLS = 'provider=github&entity=gh-pulls';
const question = { role: 'alertdialog' } as const;

const shippedChoice = { by: /^Connector$/, as: 'combobox', role: 'listbox' } as const;
const SCREENS: ScreenOverlays[] = [
  {
    screen: 'the shell',
    path: '/dashboard/account',
    ready: 'Profile Info',
    overlays: [
      { by: /^Search or jump/, role: 'dialog', name: 'Search and commands' },
      { by: /^Notifications/, role: 'dialog', name: 'Notifications' },
      { by: /^Keyboard shortcuts$/, role: 'dialog', name: 'Keyboard shortcuts' },
      { by: /^Theme: /, role: 'menu' },
      { by: /^Account menu$/, role: 'menu' },
      { by: /^Upgrade$/, role: 'dialog', name: 'Upgrade', not: 'phone' },
      {
        by: /^New token$/,
        role: 'dialog',
        name: 'New token',
      },
      { by: /^Access log$/, role: 'dialog', name: 'Access log' },
      { by: /^Delete all data$/, ...question },
      { by: /^Delete Account$/, ...question },
    ],
  },
  {
    screen: 'Providers',
    path: '/dashboard/integrations/providers',
    ready: 'Under construction...',
    overlays: [
      {
        by: /^Manage GitHub$/,
        role: 'menu',
        item: 'Name…',
        above: [{ by: /^Name…$/, role: 'dialog', name: 'Name the account' }],
      },
      {
        by: /^Manage GitHub$/,
        role: 'menu',
        item: 'Disconnect',
        above: [{ by: /^Disconnect$/, ...question }],
      },
      {
        by: /^Connect IMAP$/,
        role: 'dialog',
        name: 'Connect IMAP',
        above: [{ by: /^Security$/, as: 'combobox', role: 'listbox' }],
      },
    ],
  },
  {
    screen: 'Synchronizations',
    path: '/dashboard/integrations/synchronizations',
    ready: 'Messages',
    overlays: [
      {
        by: /^Details of Messages$/,
        role: 'dialog',
        name: 'Overview',
        above: [
          { by: /^What changed$/, role: 'dialog', name: /^What changed in #/ },
          { by: /^Example for Label IDs$/, role: 'dialog', name: 'Example Data' },
          { by: /^Export$/, role: 'menu' },
          { by: /^Delete$/, ...question },
        ],
      },
    ],
  },
  {
    screen: 'History',
    path: '/dashboard/integrations/history',
    ready: '#1',
    overlays: [
      { by: /^Status$/, as: 'combobox', role: 'listbox' },
      { by: /^Details of #1$/, role: 'dialog', name: 'Overview' },
    ],
  },
  {
    screen: 'Search',
    path: '/dashboard/data/search?q=repo%3Adotfiles',
    ready: /^\d+ results?$/,
    overlays: [
      {
        by: /^Update the bootstrap script$/,
        as: 'link',
        role: 'dialog',
        name: 'Update the bootstrap script',
        above: [{ by: /^History$/, role: 'dialog', name: 'History' }],
      },
      {
        by: /^Refine or save$/,
        role: 'menu',
        item: 'Alert me',
        above: [{ by: /^Alert me$/, role: 'dialog', name: 'Save as View' }],
      },
    ],
  },
  {
    screen: 'Query',
    path: `/dashboard/data/query?${PULLS}&template=pulls-by-author&step=1&page=1`,
    ready: /^\d+ results?$/,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Query expression' }).click();
      await page.keyboard.insertText('$.pulls');
      await expect(page.getByText(/^Ran over/)).toBeVisible();
    },
    overlays: [
      { by: /^Download this page$/, role: 'menu' },
      { by: /^Save as View$/, role: 'dialog', name: 'Save as View' },
      { by: /^Save$/, role: 'dialog', name: 'Save Query' },
      { by: /^Queries$/, as: 'combobox', role: 'listbox' },
      {
        by: /^Manage queries$/,
        role: 'dialog',
        name: 'Saved queries',
        above: [{ by: /^Delete mine$/, ...question }],
      },
    ],
  },
  {
    screen: 'Views',
    path: `/dashboard/data/views?${PULLS}`,
    ready: 'View has not been selected.',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Alone/ }).click();
      await expect(page.getByText(/^\d+ results?$/)).toBeVisible();
    },
    overlays: [
      { by: /^Graph$/, role: 'dialog', name: 'View graph' },
      {
        by: /^Categories$/,
        role: 'dialog',
        name: 'Categories',
        above: [
          { by: /^Rename mine$/, role: 'dialog', name: 'Rename category' },
          { by: /^Delete mine$/, ...question },
        ],
      },
      { by: /^New Category$/, role: 'dialog', name: 'Create View' },
      { by: /^New View$/, role: 'dialog', name: 'New View' },
      { by: /^Waiting for me/, role: 'dialog', name: 'Waiting for me' },
      { by: /^Other formats$/, role: 'menu', not: 'phone' },
      { by: /^Columns$/, role: 'dialog', name: 'Columns' },
      { by: /^Delete$/, ...question, not: 'phone' },
      { by: /^Update$/, role: 'dialog', name: 'Update View', not: 'phone' },
      {
        by: /^Actions$/,
        role: 'menu',
        not: 'desktop',
        item: 'Watching (1)',
        above: [{ by: /^Watching/, role: 'dialog', name: 'Watch "Alone"' }],
      },
      {
        by: /^Actions$/,
        role: 'menu',
        not: 'desktop',
        item: 'Delete',
        above: [{ by: /^Delete$/, ...question }],
      },
      {
        by: /^Watching \(1\)$/,
        role: 'dialog',
        name: 'Watch "Alone"',
        not: 'phone',
        above: [{ by: /^Delete: Rows that appear$/, ...question }],
      },
    ],
  },
  {
    screen: 'Alerts',
    path: '/dashboard/data/alerts',
    ready: 'Watching',
    overlays: [
      { by: /^Snooze: Alone/, role: 'menu' },
      {
        by: /^More: Alone/,
        role: 'menu',
        item: 'Edit',
        above: [{ by: /^Edit$/, role: 'dialog', name: 'Watch "Alone"' }],
      },
      { by: /^More: Alone/, role: 'menu', item: 'Remove', above: [{ by: /^Remove$/, ...question }] },
    ],
  },
  {
    screen: 'Connectors',
    path: '/dashboard/integrations/connectors',
    ready: 'No connectors yet',
    role: 'pro',
    overlays: [
      { by: /^An example answer/, role: 'dialog', name: 'New connector' },
      { by: /^A shipped connector/, role: 'dialog', name: 'New connector', above: [shippedChoice] },
    ],
  },
  {
    screen: 'Administration',
    path: '/dashboard/admin',
    ready: 'Accounts',
    role: 'pro',
    overlays: [
      {
        by: /^Details of Ada Nowak$/,
        role: 'dialog',
        name: /^Ada Nowak/,
        above: [
          { by: /^Delete account$/, role: 'dialog', name: 'Delete Ada Nowak' },
          { by: /^Sign out everywhere$/, ...question },
          { by: /^Make administrator$/, ...question },
        ],
      },
    ],
  },
];

const isPhone = (page: Page) => page.viewportSize()?.width === PHONE.width;

/** Checks what is open. On phones only dialogs are laid out differently: they fill the screen. */
async function expectSoundOverlay(page: Page, role: Overlay['role']): Promise<void> {
  if (isPhone(page) && role !== 'dialog') await expectNoSidewaysScroll(page);
  else await expectSound(page, `[role="${role}"]`);
}

/** Opens an overlay by keyboard, checks it and what opens over it, closes it; the focus goes in and comes back. */
async function checkOverlay(page: Page, overlay: Overlay): Promise<void> {
  const { by, role, name, as = 'button', item, above = [] } = overlay;
  const scope = page.locator('[role=dialog]').last();
  const area = (await scope.count()) > 0 ? scope : page;
  const control = area.getByRole(as, { name: by }).first();
  // A button of what is still loading takes no focus.
  await expect(control).toBeEnabled();
  // The way there by Tab is the same on every screen width.
  if (isPhone(page)) await control.focus();
  else await reach(page, control);
  await page.keyboard.press(as === 'combobox' ? 'ArrowDown' : 'Enter');
  const opened = page.getByRole(role, name === undefined ? {} : { name }).last();
  await expect(opened).toBeVisible();
  if (as === 'combobox') await expect(control).toBeFocused();
  else await expect(opened.locator(':focus').or(page.locator(':focus').and(opened)).first()).toBeVisible();
  // From then on it is the topmost layer, which Escape closes.
  await expect(opened).toHaveCSS('pointer-events', 'auto');
  await expectSoundOverlay(page, role);
  if (item !== undefined) {
    for (const inner of above) {
      await page.keyboard.press('Home');
      while (
        !(await opened
          .getByRole('menuitem', { name: item })
          .evaluate((one) => one === document.activeElement))
      )
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(page.getByRole(inner.role)).toBeVisible();
      await expectSoundOverlay(page, inner.role);
    }
  } else {
    for (const inner of above) await checkOverlay(page, inner);
  }
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
  await expect(control).toBeFocused();
}

for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test.describe(`overlays on a ${device}`, () => {
    test.use({ viewport });

    for (const { screen, path, ready, prepare, role = 'standard', overlays } of SCREENS) {
      test(`opens by keyboard, is accessible and returns the focus: ${screen}`, async ({
        page,
        openAs,
        workspace,
      }) => {
        const { standard } = workspace.users;
        await fill(standard);
        await openAs(role, path);
        await expect(page.getByText(ready, { exact: true }).first()).toBeVisible();
        await prepare?.(page);
        for (const overlay of overlays) {
          if (isPhone(page) ? overlay.not === 'phone' : overlay.not === 'desktop') continue;
          await checkOverlay(page, overlay);
        }
      });
    }
  });
}

/** A saved query, a category and a view of Ada's, unless they are there already. */
async function fill(user: Client): Promise<void> {
  await user.call('POST', '/api/data/jnata-queries', { title: 'mine', jsonNataQuery: '$.pulls' });
  await user.call('POST', '/api/data/views/category', { title: 'mine' });
  const views = await user.get<{ title: string }[]>('/api/data/views');
  if (views.some(({ title }) => title === 'Alone')) return;
  const { _id: viewId } = await user.post<{ _id: string }>('/api/data/views', {
    title: 'Alone',
    description: 'A view to open overlays on.',
    jsonNataQuery: '$.number',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  const alert = { kinds: ['appeared'], digest: 'each', bell: false, email: false };
  const webhookUrl = 'https://hook.invalid/';
  const { _id } = await user.post<{ _id: string }>('/api/data/alerts', { ...alert, viewId, webhookUrl });
  await user.post(`/api/data/alerts/${_id}/test`);
}

test.describe('the side menu on a phone', () => {
  test.use({ viewport: PHONE });

  test('opens as an accessible sheet and gets the focus back from Upgrade', async ({ page, openAs }) => {
    await openAs('standard', '/dashboard/account');
    const menu = page.getByRole('button', { name: 'Open menu' });
    await reach(page, menu);
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Side menu' });
    await expect(sheet).toBeVisible();
    await expectSound(page);
    await expectDarkContrast(page);
    await reach(page, sheet.getByRole('button', { name: 'Upgrade' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Upgrade' })).toBeVisible();
    await expectSound(page);
    await page.keyboard.press('Escape');
    await expect(menu).toBeFocused();
  });
});

test('opens the webhook dialog from the bell, accessible, and returns the focus', async ({
  page,
  openAs,
}) => {
  await openAs('standard', '/dashboard/account');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await reach(page, bell);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No notifications')).toBeVisible();
  await page.getByRole('button', { name: 'Webhook and mail…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Webhook' });
  await expect(dialog.getByLabel('Address')).toBeFocused();
  await expectSound(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(bell).toBeFocused();
});

// @covers 2.tooltip-counter
test('has accessible tooltips, toasts and notices', async ({ page, openAs }) => {
  await openAs('standard', '/dashboard/integrations/synchronizations?details=gh-pulls');
  await page.getByRole('button', { name: /^Limit: \d+\/50$/ }).focus();
  await expect(page.getByRole('tooltip')).toContainText('The usage resets every month.');
  await expectSound(page);
  // A toast stays for two seconds, and for as long as the mouse is on it: no time passes until it is.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await openAs('standard', '/dashboard/integrations/providers?provider=');
  await page.getByText('Failed connecting with provider').hover();
  await page.clock.resume();
  await expectSound(page);
});
