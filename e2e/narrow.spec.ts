import type { Page } from '@playwright/test';
import { Client } from '../packages/server/src/testing/test-server.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

/** Pixels by which the screen is wider than its window. */
const excessOf = (page: Page) =>
  page.locator('main').evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 0));

for (const width of [320, 390]) {
  test(`a long account stays within its card at ${width} px`, async ({ page, openAs }) => {
    const account = `${'a-very-long-address-'.repeat(4)}@sandbox.example`;
    await page.setViewportSize({ width, height: 800 });
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
    expect(await excessOf(page)).toBe(0);
    for (const button of await page.getByRole('button', { name: /^Manage/ }).all()) {
      const box = await button.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(width);
    }
  });
}

for (const sidebar of ['as it comes', 'expanded']) {
  test(`nothing is cut off beside the sidebar of a tablet, ${sidebar}`, async ({ page, openAs }) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    if (sidebar === 'expanded')
      await page.addInitScript(() => {
        if (location.protocol !== 'about:') localStorage.setItem('dd-sidebarCollapsed', 'false');
      });
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
      expect(await excessOf(page), path).toBe(0);
    }
    await openAs('demo', '/dashboard/integrations/history');
    const details = await page.getByRole('button', { name: 'Details of #13' }).boundingBox();
    expect((details?.x ?? 768) + (details?.width ?? 768)).toBeLessThan(768);
    await openAs('demo', '/dashboard/integrations/synchronizations');
    const title = page.getByTitle('Pull Requests', { exact: true }).first();
    await expect(title).toBeVisible();
    expect(await title.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  });
}

test('the buttons of Views stand in one row on a phone', async ({ page, openAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs('demo', '/dashboard/data/views?provider=github&entity=gh-pulls');
  const tops = new Set<number>();
  for (const name of ['Graph', 'Categories', 'New Category', 'New View']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    tops.add(Math.round(box?.y ?? 0));
  }
  expect(tops.size).toBe(1);
});

test('titles of 50 letters without a space stay within a phone', async ({ page, openAs, workspace }) => {
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

test('what a webhook answered stays within its dialog', async ({ page, openAs }) => {
  const message = `Answered 500: ${'x'.repeat(200)}`;
  await page.route('**/api/notifications/webhook', (route) =>
    route.fulfill({
      json: {
        url: 'https://example.com/hook',
        last: { at: '2026-11-22T10:00:00.000Z', isDelivered: false, status: 500, message },
      },
    }),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs('demo', '/dashboard/account');
  await page.getByRole('button', { name: 'Notifications' }).click();
  await page.getByRole('button', { name: 'Webhook…' }).click();
  const box = await page.getByText(message).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(390);
});

test.describe('under a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('boxes have texts so large that no phone zooms into them', async ({ page, openAs }) => {
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
