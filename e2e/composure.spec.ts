import type { Locator, Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { choose } from './support/journey.ts';
import { expectDarkContrast, expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';
import { writeExpression } from './support/write-expression.ts';

/** Nothing jumps, nothing is covered, nobody loses the place. */

const PULLS = 'provider=github&entity=gh-pulls';
const MAIL =
  '/dashboard/data/query?provider=google&entity=gmail-messages&template=messages-all&step=1&page=1';
const DEVICES = [
  { device: 'desktop', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 390, height: 844 } },
];

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not to be seen`);
  return box;
}

/** Stops the page's clock, so that toasts stay. */
async function holdTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

test('keeps the scroll position of the list and shows a picked view from its top', async ({
  page,
  openAs,
  workspace,
  browserName,
}) => {
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  let last: { _id: string } | undefined;
  for (let number = 10; number < 50; number++) {
    last = await user.post('/api/data/views', {
      title: `View ${number}`,
      description: 'One of many.',
      jsonNataQuery: '$',
      providerId: 'github',
      entityLabel: 'gh-pulls',
      templateKey: 'pulls-all',
    });
  }
  await openAs(user, `/dashboard/data/views?${PULLS}&view=${last?._id}`);
  await expect(page.getByRole('button', { name: /^View 49/ })).toBeInViewport();
  for (const title of ['View 48', 'View 31', 'View 49']) {
    const entry = page.getByRole('button', { name: new RegExp(`^${title}`) });
    await entry.scrollIntoViewIfNeeded();
    const before = await boxOf(entry);
    await entry.click();
    await expect(page.getByRole('heading', { name: title })).toBeInViewport();
    await expect(page.getByText('The view is empty.')).toBeVisible();
    expect(Math.abs((await boxOf(entry)).y - before.y)).toBeLessThan(2);
  }
  if (browserName === 'firefox') return; // It cannot emulate paper by WebDriver BiDi.
  // On paper the list has all of them, and nothing that a finger would press.
  await page.emulateMedia({ media: 'print' });
  const list = await boxOf(
    page.getByRole('button', { name: /^View 10/ }).locator('xpath=ancestor::section[1]'),
  );
  const last49 = await boxOf(page.getByRole('button', { name: /^View 49/ }));
  expect(last49.y + last49.height).toBeLessThanOrEqual(list.y + list.height);
  await page.emulateMedia({ media: 'screen' });
  // What the page still asks for must not meet the deletion.
  await page.goto('about:blank');
  await user.call('DELETE', '/api/accounts/delete-data');
});

test('shows sender, subject and date of mail without horizontal scrolling', async ({ page, openAs }) => {
  await openAs('demo', MAIL);
  await page.getByRole('radio', { name: 'Table' }).click();
  for (const name of ['from', 'subject', 'date'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('cell').locator('time').first()).toBeInViewport({ ratio: 1 });
});

for (const { device, viewport } of DEVICES) {
  test.describe(device, () => {
    test.use({ viewport });

    for (const { what, path, call, place } of [
      {
        what: 'the results of a template',
        path: `/dashboard/data/query?${PULLS}&template=pulls-all&step=1&page=1`,
        call: '/api/integrations/entities/aggregation',
        place: (page: Page) => page.locator('section').filter({ hasText: 'All pull requests' }),
      },
      {
        what: 'the history',
        path: '/dashboard/integrations/history',
        call: '/api/integrations/synchronizations/history',
        place: (page: Page) => page.locator('main .shadow-low').nth(1),
      },
    ]) {
      test(`does not shift the layout when ${what} arrives`, async ({ page, openAs }) => {
        let arrive = () => {};
        const arrival = new Promise<void>((resolve) => (arrive = resolve));
        await page.route(
          ({ pathname }) => pathname.startsWith(call),
          async (route) => {
            await arrival;
            await route.fallback();
          },
        );
        await openAs('demo', path);
        await expect(page.getByText('Loading...').last()).toBeVisible();
        const before = await boxOf(place(page).last());
        arrive();
        await expect(page.getByText('Loading...')).toHaveCount(0);
        const after = await boxOf(place(page).last());
        expect(after.y).toBe(before.y);
        if (what !== 'the history') expect(Math.abs(after.height - before.height)).toBeLessThan(2);
      });
    }

    test('keeps Verify in its position when its result arrives', async ({ page, openAs }) => {
      await openAs('standard', '/dashboard/integrations/synchronizations?details=gh-pulls');
      const verify = page.getByRole('button', { name: 'Verify' });
      const changed = page.getByRole('button', { name: 'What changed' });
      await expect(changed).toBeVisible();
      await verify.click();
      await expect(page.getByText(/^Checked with the provider just now/)).toBeVisible();
      expect((await boxOf(verify)).y).toBe((await boxOf(changed)).y);
    });

    test('keeps the height of a running sync while waits appear and end', async ({ page, openAs }) => {
      const progress = { phase: 'fetching', records: 4321, total: 5000, rate: 12, retryAt: null };
      let now: object = progress;
      await page.route(
        ({ pathname }) => pathname === '/api/integrations/synchronizations',
        async (route) => {
          const answer = await route.fetch();
          const syncs: { entityLabel: string }[] = await answer.json();
          const running = syncs.find(({ entityLabel }) => entityLabel === 'gh-pulls');
          const sync = { ...running, _id: crypto.randomUUID(), status: 'started', progress: now };
          await route.fulfill({ response: answer, json: [...syncs, sync] });
        },
      );
      const heights: number[] = [];
      const address = '/dashboard/integrations/synchronizations?details=gh-pulls';
      for (const [next, words] of [
        [progress, /records\/s/],
        [{ ...progress, rate: 0 }, 'Fetching records'],
        [
          { ...progress, phase: 'waiting', retryAt: new Date(Date.now() + 3_599_000).toISOString() },
          /asks to wait until/,
        ],
      ] as const) {
        now = next;
        await openAs('standard', address);
        await expect(page.getByText(words)).toBeVisible();
        const card = page.getByRole('progressbar', { name: 'Synchronization progress' }).locator('..');
        // As it is laid out: a dialog grows while it opens.
        heights.push(await card.evaluate((element) => (element as HTMLElement).offsetHeight));
      }
      expect(new Set(heights).size, heights.join()).toBe(1);
    });

    test('does not cover Resync, Delete, title or close button by a toast', async ({
      page,
      openAs,
      failing,
    }) => {
      await failing('POST', '/api/integrations/synchronizations');
      await openAs('standard', '/dashboard/integrations/synchronizations?details=gh-pulls');
      const resync = page.getByRole('button', { name: 'Resync' });
      await expect(resync).toBeEnabled();
      await holdTime(page);
      await resync.click();
      const toast = await boxOf(page.getByText('Synced unsuccessfully'));
      for (const name of ['Resync', 'Delete']) {
        const button = await boxOf(page.getByRole('button', { name, exact: true }));
        expect(toast.y + toast.height).toBeLessThan(button.y);
      }
      const title = await boxOf(page.getByRole('heading', { name: 'Overview' }));
      const cross = await boxOf(page.getByRole('button', { name: 'Close', exact: true }));
      const isUnder = toast.y > title.y + title.height && toast.y > cross.y + cross.height;
      const isBeside = device === 'desktop' && toast.x + toast.width < cross.x;
      expect(isUnder || isBeside).toBe(true);
    });
  });
}

test('does not cover a control of a tall dialog by two toasts', async ({
  page,
  openAs,
  failing,
  workspace,
}) => {
  await workspace.users.standard.post('/api/data/views', {
    title: 'Toasted',
    description: 'What the new one builds on.',
    jsonNataQuery: '$',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  await failing('POST', '/api/data/views');
  await page.setViewportSize({ width: 1440, height: 600 });
  await openAs('standard', `/dashboard/data/views?${PULLS}`);
  await page.getByRole('button', { name: 'New View' }).click();
  const form = page.getByRole('dialog', { name: 'New View' });
  await choose(page, 'Based On', 'Toasted');
  await form.getByLabel('Title').fill('Not to be');
  await form.getByLabel('Description').fill('It fails.');
  await writeExpression(form.getByRole('textbox', { name: 'Query' }), '$');
  const save = form.getByRole('button', { name: 'Save' });
  await expect(save).toBeEnabled();
  await holdTime(page);
  for (const shown of [1, 2]) {
    await save.click();
    await expect(page.getByText('View creation was unsuccessful')).toHaveCount(shown);
  }
  await form.getByLabel('Provider').scrollIntoViewIfNeeded();
  const toasts = await page.getByText('View creation was unsuccessful').all();
  const boxes = await Promise.all(toasts.map((toast) => boxOf(toast.locator('..'))));
  for (const control of await form.locator('button, input').all()) {
    if (!(await control.isVisible())) continue;
    const it = await boxOf(control);
    for (const toast of boxes) {
      const isApart =
        toast.y + toast.height <= it.y ||
        it.y + it.height <= toast.y ||
        toast.x + toast.width <= it.x ||
        it.x + it.width <= toast.x;
      expect(isApart, `${await control.getAttribute('aria-label')} at ${it.x}, ${it.y}`).toBe(true);
    }
  }
});

test('aligns title and date of a row of Synchronizations', async ({ page, openAs }) => {
  await openAs('demo', '/dashboard/integrations/synchronizations');
  await expect(page.getByRole('button', { name: 'Details of Labels' })).toBeVisible();
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Details of/ }) });
  const apart = await rows.evaluateAll((items) =>
    items.map((item) => {
      // A box without a height lies on the baseline of its line.
      const baselines = [...item.querySelectorAll('.truncate, time')].map((text) => {
        const probe = document.createElement('span');
        probe.style.display = 'inline-block';
        text.append(probe);
        const { bottom } = probe.getBoundingClientRect();
        probe.remove();
        return bottom;
      });
      return Math.max(...baselines) - Math.min(...baselines);
    }),
  );
  expect(apart.length).toBeGreaterThan(2);
  for (const distance of apart) expect(distance).toBeLessThan(0.5);
});

test('fits page numbers of three digits into one row at 1024 px', async ({ page, openAs, workspace }) => {
  const user = workspace.users.standard;
  const view = await user.post<{ _id: string }>('/api/data/views', {
    title: 'Of many pages',
    description: 'A row for each number.',
    jsonNataQuery: '[1..4000].{"number": $}',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  await page.setViewportSize({ width: 1024, height: 768 });
  await openAs('standard', `/dashboard/data/views?${PULLS}&view=${view._id}&page=123`);
  const pages = page.getByRole('navigation').filter({ has: page.getByLabel('Go to page, 1 to 200') });
  await expect(pages.getByLabel(/^Go to page/)).toHaveValue('123');
  const rows = async () => (await boxOf(pages.locator('..'))).height;
  expect(await rows()).toBeLessThan(60);
  // Where there is room, all five numbers and both ends are there.
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const name of ['First', 'Page 121', 'Page 125', 'Last'])
    await expect(pages.getByRole('button', { name, exact: true })).toBeVisible();
  expect(await rows()).toBeLessThan(60);
  // Where there is least, the focus is not lost at the end.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(pages.getByRole('button', { name: 'Page 123' })).toBeHidden();
  expect(await rows()).toBeLessThan(60);
  await pages.getByLabel(/^Go to page/).fill('199');
  await page.keyboard.press('Enter');
  await expect(page.getByText('3961').first()).toBeVisible();
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeFocused();
});

test('scrolls the tree sideways to deeply nested values on a phone', async ({ page, openAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs('demo', `/dashboard/data/query?${PULLS}&template=pulls-all&step=1&page=1`);
  const editor = page.getByRole('textbox', { name: 'Query expression' });
  await writeExpression(editor, '($f := function($n){$n = 0 ? "bottom" : {"a": $f($n - 1)}}; $f(30))');
  const tree = page.getByRole('tree', { name: 'Query output' });
  await tree.focus();
  for (let level = 0; level < 60; level++) await page.keyboard.press('ArrowRight');
  const bottom = tree.getByText('"bottom"');
  await expect(bottom).toBeInViewport({ ratio: 1 });
  expect(await bottom.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  const edge = await boxOf(tree);
  const { x } = await boxOf(bottom);
  expect(x).toBeGreaterThan(edge.x);
  expect(x + 60).toBeLessThan(edge.x + edge.width);
  // The screen itself does not.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('shows the table as a list on a phone; a row opens to all of its fields', async ({ page, openAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs('demo', MAIL);
  await page.getByRole('radio', { name: 'List' }).click();
  const rows = page.getByRole('region', { name: 'Results' }).getByRole('listitem');
  await expect(rows).toHaveCount(20);
  await expect(page.getByRole('table')).toHaveCount(0);
  await expectSound(page);
  await expectDarkContrast(page);
  const first = rows.first();
  await expect(first.getByRole('term')).toHaveText(['from', 'subject', 'date', 'snippet']);
  await first.getByRole('button', { name: /^All \d+ fields$/ }).click();
  await expect(first.getByRole('term').filter({ hasText: 'threadId' })).toBeVisible();
  await first.getByRole('button', { name: 'subject', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Query expression' })).toHaveText('subject');
});

test('marks states by edges when the user forces colours', async ({ page, openAs, browserName }) => {
  test.skip(browserName === 'firefox', 'Firefox cannot emulate media by WebDriver BiDi');
  await page.emulateMedia({ forcedColors: 'active' });
  await openAs('demo', `/dashboard/data/query?${PULLS}&template=pulls-all&step=1&page=2`);
  const edgeOf = (locator: Locator) =>
    locator.evaluate((element) => {
      const { outlineStyle, borderTopStyle, borderTopWidth } = getComputedStyle(element);
      return {
        isOutlined: outlineStyle === 'solid',
        hasBorder: borderTopStyle === 'solid' && borderTopWidth === '1px',
      };
    });
  await expect(page.getByRole('tree')).toBeVisible();
  for (const selected of [
    page.getByRole('link', { name: 'Query' }),
    page.getByRole('radio', { name: 'Results' }),
    page.getByRole('button', { name: 'Page 2' }),
  ])
    expect(await edgeOf(selected)).toMatchObject({ isOutlined: true });
  expect(await edgeOf(page.getByRole('radio', { name: 'Templates' }))).toMatchObject({ isOutlined: false });
  const all = page.getByRole('switch', { name: 'All results' });
  expect(await edgeOf(all)).toMatchObject({ hasBorder: true });
  const [track, thumb] = await Promise.all(
    [all, all.locator('span')].map((part) => part.evaluate((node) => getComputedStyle(node).backgroundColor)),
  );
  expect(thumb).not.toBe(track);
});

test('prints the content alone, dark on white and at full length', async ({ page, openAs, browserName }) => {
  test.skip(browserName === 'firefox', 'Firefox cannot emulate media by WebDriver BiDi');
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await openAs('demo', '/dashboard/integrations/history');
  await expect(page.getByRole('figure')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await expect(page.getByRole('complementary', { name: 'Side menu' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  const { ink, excess } = await page.evaluate(() => ({
    ink: getComputedStyle(document.body).color,
    excess: document.documentElement.scrollHeight - window.innerHeight,
  }));
  expect(ink).toBe('rgb(21, 22, 28)');
  expect(excess).toBeGreaterThan(0);
});

test('offers to skip to the content at the first Tab', async ({ page, openAs }) => {
  await openAs('demo', '/dashboard/account');
  await expect(page.getByText('Profile Info')).toBeVisible();
  const link = page.getByRole('link', { name: 'Skip to content' });
  // What is cut off counts as in the viewport in Firefox.
  await expect(link).toHaveCSS('clip-path', 'inset(50%)');
  await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  expect(new URL(page.url()).hash).toBe('');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Name')).toBeFocused();
});
