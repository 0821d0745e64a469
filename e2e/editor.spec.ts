import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';
import { writeExpression } from './support/write-expression.ts';

const RESULTS = '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1';
const PULL_VIEWS = '/dashboard/data/views?provider=github&entity=gh-pulls';

const box = (page: Page) => page.getByRole('textbox', { name: 'Query expression' });
const offers = (page: Page) => page.getByRole('listbox', { name: 'Completions' });

const write = (page: Page, expression: string) => writeExpression(box(page), expression);

test('completes, explains, corrects, evaluates and formats with knowledge of the data', async ({
  page,
  openAs,
}) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();

  // After a dot the fields of the object, with type and example; the keyboard takes one, Escape leaves.
  await box(page).click();
  await page.keyboard.type('$.user.');
  await expect(offers(page).getByRole('option', { name: /^login/ })).toContainText('text · "');
  await expectAccessible(page);
  await page.keyboard.type('lo');
  await expect(offers(page).getByRole('option')).not.toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveText('$.user.login');
  await page.keyboard.type('[$upp');
  await expect(offers(page).getByRole('option', { name: /^\$uppercase/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offers(page)).toBeHidden();
  // Tab moves to the next control.
  await page.keyboard.press('Tab');
  await expect(box(page)).not.toBeFocused();

  // The value of the path under the cursor, regardless of the text around it.
  const atCursor = page.getByRole('region', { name: 'At the cursor' });
  await write(page, '$count($.user.login)');
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
  await expect(atCursor).toContainText(/\$\.user\.login\s*20 values/);
  await expect(atCursor).toContainText('text, in 20 of 20 rows');

  // Documentation on hover.
  await box(page).getByText('$count').hover();
  const tooltip = page.locator('.cm-tooltip-hover');
  await expect(tooltip).toContainText('Returns the number of items');
  await expect(tooltip).toContainText('$count([3, 1, 2]) → 3');
  await page.mouse.move(0, 0);

  // Marks with sentences that help, before and after it ran.
  await write(page, '$[labels = "bug"]');
  await expect(page.locator('.cm-lintRange-warning')).toHaveText('labels');
  await page.locator('.cm-lintRange-warning').hover();
  await expect(page.locator('.cm-tooltip-lint')).toContainText(
    'labels is a list here; did you mean "bug" in labels.name?',
  );
  await page.mouse.move(0, 0);
  await write(page, '$.$uppercase(labels)');
  const failure = page.getByRole('alert').filter({ hasText: 'Error: ' });
  await expect(failure).toHaveText(/^Error: /);
  await expect(page.getByText('did you mean labels.name.$uppercase($)?')).toBeVisible();

  // Formatting by key and by button; one undo brings the former text back.
  await write(page, '($open:=$[state="open"];$count($open))');
  await page.keyboard.press('Shift+Alt+F');
  await expect(box(page).locator('.cm-line')).toHaveText([
    '(',
    '  $open := $[state = "open"];',
    '  $count($open)',
    ')',
  ]);
  await page.keyboard.press('Control+z');
  await expect(box(page)).toHaveText('($open:=$[state="open"];$count($open))');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect(box(page).locator('.cm-line')).toHaveCount(4);
});

test('fills an expression by examples and by the builder, which reads it back', async ({ page, openAs }) => {
  await openAs('demo', RESULTS);
  await expect(page.getByText('160 results')).toBeVisible();
  const pane = page.getByRole('radiogroup', { name: 'Shown' }).or(page.getByRole('group', { name: 'Shown' }));
  const shown = (name: string) => pane.getByRole('radio', { name, exact: true });
  await expect(shown('Rows')).toBeChecked();

  // A picked field leaves the rows, as others may follow; other ways to write the expression show its result.
  await page.getByRole('tree', { name: 'Results' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box(page)).not.toHaveText('');
  await expect(shown('Rows')).toBeChecked();
  await write(page, '$count($)');
  await expect(shown('Result')).toBeChecked();
  await expect(page.getByRole('region', { name: 'Query output' })).toHaveText('20');
  await shown('Rows').click();
  await expect(page.getByRole('tree', { name: 'Results' })).toBeVisible();

  // An example may replace another one; an expression of one's own only after a question.
  const examples = page.getByRole('button', { name: 'Examples' });
  await write(page, '$.title');
  await examples.click();
  await page.getByRole('menuitem', { name: 'Rows by state' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(box(page)).toHaveText('$.title');
  await examples.click();
  await page.getByRole('menuitem', { name: 'Number of rows' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(box(page)).toHaveText('$count($)');
  await examples.click();
  await page.getByRole('menuitem', { name: 'Rows by state' }).click();
  await expect(page.getByRole('tree', { name: 'Query output' })).toContainText('count');

  // The builder shows what the example does; each choice changes the expression, and an undo takes it back.
  const builder = page.getByRole('region', { name: 'Builder' });
  await page.getByRole('button', { name: 'Builder', exact: true }).click();
  await expect(builder.getByText('state', { exact: true }).first()).toBeVisible();
  await builder.getByRole('combobox', { name: 'Filter' }).click();
  await page.getByRole('option', { name: 'draft', exact: true }).click();
  await expect(box(page)).toContainText(/\$\[draft = (true|false)\]/);
  await builder.getByLabel('Condition').selectOption('is not');
  await expect(box(page)).toContainText('$[draft != ');
  await expectAccessible(page);
  await builder.getByRole('button', { name: 'Remove the filter of draft' }).click();
  await expect(box(page)).not.toContainText('draft');
  await box(page).click();
  await page.keyboard.press('Control+z');
  await expect(box(page)).toContainText('$[draft != ');
  await expect(builder.getByLabel('Condition')).toHaveValue('is-not');

  // What the builder cannot show is left alone.
  await write(page, '$[0].title');
  await expect(builder).toContainText('can only be edited as text');
  await builder.getByRole('button', { name: 'Start over with the builder' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(builder.getByRole('combobox', { name: 'Filter' })).toBeVisible();
  await builder.getByLabel('Measure').selectOption('Number of rows');
  await page.getByRole('switch', { name: 'All results' }).click();
  await expect(page.getByRole('region', { name: 'Query output' })).toHaveText('160');
});

test('turns variables into query inputs, then into view parameters', async ({ page, openAs }) => {
  await openAs('standard', RESULTS);
  await write(page, '$[number >= $least].{"number": number}');
  const least = page.getByRole('textbox', { name: '$least', exact: true });
  await page.getByLabel('Type of $least').selectOption('number');
  await least.fill('many');
  await expect(page.getByText('Must be a number')).toBeVisible();
  await least.fill('3');
  await expect(page.getByText('Must be a number')).toBeHidden();
  await expect(page.getByText(/^Ran over the \d+ rows/)).toBeVisible();
  await expect(page.getByLabel('Query output', { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  // A reload keeps the value and its type, as it keeps the expression.
  await page.reload();
  await expect(least).toHaveValue('3');
  await expect(page.getByLabel('Type of $least')).toHaveValue('number');
  await expect(page.getByText(/^Ran over the \d+ rows/)).toBeVisible();
  // Over all rows the server binds the value too, and says what the database did.
  await page.getByRole('switch', { name: 'All results' }).click();
  await expect(
    page.getByText(
      /^The database evaluated number >= 3 first; the expression ran over the remaining \d+ rows/,
    ),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Save as View' }).click();
  const form = page.getByRole('dialog', { name: 'Save as View' });
  await expect(form).toContainText('$least (3 by default)');
  await form.getByLabel('Name').fill('From a number on');
  await form.getByLabel('Description').fill('Asks from which one.');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Custom view created successfully')).toBeVisible();

  await openAs('standard', PULL_VIEWS);
  await page.getByRole('button', { name: /^From a number on/ }).click();
  const count = page.getByText(/^\d+ results?$/);
  await expect(count).toBeVisible();
  const byDefault = Number.parseInt(await count.innerText(), 10);
  const input = page.getByRole('textbox', { name: '$least', exact: true });
  await input.fill('9');
  await expect(page).toHaveURL(/p\.least=9/);
  await expect(page.getByText(/^The database evaluated number >= 9 first/)).toBeVisible();
  await expect(count).not.toHaveText(`${byDefault} results`);
  const given = Number.parseInt(await count.innerText(), 10);
  expect(given).toBeLessThan(byDefault);
  await expectAccessible(page);
  // A link carries the values.
  await page.reload();
  await expect(input).toHaveValue('9');
  await expect(count).toHaveText(new RegExp(`^${given} results?$`));
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '.JSON' }).click();
  const rows = JSON.parse(readFileSync(await (await downloading).path(), 'utf8')) as { number: number }[];
  expect(rows.map(({ number }) => number).every((number) => number >= 9)).toBe(true);
  expect(rows).toHaveLength(given);

  // A view upon it asks for the same, and declares more.
  await page.getByRole('button', { name: 'New View' }).click();
  const create = page.getByRole('dialog', { name: 'New View' });
  await create.getByRole('combobox', { name: 'Based On' }).fill('From a number on');
  await page.keyboard.press('Enter');
  await create.getByLabel('Title').fill('Upon a number');
  await create.getByLabel('Description').fill('Passes it down.');
  await writeExpression(create.getByRole('textbox', { name: 'Query' }), '{"who": $who, "n": $count($)}');
  await create.getByRole('button', { name: 'Add parameter' }).click();
  const save = create.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await create.getByLabel('Name').fill('who');
  await create.getByLabel('Default').fill('ada');
  await expectAccessible(page);
  await save.click();
  await expect(create).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Upon a number' })).toBeVisible();
  const data = page.getByLabel('View data', { exact: true }).first();
  await expect(data).toContainText('ada');
  await page.getByRole('textbox', { name: '$least', exact: true }).fill('9');
  await expect(data).toContainText(String(given));
});

test('offers the editor in view dialogs, with the rows of the base', async ({ page, openAs, workspace }) => {
  const base = await workspace.users.standard.post<{ _id: string }>('/api/data/views', {
    title: 'Numbers and states',
    description: 'x',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery: '$.{"number": number, "state": state}',
  });
  await openAs('standard', PULL_VIEWS);
  await page.getByRole('button', { name: 'New View' }).click();
  const create = page.getByRole('dialog', { name: 'New View' });
  await create.getByRole('combobox', { name: 'Based On' }).fill('Numbers and states');
  await page.keyboard.press('Enter');
  const query = create.getByRole('textbox', { name: 'Query' });
  await query.click();
  // The editor offers the fields of the base's result, not those of its template.
  await page.keyboard.type('$.st');
  await offers(page)
    .getByRole('option', { name: /^state/ })
    .click();
  await expect(query).toHaveText('$.state');
  // Escape takes the offers away, not the dialog.
  await page.keyboard.type('.');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+Space');
  await expect(offers(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offers(page)).toBeHidden();
  await expect(create).toBeVisible();
  // An error is shown at its position and below the editor.
  await writeExpression(query, '$number(state)');
  await expect(create.getByRole('status').filter({ hasText: /number/ })).toBeVisible();
  await expect(create.locator('.cm-lintRange').first()).toBeVisible();
  await writeExpression(query, '$[number>1].state');
  await expect(create.locator('.cm-lintRange')).toHaveCount(0);
  await create.getByRole('button', { name: 'Format' }).click();
  await expect(query).toHaveText('$[number > 1].state');
  await expectAccessible(page);
  // Tab leaves the editor and reaches Save.
  await create.getByLabel('Title').fill('States');
  await create.getByLabel('Description').fill('States.');
  await query.click();
  const save = create.getByRole('button', { name: 'Save' });
  for (let tabs = 0; tabs < 8 && !(await save.evaluate((one) => one === document.activeElement)); tabs++)
    await page.keyboard.press('Tab');
  await expect(save).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'States', exact: true })).toBeVisible();

  // A view upon a template knows the template's rows.
  await openAs('standard', `${PULL_VIEWS}&view=${base._id}`);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  const update = page.getByRole('dialog', { name: 'Update View' });
  await update.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('$.merged_');
  await expect(offers(page).getByRole('option', { name: /^merged_at/ })).toBeVisible();
});
