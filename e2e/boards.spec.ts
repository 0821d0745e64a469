import type { Page } from '@playwright/test';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { expectAccessible, expectNoSidewaysScroll, expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

const BOARDS = '/dashboard/data/boards';
const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };
const moves = (page: Page) => page.getByRole('button', { name: /^Move / });

test('shows the boards of the sample data', async ({ page, openAs }) => {
  await openAs('demo', BOARDS);
  await page.getByRole('link', { name: 'My week' }).click();
  const tile = (name: string) => page.getByRole('region', { name, exact: true });
  for (const kind of ['Mail', 'Review'])
    await expect(tile('Waiting for me').getByText(kind, { exact: true }).first()).toBeVisible();
  await expect(tile('Builds by day').getByText('success', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Inbox', exact: true }).click();
  await expect(tile('Newest files').getByRole('link').nth(1)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Arrange' })).toBeDisabled();
});

test('adds a view and a search to a board, arranges them by pointer and keyboard, and keeps it', async ({
  page,
  openAs,
  workspace,
}) => {
  const { standard } = workspace.users;
  const view = await standard.post<{ _id: string }>('/api/data/views', {
    title: 'By state',
    description: 'For a test.',
    jsonNataQuery: '$',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-by-state',
  });
  await openAs('standard', `/dashboard/data/views?provider=github&entity=gh-pulls&view=${view._id}`);
  await page.getByRole('button', { name: 'Add to board' }).click();
  await page.getByRole('textbox', { name: /^Name/ }).fill('My board');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Boards' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'By state', exact: true })).toBeVisible();

  await openAs('standard', '/dashboard/data/search?q=is%3Aopen');
  await page.getByRole('button', { name: 'Refine or save' }).click();
  await page.getByRole('menuitem', { name: 'Add to board' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('region', { name: 'is:open', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Arrange' }).click();
  await expect(moves(page)).toHaveCount(2);
  const search = await page.getByRole('button', { name: 'Move is:open' }).boundingBox();
  const target = await page.getByRole('region', { name: 'By state', exact: true }).boundingBox();
  if (!search || !target) throw new Error('the tiles are not shown');
  await page.mouse.move(search.x + 4, search.y + 4);
  await page.mouse.down();
  await page.mouse.move(target.x + 60, target.y + 80, { steps: 6 });
  await page.mouse.up();
  await expect(moves(page).first()).toHaveAccessibleName('Move is:open');
  await page.getByRole('button', { name: 'Move is:open' }).press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Move is:open' })).toBeFocused();
  await expect(moves(page).first()).toHaveAccessibleName('Move By state');
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect(moves(page).first()).toHaveAccessibleName('Move is:open');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await expect(moves(page).first()).toHaveAccessibleName('Move is:open');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test('adds a ready-made board to a new account, first with what is connected, then again with mails', async ({
  page,
  openAs,
  workspace,
}) => {
  const mei = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  await mei.call('DELETE', '/api/accounts/delete-data');
  await openAs(mei, BOARDS);
  const offers = page.getByRole('region', { name: 'Ready-made boards' });
  const add = (name: string) => offers.getByRole('button', { name: `Add ${name}` });
  await expect(add('Team reviews')).toBeDisabled();
  await expect(offers.getByText(/^Connect GitHub first\.$/)).toBeVisible();

  await mei.connect('github', 'ada-nowak');
  for (const entity of ['gh-pulls', 'gh-runs']) await runSync(mei, entity, HARBOR);

  await page.goto(workspace.url + BOARDS);
  await expect(
    offers.getByText(/^Left out until .* is connected: Unread mails and part of Waiting for me/),
  ).toBeVisible();
  await expectAccessible(page);
  await add('My week').click();
  await expect(page.getByRole('note').filter({ hasText: 'with 4 new views' })).toContainText('Unread mails');
  const tile = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(tile('Open pull requests').getByText(/^\d+$/).first()).toBeVisible();
  await expect(tile('Builds by day').getByText('success', { exact: true }).first()).toBeVisible();
  await expect(tile('Unread mails')).toHaveCount(0);

  await page.getByRole('button', { name: 'Ready-made' }).click();
  await expectSound(page, '[role=dialog]');
  await add('My week').click();
  await expect(page.getByRole('link', { name: 'My week 2' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('note').filter({ hasText: 'without a new view' })).toBeVisible();
});
