import type { Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

/** Pixels by which the screen is wider than its window. */
const excessOf = (page: Page) =>
  page.locator('main').evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 0));

test('keeps a long account name within its card on phones', async ({ page, openAs }) => {
  const account = `${'a-very-long-address-'.repeat(4)}@sandbox.example`;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.route('**/api/integrations/providers', async (route) => {
    const response = await route.fetch();
    const [first, ...others] = await response.json();
    await route.fulfill({
      response,
      json: [{ ...first, connection: { ...first.connection, account } }, ...others],
    });
  });
  await openAs('standard', '/dashboard/integrations/providers');
  await expect(page.getByTitle(account)).toBeVisible();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await excessOf(page)).toBe(0);
    for (const button of await page.getByRole('button', { name: /^Manage/ }).all()) {
      const box = await button.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(width);
    }
  }
});

test('cuts nothing off beside the sidebar of a tablet, collapsed or expanded', async ({ page, openAs }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  const menu = page.getByRole('complementary', { name: 'Side menu' });
  /** Checks with the sidebar as a tablet has it, and expanded. */
  const inBoth = async (check: () => Promise<void>) => {
    await expect(menu).toHaveCSS('width', '64px');
    await check();
    await page.getByRole('button', { name: 'Expand sidebar' }).click();
    await expect(menu).toHaveCSS('width', '256px');
    await check();
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  };
  for (const path of [
    'integrations/providers',
    'integrations/synchronizations',
    'integrations/history',
    'data/views',
    'data/query',
  ]) {
    await openAs('demo', `/dashboard/${path}?provider=github&entity=gh-pulls`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path !== 'integrations/providers')
      await expect(page.getByText('Pull Requests').first()).toBeVisible();
    await inBoth(async () => expect(await excessOf(page), path).toBe(0));
  }
  await openAs('demo', '/dashboard/integrations/history');
  const button = page.getByRole('button', { name: 'Details of #14' });
  await expect(button).toBeVisible();
  await inBoth(async () => {
    const details = await button.boundingBox();
    expect((details?.x ?? 768) + (details?.width ?? 768)).toBeLessThan(768);
  });
  await openAs('demo', '/dashboard/integrations/synchronizations');
  const title = page.getByTitle('Pull Requests', { exact: true }).first();
  await expect(title).toBeVisible();
  await inBoth(async () => expect(await title.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0));
});

