import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { choose } from './support/journey.ts';
import { expect, test } from './support/workspace.ts';

const PULLS = 'provider=github&entity=gh-pulls';
const VIEWS = `/dashboard/data/views?${PULLS}`;
const RESULTS = `/dashboard/data/query?${PULLS}&template=pulls-all&step=1&page=2`;

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const confirm = (page: Page) =>
  page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();

test('renames and deletes saved queries and categories; Undo restores them', async ({
  page,
  openAs,
  workspace,
}) => {
  const { standard } = workspace.users;
  await standard.post('/api/data/jnata-queries', { title: 'To rename', jsonNataQuery: '$.title' });
  await standard.post('/api/data/views/category', { title: 'To rename' });
  await standard.post('/api/data/views', {
    title: 'Here again',
    description: 'Deleted and brought back.',
    jsonNataQuery: '$.number',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  await openAs('standard', RESULTS);
  await page.getByRole('button', { name: 'Manage queries' }).click();
  await page.getByRole('button', { name: 'Rename To rename' }).click();
  await page.getByLabel('New title of To rename').fill('Renamed');
  await page.getByRole('button', { name: 'Save title' }).click();
  await page.getByRole('button', { name: 'Delete Renamed' }).click();
  await confirm(page);
  await expect(page.getByRole('button', { name: 'Delete Renamed' })).toHaveCount(0);
  await dialog(page, 'Saved queries').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Delete Renamed' })).toBeVisible();

  await openAs('standard', VIEWS);
  await page.getByRole('button', { name: 'Categories' }).click();
  await page.getByRole('button', { name: 'Rename To rename' }).click();
  await dialog(page, 'Rename category').getByLabel('Title').fill('Renamed too');
  await dialog(page, 'Rename category').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Delete Renamed too' }).click();
  await confirm(page);
  await expect(page.getByRole('button', { name: 'Delete Renamed too' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  const entry = page.getByRole('button', { name: /^Here again/ });
  await entry.click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm(page);
  await expect(entry).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(entry).toBeVisible();
});

test('keeps filters, template, step, page and view in the URL across a reload', async ({ page, openAs }) => {
  await openAs('demo', '/dashboard/data/query');
  await choose(page, 'Provider', 'GitHub');
  await page.getByRole('button', { name: /^All pull requests/ }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('160 results')).toBeVisible();
  await page.getByRole('navigation', { name: 'Results pages' }).getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.reload();
  await expect(page.getByText('160 results')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page');

  await openAs('demo', VIEWS);
  await page.getByRole('button', { name: /^Merged pull requests/ }).click();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/view=.*page=2|page=2.*view=/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Merged pull requests' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
});

test('searches long lists, copies values, saves CSV and NDJSON, draws the view graph', async ({
  page,
  context,
  openAs,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAs('demo', `/dashboard/data/query?${PULLS}`);
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('Review requests');
  await expect(page.getByRole('list', { name: 'Templates' }).getByRole('button')).toHaveCount(1);

  await openAs('demo', VIEWS);
  await page.getByRole('button', { name: /^Merged by author/ }).click();
  await page.getByRole('button', { name: 'Copy query' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('$distinct(author)');
  await expect(page.getByText(/^\d+ results$/)).toBeVisible();
  const count = Number.parseInt(await page.getByText(/^\d+ results$/).innerText(), 10);
  for (const [format, lines] of [
    ['CSV', count + 1],
    ['NDJSON', count],
  ] as const) {
    await page.getByRole('button', { name: 'Other formats' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format, exact: true }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe(`view_Merged by author.${format.toLowerCase()}`);
    expect(
      readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(lines);
  }
  await page.getByText('Chart', { exact: true }).click();
  await expect(page.getByRole('table').getByRole('rowheader')).toHaveCount(count > 21 ? 21 : count);

  await page.getByRole('button', { name: 'Graph' }).click();
  await dialog(page, 'View graph').getByRole('button', { name: 'Busy reviewers' }).click();
  await expect(page.getByRole('heading', { name: 'Busy reviewers' })).toBeVisible();
});

test('asks before typed text is lost; shortcuts and the palette work everywhere', async ({
  page,
  openAs,
  workspace,
}) => {
  const user = await new Client(workspace).signIn('ada.nowak@sandbox.example');
  await openAs(user, '/dashboard/account');
  await page.getByRole('navigation').getByRole('link', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'New Category' }).click();
  await dialog(page, 'Create View').getByLabel('Title').fill('Half');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Your changes have not been saved. Discard them?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page, 'Create View').getByLabel('Title')).toHaveValue('Half');
  // Neither the browser's Back nor a reload takes it without a question.
  await page.goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page, 'Create View').getByLabel('Title')).toHaveValue('Half');
  const asksBeforeUnload = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await expect.poll(asksBeforeUnload).toBe(true);
  await page.keyboard.press('Escape');
  await confirm(page);
  await expect(dialog(page, 'Create View')).toBeHidden();
  await expect.poll(asksBeforeUnload).toBe(false);

  for (const [key, heading] of Object.entries({ p: 'Providers', s: 'Synchronizations', a: 'Account' })) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
  }
  await page.keyboard.press('?');
  await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  const search = dialog(page, 'Search and commands').getByRole('combobox');
  await expect(search).toBeFocused();
  await page.keyboard.type('requests by author');
  const template = page.getByRole('option', { name: /^Pull requests by author/ });
  // Templates that are loaded late do not take the selection.
  await template.hover();
  await expect(template).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/template=pulls-by-author/);
  await page.keyboard.press('Control+k');
  await expect(search).toBeFocused();
  await page.keyboard.type('Synchronize pull');
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Overview')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Usage this month' })).toBeVisible();
  await openAs(user, '/dashboard/integrations/history');
  await expect(page.getByRole('figure')).toBeVisible();
});

test('closes an open form by Back', async ({ page, openAs, workspace }) => {
  await workspace.users.standard.post('/api/data/views', {
    title: 'To go back from',
    description: 'Selected, and left by Back.',
    jsonNataQuery: '$.number',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  await openAs('standard', VIEWS);
  const form = dialog(page, 'New View');
  for (const typed of ['Half', '']) {
    await page.getByRole('button', { name: /^To go back from/ }).click();
    await page.getByRole('button', { name: 'New View' }).click();
    await form.getByLabel('Title').fill(typed);
    await page.goBack();
    if (typed !== '') await confirm(page);
    await expect(form).toBeHidden();
    await expect(page.getByText('View has not been selected.')).toBeVisible();
  }
});

test('keeps what is typed before the palette has loaded', async ({ page, openAs }) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/command-palette.*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await openAs('demo', '/dashboard/account');
  await expect(page.getByText('Profile Info')).toBeVisible();
  await page.getByRole('link', { name: 'Views' }).focus();
  await page.keyboard.press('Control+k');
  // Among them is what would go to Providers elsewhere.
  await page.keyboard.type('merged by a g p');
  await page.keyboard.press('Backspace');
  const palette = dialog(page, 'Search and commands');
  await expect(palette.getByRole('textbox')).toHaveValue('merged by a g ');
  arrive();
  const search = palette.getByRole('combobox');
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('merged by a g ');
  await page.keyboard.type('h');
  await expect(search).toHaveValue('merged by a g h');
  await expect(palette.getByRole('option')).toHaveText([/^Merged by author/, /^Search all records/]);
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('link', { name: 'Views' })).toBeFocused();
});

test('opens the history of a record from the tree and from the table', async ({ page, openAs }) => {
  const path = '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1';
  await openAs('standard', path);
  const tree = page.getByRole('tree', { name: 'Results' });
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('h');
  const history = page.getByRole('dialog', { name: /^History/ });
  await expect(history.getByText(/added/i).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();
  await expect(tree).toBeFocused();
  // A field within the record has none.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('h');
  await expect(history).toBeHidden();
  await tree.getByRole('treeitem').first().hover();
  await tree.getByRole('button', { name: /^History of / }).click();
  await expect(history.getByText(/added/i).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Table' }).click();
  await page
    .getByRole('button', { name: /^History of / })
    .first()
    .click();
  await expect(history).toBeVisible();
});
