import type { Browser, Page } from '@playwright/test';
import type { Client } from '../packages/server/test-support/test-server.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

const DIALOG = '[role="dialog"]';

/** Opens a link as a person who has no account here. */
async function openAsReader(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

async function createBoard(user: Client): Promise<string> {
  const view = await user.post<{ _id: string }>('/api/data/views', {
    title: 'Of one author',
    description: 'For readers.',
    jsonNataQuery: '$[author = $author]',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-by-author',
    parameters: [{ name: 'author', type: 'text', default: null }],
  });
  const tile = { id: 'a', kind: 'view', width: 6, height: 4, viewId: view._id, picture: 'table', title: '' };
  const search = { id: 'b', kind: 'search', width: 6, height: 5, search: 'is:open', title: '' };
  const { _id } = await user.post<{ _id: string }>('/api/data/boards', {
    title: 'For readers',
    tiles: [tile, search],
  });
  return _id;
}

test('shares a board by a link that opens without an account, until it is ended', async ({
  page,
  browser,
  openAs,
  workspace,
}) => {
  const { standard } = workspace.users;
  const board = await createBoard(standard);
  await openAs('standard', `/dashboard/data/boards?board=${board}&p.author=ada-nowak`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Share' });
  await expect(form).toContainText('all rows of the 1 view on this board, with the values below');
  await expect(form).toContainText('Its search is left out.');
  await expect(form.getByLabel('$author')).toHaveValue('ada-nowak');
  await form.getByLabel('Who gets the link').fill('Design team');
  await form.getByLabel('Password', { exact: true }).fill('correct horse');
  await expectSound(page, DIALOG);
  await form.getByRole('button', { name: 'Create link' }).click();

  const created = page.getByRole('dialog', { name: 'The link is ready' });
  const link = await created.getByLabel('Link').inputValue();
  expect(link).toMatch(new RegExp(`^${workspace.url}/share/[^#]+#.+$`));
  await expect(created.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', link);
  await expectSound(page, DIALOG);
  await created.getByRole('button', { name: 'Done' }).click();

  const reader = await openAsReader(browser, link);
  await reader.getByLabel('Password', { exact: true }).fill('correct horse');
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('heading', { level: 1, name: 'For readers' })).toBeVisible();
  await expect(reader.getByText('ada-nowak').first()).toBeVisible();
  await expect(reader.getByText('jonas-weber')).toHaveCount(0);
  await expect(reader.getByText('is:open')).toHaveCount(0);

  await page.reload();
  await page.getByRole('button', { name: 'Shared' }).click();
  const links = page.getByRole('list', { name: 'Links' });
  await expect(links).toContainText('Last opened just now');
  await expect(links).toContainText('author = ada-nowak');
  await expectSound(page, DIALOG);
  await links.getByRole('button', { name: 'End the link for Design team' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The link for Design team has ended')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeVisible();

  for (const again of [reader, await openAsReader(browser, link)]) {
    await again.reload();
    await expect(again.getByRole('heading', { name: 'This page is not shared any more' })).toBeVisible();
    await again.context().close();
  }
});

test('lists a link among the API tokens and its openings in the access log', async ({
  page,
  browser,
  openAs,
  workspace,
}) => {
  const user = workspace.users.standard;
  const { _id: boardId } = await user.post<{ _id: string }>('/api/data/boards', {
    title: 'Notes for all',
    tiles: [{ id: 't', kind: 'text', width: 12, height: 1, text: 'Hello readers' }],
  });
  const { sharePath } = await user.post<{ sharePath: string }>('/api/accounts/tokens', {
    name: 'Everybody',
    scope: 'board',
    boardId,
    rowBudget: 500,
    expiresInDays: 7,
  });
  const reader = await openAsReader(browser, workspace.url + sharePath);
  await expect(reader.getByText('Hello readers')).toBeVisible();
  await reader.context().close();

  await openAs('standard', '/dashboard/account');
  await expect(page.getByText('Notes for all · 0 of 500 rows used')).toBeVisible();
  await page.getByRole('button', { name: 'Access log' }).click();
  const log = page.getByRole('dialog', { name: 'Access log' });
  const opened = log.getByRole('listitem').filter({ hasText: 'Everybody' });
  await expect(opened.getByText('Shared page opened')).toBeVisible();
});

test('does not let demo users share, and says why', async ({ page, openAs }) => {
  await openAs('demo', '/dashboard/data/boards');
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await expect(share).toBeDisabled();
  await expect(share).toHaveAttribute('title', 'Not available on the demo plan');
});
