import type { Page } from '@playwright/test';
import { choose } from './support/journey.ts';
import { expect, test } from './support/workspace.ts';

const PULLS = '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all';
const RESULTS = `${PULLS}&step=1&page=1`;

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const expressionBox = (page: Page) => page.getByRole('textbox', { name: 'Query expression' });

async function write(page: Page, expression: string): Promise<void> {
  await expressionBox(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(expression);
}

// @covers 1.synced-data-run 2.query-step-0 2.query-step-0-empty 2.selecting-template-clears 2.query-step-1-empty
test('shows two steps with empty states, and clears results after a new choice', async ({ page, openAs }) => {
  await openAs('standard', '/dashboard/data/query');
  await expect(page.getByText('Template has not been selected.')).toBeVisible();
  await expect(page.getByText('No Entity', { exact: true })).toBeVisible();
  await page
    .getByRole('radio', { name: 'Results' })
    .or(page.getByRole('button', { name: 'Results' }))
    .click();
  await expect(page.getByText('No results. Please select a template and run the query.')).toBeVisible();
  await page.getByRole('button', { name: 'Go to Templates' }).click();
  await choose(page, 'Provider', 'Gmail');
  await choose(page, 'Entity', 'Labels');
  await page.getByRole('button', { name: /^All labels/ }).click();
  await expect(page.getByRole('region', { name: 'Description' })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/^\d+ results$/)).toBeVisible();
  await page
    .getByRole('radio', { name: 'Templates' })
    .or(page.getByRole('button', { name: 'Templates' }))
    .click();
  await page.getByRole('button', { name: /^Labels by type/ }).click();
  await page
    .getByRole('radio', { name: 'Results' })
    .or(page.getByRole('button', { name: 'Results' }))
    .click();
  await expect(page.getByText('No results. Please select a template and run the query.')).toBeVisible();
});

// @covers 2.query-step-1 4.results-page-starts 9.result-pages-20
test('pages results by 20 with previous, next and up to five numbers', async ({ page, openAs }) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Results pages' });
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await expect(pages.getByRole('button', { name: /^Page / })).toHaveCount(5);
  for (const number of [5, 7, 8]) {
    // A press while a page loads is ignored.
    await expect(async () => {
      await pages.getByRole('button', { name: `Page ${number}` }).click();
      await expect(page).toHaveURL(new RegExp(`page=${number}`), { timeout: 1000 });
    }).toPass();
  }
  await expect(pages.getByRole('button', { name: 'Page 8' })).toHaveAttribute('aria-current', 'page');
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
  await page.reload();
  await expect(pages.getByRole('button', { name: 'Page 8' })).toHaveAttribute('aria-current', 'page');
});

// @covers 1.results-refined-expression 2.panel-shows-output 2.expression-box-save
test('runs an expression after a second without typing, and reports its errors', async ({ page, openAs }) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  await write(page, '$count($)');
  await expect(page.getByText('Ran over the 20 rows of this page')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Query output' })).toHaveText(/20/);
  await page.getByRole('switch', { name: 'All results' }).click();
  await expect(page.getByText('Ran over all 160 rows')).toBeVisible();
  await page.getByRole('switch', { name: 'All results' }).click();
  await write(page, '$nothing(');
  await expect(page.getByRole('alert').filter({ hasText: 'Error: ' })).toBeVisible();
});

// @covers 9.expression-debounce-1000
test('runs the expression 1,000 ms after the last key, by Ctrl Enter at once', async ({ page, openAs }) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  await expressionBox(page).click();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.insertText('$count($)');
  // Seen once the text has arrived, from when on the rest counts.
  await expect(page.getByText('Evaluating')).toBeVisible();
  await page.clock.runFor(990);
  // The clock of the page is stopped; a started evaluation would have finished by now.
  await page.waitForTimeout(700);
  await expect(page.getByText('Evaluating')).toBeVisible();
  await expect(page.getByText(/^Ran over/)).toHaveCount(0);
  await page.clock.runFor(10);
  await expect(page.getByText('Ran over the 20 rows of this page')).toBeVisible();
  await page.keyboard.insertText(' + 1');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Query output' })).toHaveText(/21/);
});

