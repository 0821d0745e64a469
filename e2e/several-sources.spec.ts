import type { Page } from '@playwright/test';
import { choose } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';
import { writeExpression } from './support/write-expression.ts';

const VIEWS = '/api/data/views';
const MAILS = { providerId: 'google', entityLabel: 'gmail-messages', templateKey: 'messages-all' };
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' };

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New View' });

test('builds a view on mails and pull requests, with completion of their names and fields', async ({
  page,
  openAs,
  workspace,
}) => {
  const user = workspace.users.standard;
  const texts = { description: 'For a test.', jsonNataQuery: '$' };
  await user.post(VIEWS, { title: 'Every pull request', ...texts, ...PULLS });
  await user.post(VIEWS, { title: 'Every mail', ...texts, ...MAILS });
  await openAs('standard', '/dashboard/data/views?provider=github&entity=gh-pulls');
  await page.getByRole('button', { name: 'New View' }).click();
  await choose(page, 'Based On', 'Every pull request');
  await page.getByLabel('Title').fill('Mails beside code');
  await page.getByLabel('Description').fill('Both, in one list.');
  await page.getByRole('button', { name: 'Add source' }).click();
  await choose(page, 'Entity', 'Messages · Gmail');
  await choose(page, 'Source', 'View: Every mail');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(2);
  await expectSound(page, '[role=dialog]');

  const editor = dialog(page).getByRole('textbox', { name: 'Query' });
  await editor.click();
  await editor.pressSequentially('$mess');
  await page.getByRole('option', { name: /^\$messages/ }).click();
  await editor.pressSequentially('.subj');
  await expect(page.getByRole('option', { name: /^subject/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await writeExpression(
    editor,
    '[{"code": $count($pulls), "mails": $count($messages), "first": $messages[0].subject}]',
  );
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('View was created successfully')).toBeVisible();
  await expect(page.getByText('Sources')).toBeVisible();
  await expect(page.getByText('$messages', { exact: true })).toBeVisible();
  await expect(page.getByText(/^1 result$/)).toBeVisible();

  await page.getByRole('button', { name: 'Graph' }).click();
  const graph = page.getByRole('dialog', { name: 'View graph' });
  for (const name of ['Every pull request', 'Every mail', 'Mails beside code'])
    await expect(graph.getByRole('button', { name })).toBeVisible();
  await expectSound(page, '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Every mail' }).click();
  await expect(page.getByRole('button', { name: 'Mails beside code', exact: true })).toBeVisible();
});

test('saves a ready-made view over the connected accounts', async ({ page, openAs }) => {
  await openAs('standard', '/dashboard/data/views');
  const section = page.getByRole('region', { name: 'Ready-made views' });
  await section.getByRole('button', { name: /^Waiting for me/ }).click();
  const starter = page.getByRole('dialog', { name: 'Waiting for me' });
  await expect(starter.getByText('Messages · Gmail')).toBeVisible();
  await expectSound(page, '[role=dialog]');
  await starter.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('View was created successfully')).toBeVisible();
  await expect(page.getByText('$reviews', { exact: true })).toBeVisible();
  await expect(page.getByText(/^\d+ results?$/)).toBeVisible();
  await expect(section.getByText('Waiting for me')).toBeHidden();
});
