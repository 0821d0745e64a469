import type { Locator, Page } from '@playwright/test';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { Hand, reportClicks } from './support/hand.ts';
import { expect, openPage, signIn, test } from './support/journey.ts';

/** Time that a person who looks first needs for a click and for a field, s. */
const SECONDS = { click: 3, field: 6 };
/** Longest time from a template to a shared board, s. */
const GOAL = 180;
const BOARD = 'Team reviews';

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });

/** Saves a template as a view, and adds it to the board. */
async function addTemplate(page: Page, hand: Hand, template: string): Promise<void> {
  await hand.press(button(page, new RegExp(`^${template}`)));
  await hand.press(button(page, 'Make a view'));
  await hand.press(button(page.getByRole('dialog', { name: 'Save as View' }), 'Save'));
  await hand.press(button(page, 'Add to board'));
  const dialog = page.getByRole('dialog', { name: 'Add to board' });
  const name = dialog.getByLabel('Name');
  await expect(dialog.getByRole('combobox', { name: 'Board' })).toBeVisible();
  if (await name.isVisible()) await hand.type(name, BOARD);
  await hand.press(button(dialog, 'Add'));
  await expect(page.getByRole('region', { name: template, exact: true })).toBeVisible();
}

test('a newcomer gets from a template to a shared board with three tiles in three minutes', async ({
  page,
  browser,
  datadeck,
}) => {
  const user = await new Client({ url: datadeck.url }).signIn('ada.nowak@sandbox.example');
  await user.connect('github', 'ada-nowak');
  await runSync(user, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' });
  await signIn(page, datadeck, 'ada.nowak@sandbox.example');
  await openPage(page, 'Query');

  const begin = Date.now();
  const hand = new Hand();
  const templates = ['Pull requests by author', 'Pull requests by state', 'Open by age'];
  for (const [index, template] of templates.entries()) {
    if (index > 0) await hand.press(page.getByRole('navigation').getByRole('link', { name: 'Query' }));
    await addTemplate(page, hand, template);
  }
  await hand.press(button(page, 'Share'));
  await hand.type(page.getByLabel('Who gets the link'), 'Everybody in the team');
  await hand.press(button(page, 'Create link'));
  const created = page.getByRole('dialog', { name: 'The link is ready' });
  const link = await created.getByLabel('Link').inputValue();
  await hand.press(button(created, 'Copy link'));

  const reader = await (await browser.newContext()).newPage();
  await reader.goto(link);
  await expect(reader.getByRole('heading', { level: 1, name: BOARD })).toBeVisible();
  for (const name of templates)
    await expect(reader.getByRole('region', { name, exact: true }).getByRole('row').nth(1)).toBeVisible();
  const machine = (Date.now() - begin) / 1000;
  await reader.context().close();

  const person = hand.clicks * SECONDS.click + hand.fields * SECONDS.field;
  console.log(
    `From a template to a shared board: ${hand.clicks} clicks, ${hand.fields} fields, ${machine.toFixed(1)} s here, about ${person} s for a person`,
  );
  reportClicks('From a template to a shared board with three tiles', hand.clicks, 21);
  expect(person).toBeLessThan(GOAL);
});
