import type { ConnectorDetail } from '../packages/contract/src/index.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import {
  startTicketService,
  TICKET_TOKEN,
  ticketDocument,
} from '../packages/server/test-support/ticket-service.ts';
import { expect, linkIn, openPage, signInByLink, test } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';

const ADA = 'ada.nowak@sandbox.example';
const CONNECTORS = '/dashboard/integrations/connectors';

test.describe.configure({ timeout: 240_000 });
test.use({ settings: { CONNECT_HOSTS: '127.0.0.1' } });

let service: Awaited<ReturnType<typeof startTicketService>>;
test.beforeAll(async () => {
  service = await startTicketService(120);
});
test.afterAll(() => service?.close());

test('an administrator makes a connector of an example answer and connects it', async ({
  page,
  datadeck,
}) => {
  await signInByLink(page, linkIn(await datadeck.admin('login', 'root@example.org')));
  await page.getByRole('link', { name: /Add any API/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New connector' });
  const address = `${service.url}/api/tickets?page=1&per_page=20`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${TICKET_TOKEN}` } });
  await dialog.getByLabel('Title').fill('Help desk');
  await expect(dialog.getByLabel('Key')).toHaveValue('help-desk');
  await dialog.getByLabel('Address').fill(address);
  await dialog.getByLabel('Answer').fill(await answer.text());
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { name: 'Help desk', level: 1 })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible();
  await expectSound(page);

  await page.getByLabel('Authentication').selectOption('bearer');
  // Without TLS only hosts are called that the operator names.
  await page.getByLabel('Base address').fill(`${service.url}/api`);
  await expect(page.getByRole('textbox', { name: 'Document' })).toContainText('"kind": "bearer"');
  await page.getByRole('radio', { name: 'Try', exact: true }).click();
  const trial = page.getByRole('form', { name: 'Try' });
  await trial.getByLabel('API token').fill(TICKET_TOKEN);
  await trial.getByRole('button', { name: 'Request a page' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  await expect(page.getByText(/\b20 records on this page$/).first()).toBeVisible();
  await expect(page.getByText(TICKET_TOKEN)).toHaveCount(0);

  await page.getByRole('radio', { name: 'Prove', exact: true }).click();
  await page.getByRole('button', { name: 'Prove', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Checks of Tickets' })).toBeVisible({ timeout: 100_000 });
  // Colours of what the pointer is over are those of all buttons.
  await page.mouse.move(0, 0);
  await expectSound(page);

  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Version 1 is published')).toBeVisible();
  await expect(page.getByText('Published v1')).toBeVisible();

  await openPage(page, 'Providers');
  const card = page.getByRole('article', { name: 'Help desk' });
  await card.getByRole('button', { name: 'Connect Help desk' }).click();
  const form = page.getByRole('dialog', { name: 'Connect Help desk' });
  await form.getByLabel('API token').fill(TICKET_TOKEN);
  await form.getByRole('button', { name: 'Connect' }).click();
  await expect(card.getByRole('button', { name: 'In use' })).toBeVisible();
});

test('two administrators edit a connector that one of them started from an address', async ({
  page,
  datadeck,
  faults,
}) => {
  faults.add('/connectors/start').add('/help-desk/draft');
  const root = 'root@example.org';
  const ada = await new Client(datadeck).signIn(ADA);
  await datadeck.admin('users', '--admin', ADA);
  await signInByLink(page, linkIn(await datadeck.admin('login', root)));
  await page.goto(`${datadeck.url}${CONNECTORS}?start=address`);
  const dialog = page.getByRole('dialog', { name: 'New connector' });
  await dialog.getByLabel('Title').fill('Help desk');
  await dialog.getByLabel('Address').fill(`${service.url}/api/tickets?page=1&per_page=20`);
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(dialog.getByText(/status 401.+Choose how the request signs in/)).toBeVisible();
  await dialog.getByLabel('Sign-in').selectOption('bearer');
  await dialog.getByLabel('Token').fill(TICKET_TOKEN);
  await expectSound(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { name: 'Help desk', level: 1 })).toBeVisible();
  const text = page.getByRole('textbox', { name: 'Document' });
  await expect(text).toContainText('"title": "Help desk"');

  // A choice in the form is one step of the document, which the document takes back.
  await page.getByLabel('Authentication').selectOption('basic');
  await expect(text).toContainText('"kind": "basic"');
  await text.focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(text).toContainText('"kind": "bearer"');
  await expect(page.getByLabel('Authentication')).toHaveValue('bearer');

  await page.getByRole('button', { name: 'Add template' }).click();
  const template = page.getByRole('group', { name: 'Template New template' });
  await template.getByLabel('Shows').selectOption('groups');
  await template.getByRole('button', { name: 'Add condition' }).click();
  await expectSound(page);

  const path = '/api/admin/connectors/help-desk';
  const { document, changedAt } = await ada.get<ConnectorDetail>(path);
  const other = document.replace('"title": "Help desk"', '"title": "Desk of Ada"');
  await ada.json('PUT', `${path}/draft`, { document: other, changedAt });
  await page.keyboard.press('ControlOrMeta+s');
  const notice = page.getByRole('alert').getByText('saved another draft');
  await expect(notice).toContainText(/^Ada Nowak/);
  await expect(notice).toBeInViewport();
  await expectSound(page);
  await page.getByRole('button', { name: 'Load the other text' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Desk of Ada', level: 1 })).toBeVisible();
  await expect(page.getByText('Unsaved changes')).toBeHidden();
});

test('an administrator corrects, publishes, restores, withdraws and deletes a connector', async ({
  page,
  datadeck,
}) => {
  const ada = await new Client(datadeck).signIn(ADA);
  await datadeck.admin('users', '--admin', ADA);
  const document = ticketDocument(service.url);
  const text = JSON.stringify({ ...document, title: '' }, null, 2);
  await ada.json('PUT', '/api/admin/connectors/helpdesk/draft', { document: text, changedAt: null });
  await signInByLink(page, linkIn(await datadeck.admin('login', ADA)));
  await page.getByRole('link', { name: 'Connectors', exact: true }).click();
  await page.getByRole('link', { name: 'helpdesk' }).click();

  const publish = page.getByRole('button', { name: 'Publish' });
  await expect(publish).toBeDisabled();
  await page.getByRole('region', { name: 'Problems' }).getByRole('button').first().click();
  await expect(page.getByLabel('Title').first()).toBeFocused();
  await page.keyboard.type('Help desk');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('region', { name: 'Problems' })).toBeHidden();
  for (const version of [1, 2]) {
    await publish.click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(`Published v${version}`)).toBeVisible();
    await page.getByLabel('Title').first().fill(`Help desk ${version}`);
    await page.keyboard.press('Control+s');
    await expect(publish).toBeEnabled();
  }

  await page.getByRole('radio', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Published v3')).toBeVisible();
  // The draft stays.
  await expect(page.getByText('Unpublished changes')).toBeVisible();
  await expect(page.getByLabel('Title').first()).toHaveValue('Help desk 2');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Discard draft' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByLabel('Title').first()).toHaveValue('Help desk');

  // What is not saved is kept or given up by the user.
  await page.getByLabel('Title').first().fill('Not saved');
  await page.getByRole('link', { name: 'Connectors', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Title').first()).toHaveValue('Not saved');
  await page.getByLabel('Title').first().fill('Help desk');

  const menu = page.getByRole('button', { name: 'More actions' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Withdrawn', { exact: true })).toBeVisible();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Offer again' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Published v3')).toBeVisible();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Help desk' });
  await dialog.getByLabel('Type the key of the connector').fill('helpdesk');
  await dialog.getByRole('button', { name: 'Delete connector' }).click();
  await expect(page.getByText('No connectors yet')).toBeVisible();
  expect(page.url()).toContain(CONNECTORS);
  expect(await datadeck.admin('users')).toContain(ADA);
});
