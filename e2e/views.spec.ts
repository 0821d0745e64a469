import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { choose } from './support/journey.ts';
import { expect, test } from './support/workspace.ts';
import { writeExpression } from './support/write-expression.ts';

const PULL_VIEWS = '/dashboard/data/views?provider=github&entity=gh-pulls';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const entry = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title}`) });

/** A view of Ada's that others can build on. @returns its id */
async function addView(user: Client, title: string, jsonNataQuery = '$.{"number": number}'): Promise<string> {
  const { _id } = await user.post<{ _id: string }>('/api/data/views', {
    title,
    description: 'For a test.',
    jsonNataQuery,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  return _id;
}

// @covers 1.views-grouped-into 2.views-filters-list 2.view-detail-title 2.view-view-been
// @covers 3.view-dependees
test('lists views by category, each with its base and its dependees', async ({ page, openAs }) => {
  await openAs('demo', '/dashboard/data/views');
  await expect(entry(page, 'Busy reviewers')).toContainText('Pull Requests');
  await expect(page.getByText('View has not been selected.')).toBeVisible();
  await choose(page, 'Provider', 'GitHub');
  const group = page.getByRole('button', { name: /^Code review/ });
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await expect(entry(page, 'Busy reviewers')).toBeVisible();
  await group.click();
  await expect(entry(page, 'Merged by author')).toBeHidden();
  await expect(entry(page, 'Busy reviewers')).toBeVisible();
  await group.click();
  await entry(page, 'Merged pull requests').click();
  await expect(page.getByText('Template Key')).toBeVisible();
  await expect(page.getByText('Dependees')).toBeVisible();
  await page.getByRole('button', { name: 'Merged by author', exact: true }).click();
  await expect(page.getByText('Based On')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Merged pull requests', exact: true })).toBeVisible();
  await expect(page.getByText(/^\d+ results$/)).toBeVisible();
});

// @covers 1.views-downloaded-json 2.views-list-about 2.view-read-query 7.download-saved-view
test('shows a read-only query beside the list, then its data, and saves it as view_{title}.json', async ({
  page,
  openAs,
}) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/data/views/aggregate/**', async (route) => {
    await held;
    await route.continue();
  });
  await openAs('demo', PULL_VIEWS);
  await entry(page, 'Merged pull requests').click();
  const detail = page.locator('section', {
    has: page.getByRole('heading', { name: 'Merged pull requests' }),
  });
  await expect(detail.getByText('Loading...')).toBeVisible();
  const query = detail.getByRole('region', { name: 'Query' });
  await expect(query).toContainText('merged');
  await expect(query.locator('input, textarea, [contenteditable="true"]')).toHaveCount(0);
  answer();
  const count = Number.parseInt(await detail.getByText(/^\d+ results$/).innerText(), 10);
  await expect(detail.getByText('Loading...')).toHaveCount(0);
  await expect(detail.getByRole('navigation', { name: 'View data pages' })).toBeVisible();
  const list = page.locator('section', { has: page.getByRole('heading', { name: 'Views', level: 2 }) });
  const [left, right] = [await list.boundingBox(), await detail.boundingBox()];
  expect((right?.width ?? 0) / (left?.width ?? 1)).toBeCloseTo(1.5, 1);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '.JSON' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('view_Merged pull requests.json');
  const rows = JSON.parse(readFileSync(await file.path(), 'utf8')) as { number: number; title: string }[];
  expect(rows).toHaveLength(count);
  expect(rows[0]).toEqual(expect.objectContaining({ number: expect.any(Number), title: expect.any(String) }));
});

// @covers 4.view-dependees-notice 8.view-deleted-successfully 8.confirmation-delete-view
test('deletes a view after a confirmation, but none that others use', async ({ page, openAs, workspace }) => {
  const demo = await new Client(workspace).demo();
  await openAs(demo, PULL_VIEWS);
  await entry(page, 'Merged pull requests').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('This view is used in other views. Remove dependees first.');
  await expect(question.getByRole('button', { name: 'Confirm' })).toHaveCount(0);
  await question.getByRole('button', { name: 'OK' }).click();
  await entry(page, 'Busy reviewers').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(question).toContainText('Are you sure you want to delete this view?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(entry(page, 'Busy reviewers')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('View deleted successfully')).toBeVisible();
  await expect(entry(page, 'Busy reviewers')).toHaveCount(0);
  await expect(page.getByText('View has not been selected.')).toBeVisible();
});

// @covers 2.new-view-disabled 3.filters-provider-entity
test('creates a category and a view on another one, and updates it', async ({ page, openAs, workspace }) => {
  await addView(workspace.users.standard, 'A base');
  await openAs('standard', '/dashboard/data/views');
  await page.getByRole('button', { name: 'New Category' }).click();
  const category = dialog(page, 'Create View');
  // Characters beyond the box are not taken.
  await category.getByLabel('Title').fill('x'.repeat(60));
  await expect(category.getByLabel('Title')).toHaveValue('x'.repeat(50));
  await category.getByLabel('Title').fill('For reading');
  await category.getByRole('button', { name: 'Save' }).click();
  await expect(category).toBeHidden();

  const button = page.getByRole('button', { name: 'New View' });
  await expect(button).toBeDisabled();
  await choose(page, 'Provider', 'GitHub');
  await choose(page, 'Entity', 'Pull Requests');
  await expect(entry(page, 'A base')).toBeVisible();
  await button.click();
  const form = dialog(page, 'New View');
  await expect(form.getByRole('combobox', { name: 'Based On' })).toBeFocused();
  await expect(form.getByLabel('Provider')).not.toBeEditable();
  await expect(form.getByLabel('Entity')).toHaveValue('Pull Requests');
  await form.getByLabel('Title').fill('Built on the base');
  await form.getByLabel('Description').fill('x'.repeat(600));
  await expect(form.getByLabel('Description')).toHaveValue('x'.repeat(500));
  await form.getByLabel('Description').fill('Numbers.');
  const query = form.getByRole('textbox', { name: 'Query' });
  await writeExpression(query, 'x'.repeat(1501));
  await query.blur();
  await expect(form.getByText('Must be 1500 characters or less')).toBeVisible();
  await writeExpression(query, '$.number');
  await choose(page, 'Based On', 'A base');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Based On')).toBeVisible();
  await expect(entry(page, 'Built on the base')).toHaveAttribute('aria-pressed', 'true');
  // The next one is offered to build on the one in sight.
  await button.click();
  await expect(form.getByText('Built on the base')).toBeVisible();
  await expect(form.getByLabel('Title')).toBeFocused();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Update', exact: true }).click();
  const update = dialog(page, 'Update View');
  await update.getByLabel('Title').fill('Was updated');
  await choose(page, 'Category', 'For reading');
  await update.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: /^For reading/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Was updated' })).toBeVisible();
});

test('scrolls a long list of options over a dialog by wheel and keyboard', async ({
  page,
  openAs,
  workspace,
}) => {
  for (let count = 1; count <= 20; count += 1) await addView(workspace.users.standard, `Wheel ${count}`);
  await openAs('standard', PULL_VIEWS);
  await page.getByRole('button', { name: 'New View' }).click();
  const box = dialog(page, 'New View').getByRole('combobox', { name: 'Based On' });
  await box.fill('wheel');
  const list = page.getByRole('listbox');
  const scrolled = () => list.evaluate(({ scrollTop }) => scrollTop);
  await list.hover();
  await page.mouse.wheel(0, 150);
  await expect.poll(scrolled).toBe(150);
  await page.keyboard.press('End');
  await expect(list.getByRole('option', { name: 'Wheel 20' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(box).toHaveAccessibleDescription('Wheel 20');
  await expect(box).toBeFocused();
});

test('shows code without ligatures', async ({ page, openAs, workspace }) => {
  const view = await addView(workspace.users.standard, 'Signs', '[number != 1]');
  await openAs('standard', `${PULL_VIEWS}&view=${view}`);
  const code = page.locator('pre', { hasText: 'number != 1' });
  await expect(code).toHaveCSS('font-feature-settings', /"calt" 0/);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.locator('.cm-content')).toHaveCSS('font-feature-settings', /"calt" 0/);
});

test('opens the records of a view, and stores how it is shown for every browser', async ({
  page,
  openAs,
  workspace,
}) => {
  const id = await addView(workspace.users.standard, 'Shown as stored', '$');
  const address = `${PULL_VIEWS}&view=${id}`;
  await openAs('standard', address);
  const table = page.getByRole('region', { name: 'View data' });
  const headers = table.getByRole('columnheader');
  await expect(headers.nth(1)).toHaveAccessibleName('number');
  const row = table.getByRole('row').nth(1);
  await row.getByRole('cell').nth(2).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'History' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const edge = await table.getByRole('button', { name: 'Width of title' }).boundingBox();
  const at = { x: (edge?.x ?? 0) + 12, y: (edge?.y ?? 0) + 12 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x - 60, at.y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'state', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await table.getByRole('button', { name: 'Sort by number', exact: true }).click();
  await expect(page).toHaveURL(/sort=number/);
  const width = await headers.nth(2).evaluate((header) => header.style.width);
  expect(width).toMatch(/px$/);
  await page.getByRole('button', { name: 'Save display' }).click();
  await expect(page.getByText('View was updated successfully')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save display' })).toHaveCount(0);

  // As another browser, which kept nothing.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key !== 'dd-authToken') localStorage.removeItem(key);
  });
  await openAs('standard', address);
  await expect(headers.nth(2)).toHaveCSS('width', width);
  await expect(headers.nth(1)).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.getByRole('columnheader', { name: 'state', exact: true })).toHaveCount(0);
});