test('fits the buttons of Views into one row on a phone', async ({ page, openAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs('demo', '/dashboard/data/views?provider=github&entity=gh-pulls');
  const tops = new Set<number>();
  for (const name of ['Graph', 'Categories', 'New Category', 'New View']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    tops.add(Math.round(box?.y ?? 0));
  }
  expect(tops.size).toBe(1);
});

test('has targets of 40 px on a phone, and leads from a choice to its detail', async ({ page, openAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    'home',
    'integrations/synchronizations',
    'integrations/history',
    'data/alerts',
    'account',
  ]) {
    await openAs('demo', `/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const low = await page
      .locator('button:visible, input:visible, [role="combobox"]:visible')
      .evaluateAll((targets) =>
        targets.filter((one) => one.getBoundingClientRect().height < 39.5).map((one) => one.outerHTML),
      );
    expect(low, path).toEqual([]);
  }
  await openAs('demo', '/dashboard/data/views?provider=github&entity=gh-pulls');
  await page.getByRole('button', { name: /^Merged by author/ }).click();
  const title = page.getByRole('heading', { name: 'Merged by author' });
  await expect.poll(async () => (await title.boundingBox())?.y ?? 844).toBeLessThan(200);
});

test('wraps titles of 50 letters without a space on a phone', async ({ page, openAs, workspace }) => {
  const wide = (letter: string) => letter.repeat(50);
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  const common = {
    providerId: 'github',
    entityLabel: 'gh-pulls',
    jsonNataQuery: '$',
    description: wide('D'),
  };
  const base = await user.post<{ _id: string }>('/api/data/views', {
    ...common,
    title: wide('W'),
    templateKey: 'pulls-all',
  });
  const built = await user.post<{ _id: string }>('/api/data/views', {
    ...common,
    title: wide('M'),
    basedOn: base._id,
  });
  await page.setViewportSize({ width: 390, height: 800 });
  for (const { _id } of [base, built]) {
    await openAs(user, `/dashboard/data/views?provider=github&entity=gh-pulls&view=${_id}`);
    await expect(page.getByText('Query', { exact: true }).last()).toBeVisible();
    expect(await excessOf(page)).toBe(0);
  }
  // What the page still asks for must not meet the deletion.
  await page.goto('about:blank');
  await user.call('DELETE', '/api/accounts/delete-data');
});

test('keeps the answer of a webhook within its dialog', async ({ page, openAs }) => {
  const message = `Answered 500: ${'x'.repeat(200)}`;
  await page.route('**/api/notifications/webhook', (route) =>
    route.fulfill({
      json: {
        ...{ url: 'https://example.com/hook', format: 'json', email: false, emailAddress: null },
        last: { at: '2026-11-22T10:00:00.000Z', isDelivered: false, status: 500, message },
      },
    }),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs('demo', '/dashboard/account');
  await page.getByRole('button', { name: 'Notifications' }).click();
  await page.getByRole('button', { name: 'Webhook and mail…' }).click();
  const box = await page.getByText(message).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(390);
});

test('shows the outcome of a sync with long names in History, also on a phone', async ({ page, openAs }) => {
  await page.route(
    ({ pathname, searchParams }) =>
      pathname === '/api/integrations/synchronizations/history' && searchParams.has('page'),
    async (route) => {
      const response = await route.fetch();
      const answer: { results: { entityLabel: string }[] } = await response.json();
      const sync = answer.results.find(({ entityLabel }) => entityLabel === 'gh-pulls');
      const entitySettings = { owner: 'o'.repeat(39), repo: 'r'.repeat(100) };
      const failed = {
        ...sync,
        status: 'failed',
        summary: { errMessage: 'Cancelled by user' },
        entitySettings,
      };
      await route.fulfill({ response, json: { results: [failed], count: 1 } });
    },
  );
  await openAs('demo', '/dashboard/integrations/history');
  const words = page.getByTitle(/ · Cancelled by user$/);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(words).toBeVisible();
    const isSeen = await words.evaluate((element) => {
      const text = [...element.childNodes].find(({ textContent }) => textContent === 'Cancelled by user');
      const range = document.createRange();
      range.selectNodeContents(text ?? element);
      const box = element.getBoundingClientRect();
      const { right, bottom } = range.getBoundingClientRect();
      return right <= box.right + 1 && bottom <= box.bottom + 1;
    });
    expect(isSeen, `at ${width} px`).toBe(true);
  }
});

test('shows sync and date in the history of a record in whole words on a phone', async ({ page, openAs }) => {
  await page.route('**/api/integrations/entities/versions/**', async (route) => {
    const at = '2026-11-22T10:00:00.000Z';
    const results = [{ kind: 'added', sync: { _id: crypto.randomUUID(), number: 123_456, at } }];
    await route.fulfill({ json: { title: 'Of many syncs', results } });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(
    'demo',
    '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1',
  );
  await page.getByRole('tree', { name: 'Results' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('h');
  const history = page.getByRole('dialog', { name: /^History/ });
  for (const words of [history.getByText('by #123456'), history.locator('time')])
    expect((await words.boundingBox())?.height).toBeLessThan(25);
});

test.describe('a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('has text boxes with a font size that phones do not zoom into', async ({
    page,
    openAs,
    browserName,
  }) => {
    test.skip(browserName === 'firefox', 'Firefox cannot emulate a touch screen by WebDriver BiDi');
    await openAs(
      'standard',
      '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1',
    );
    const editor = page.getByRole('textbox', { name: 'Query expression' });
    await expect(editor).toHaveCSS('font-size', '16px');
    await editor.tap();
    await page.keyboard.insertText('$');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await expect(page.getByRole('dialog').getByLabel('Title')).toHaveCSS('font-size', '16px');
    await expectSound(page);
  });
});