// @covers 4.changes-results-page
test('ignores a change of page while one loads', async ({ page, openAs }) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  const asked: string[] = [];
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/integrations/entities/aggregation/**', async (route) => {
    asked.push(new URL(route.request().url()).search);
    await held;
    await route.continue();
  });
  const pages = page.getByRole('navigation', { name: 'Results pages' });
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => asked).toEqual(['?page=2']);
  await pages.getByRole('button', { name: 'Next' }).click();
  await pages.getByRole('button', { name: 'Page 5' }).click();
  await expect(page).toHaveURL(/page=2/);
  answer();
  await expect(pages.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
  // The number appears a moment before the page has loaded.
  await expect(async () => {
    await pages.getByRole('button', { name: 'Page 5' }).click();
    await expect(page).toHaveURL(/page=5/, { timeout: 1000 });
  }).toPass();
  await expect.poll(() => asked).toEqual(['?page=2', '?page=5']);
});

// @covers 7.profile-fetched-token 7.templates-views-view
test('requests nothing that depends on a choice before it is made', async ({ page, openAs, workspace }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  await page.goto(workspace.url);
  await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
  expect(asked).toEqual(['/api/product']);
  await openAs('pro', '/dashboard/data/query');
  await expect(page.getByText('No Entity', { exact: true })).toBeVisible();
  await openAs('pro', '/dashboard/data/views?provider=github');
  await expect(page.getByText('No views available for selected filters')).toBeVisible();
  // Jonas has nothing connected, so that there are no synchronizations to ask for.
  for (const path of ['synchronizations', 'entities/templates', 'entities/aggregation', 'views/aggregate'])
    expect(asked.filter((one) => one.includes(path))).toEqual([]);
  expect(asked).not.toContain('/api/data/views');
  await choose(page, 'Entity', 'Pull Requests');
  await expect.poll(() => asked).toContain('/api/data/views');
});

// @covers 1.queries-can-saved 2.queries-dropdown-fills 2.save-query-dialog 5.saved-query-form 8.jsonnata-query-saved
test('saves a query under a title of up to 20 characters; the dropdown loads it', async ({
  page,
  openAs,
}) => {
  await openAs('standard', RESULTS);
  await write(page, '$count($)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const save = dialog(page, 'Save Query').getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  const title = dialog(page, 'Save Query').getByLabel('Title');
  await title.fill('x'.repeat(21));
  await title.blur();
  await expect(dialog(page, 'Save Query').getByText('Must be 20 characters or less')).toBeVisible();
  await expect(save).toBeDisabled();
  await title.fill('Number of rows');
  await expect(save).toBeEnabled();
  await save.click();
  await expect(page.getByText('JsonNata query was saved successfully')).toBeVisible();
  await expect(dialog(page, 'Save Query')).toBeHidden();
  await write(page, ' ');
  await choose(page, 'Queries', 'Number of rows');
  await expect(expressionBox(page)).toHaveText('$count($)');
});

// @covers 8.saving-query-unsuccessful 8.error-fetching-data
test('reports a query that cannot be saved and results that cannot be fetched', async ({
  page,
  openAs,
  failing,
}) => {
  await failing('POST', '/api/data/jnata-queries');
  await openAs('standard', RESULTS);
  await write(page, '$');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog(page, 'Save Query').getByLabel('Title').fill('Never');
  await dialog(page, 'Save Query').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saving query was unsuccessful')).toBeVisible();
  await failing('GET', '/api/integrations/entities/aggregation');
  await page.reload();
  await expect(page.getByText('There was an error fetching the data')).toBeVisible();
});

// @covers 1.query-template-saved 2.save-view-name
test('enables Save as View until an edit, then only when both fields are valid', async ({ page, openAs }) => {
  await openAs('standard', RESULTS);
  await write(page, '$.title');
  await page.getByRole('button', { name: 'Save as View' }).click();
  const form = dialog(page, 'Save as View');
  const save = form.getByRole('button', { name: 'Save' });
  for (const line of ['Template ID', 'Provider', 'Entity Label', 'Query'])
    await expect(form.getByText(line, { exact: true })).toBeVisible();
  await expect(save).toBeEnabled();
  await save.click();
  await expect(form).toBeVisible();
  await form.getByLabel('Name').fill('Titles of all pulls');
  await expect(save).toBeDisabled();
  await form.getByLabel('Description').fill('What each one is called.');
  await expect(save).toBeEnabled();
  await save.click();
  await expect(page.getByText('Custom view created successfully')).toBeVisible();
  await expect(form).toBeHidden();
  await openAs('standard', '/dashboard/data/views?provider=github&entity=gh-pulls');
  await expect(page.getByRole('button', { name: /^Titles of all pulls/ })).toBeVisible();
});

// @covers 8.creating-view-unsuccessful
test('reports a failed Save as View', async ({ page, openAs, failing }) => {
  await failing('POST', '/api/data/views');
  await openAs('standard', RESULTS);
  await write(page, '$.title');
  await page.getByRole('button', { name: 'Save as View' }).click();
  await dialog(page, 'Save as View').getByLabel('Name').fill('Never');
  await dialog(page, 'Save as View').getByLabel('Description').fill('Never');
  await dialog(page, 'Save as View').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Creating view was unsuccessful')).toBeVisible();
});
