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

// @covers 2.query-step-1 4.changes-results-page 4.results-page-starts 9.result-pages-20
test('pages results by 20, and ignores a change of page while one loads', async ({ page, openAs }) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Results pages' });
  const go = (number: number) => pages.getByRole('button', { name: `Page ${number}` }).click();
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await expect(pages.getByRole('button', { name: /^Page / })).toHaveCount(5);

  const asked: string[] = [];
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/integrations/entities/aggregation/**', async (route) => {
    asked.push(new URL(route.request().url()).search);
    await held;
    await route.continue();
  });
  // The rows of the former page are shown until the next one has loaded.
  const row = page.getByRole('tree', { name: 'Results' }).getByRole('treeitem').first();
  let before = (await row.textContent()) ?? '';
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => asked).toEqual(['?page=2']);
  await pages.getByRole('button', { name: 'Next' }).click();
  await go(5);
  await expect(page).toHaveURL(/page=2/);
  answer();
  for (const number of [5, 7, 8]) {
    await expect(row).not.toHaveText(before);
    before = (await row.textContent()) ?? '';
    await go(number);
    await expect(page).toHaveURL(new RegExp(`page=${number}`));
  }
  await expect(pages.getByRole('button', { name: 'Page 8' })).toHaveAttribute('aria-current', 'page');
  await expect.poll(() => asked).toEqual(['?page=2', '?page=5', '?page=7', '?page=8']);
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
  await page.reload();
  await expect(pages.getByRole('button', { name: 'Page 8' })).toHaveAttribute('aria-current', 'page');
});

interface Evaluations {
  /** Number of workers that the page has started. */
  workers: number;
  /** Expressions that the page has sent to them. */
  sent: string[];
}

/** Records the evaluations of the page. @returns those so far, once React has rendered what it knows */
async function recordEvaluations(page: Page): Promise<() => Promise<Evaluations>> {
  await page.addInitScript(() => {
    const evaluations: Evaluations = { workers: 0, sent: [] };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function post(this: Worker, message: { expression: string }) {
      evaluations.sent.push(message.expression);
      return postMessage.call(this, message);
    };
    window.Worker = new Proxy(window.Worker, {
      construct(target, args: ConstructorParameters<typeof Worker>) {
        evaluations.workers += 1;
        return new target(...args);
      },
    });
    Object.assign(window, { evaluations });
  });
  return () =>
    page.evaluate(async () => {
      // React renders, and runs effects, in tasks of a message channel.
      for (let task = 0; task < 10; task++) {
        await new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = resolve;
          port2.postMessage(null);
        });
      }
      return (window as unknown as { evaluations: Evaluations }).evaluations;
    });
}

// @covers 1.results-refined-expression 2.panel-shows-output 2.expression-box-save 9.expression-debounce-1000
test('runs an expression 1,000 ms after the last key or by Ctrl Enter at once, and reports its errors', async ({
  page,
  openAs,
}) => {
  const evaluations = await recordEvaluations(page);
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  await expressionBox(page).click();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.insertText('$count($)');
  // Seen once the text has arrived, from when on the rest counts.
  await expect(page.getByText('Evaluating')).toBeVisible();
  await page.clock.runFor(990);
  // The value at the cursor has a worker of its own.
  const { workers } = await evaluations();
  await expect(page.getByText('Evaluating')).toBeVisible();
  await page.clock.runFor(10);
  await expect.poll(async () => (await evaluations()).workers).toBe(workers + 1);
  await page.keyboard.insertText(' + 1');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await evaluations()).sent).toContain('$count($) + 1');

  await page.clock.resume();
  await expect(page.getByText('Ran over the 20 rows of this page')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Query output' })).toHaveText(/21/);
  await page.getByRole('switch', { name: 'All results' }).click();
  await expect(page.getByText('Ran over all 160 rows')).toBeVisible();
  await page.getByRole('switch', { name: 'All results' }).click();
  await write(page, '$nothing(');
  await expect(page.getByRole('alert').filter({ hasText: 'Error: ' })).toBeVisible();
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

// @covers 1.queries-can-saved 1.query-template-saved 2.queries-dropdown-fills 2.save-view-name
test('saves a query, which the dropdown loads, and a view, which Views lists', async ({ page, openAs }) => {
  await openAs('standard', RESULTS);
  await write(page, '$count($)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog(page, 'Save Query').getByLabel('Title').fill('Number of rows');
  await dialog(page, 'Save Query').getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page, 'Save Query')).toBeHidden();
  await write(page, ' ');
  await choose(page, 'Queries', 'Number of rows');
  await expect(expressionBox(page)).toHaveText('$count($)');

  await write(page, '$.title');
  await page.getByRole('button', { name: 'Save as View' }).click();
  const form = dialog(page, 'Save as View');
  for (const line of ['Template ID', 'Provider', 'Entity Label', 'Query'])
    await expect(form.getByText(line, { exact: true })).toBeVisible();
  await form.getByLabel('Name').fill('Titles of all pulls');
  await form.getByLabel('Description').fill('What each one is called.');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await openAs('standard', '/dashboard/data/views?provider=github&entity=gh-pulls');
  await expect(page.getByRole('button', { name: /^Titles of all pulls/ })).toBeVisible();
});
