import { DOVECOT_MISSING, type Dovecot } from '../packages/connectors/test-support/imap/index.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { MAILBOX_PASSWORD, startMailbox } from './support/own-mailbox.ts';
import { expect, test } from './support/workspace.ts';

// A sign-in, a consent and a sync take long on a machine that has other work.
test.describe.configure({ timeout: 360_000 });

const PROVIDERS = '/dashboard/integrations/providers';

test.describe('connect form', () => {
  test.skip(DOVECOT_MISSING !== undefined, DOVECOT_MISSING);
  let dovecot: Dovecot;
  test.beforeAll(async () => {
    dovecot = await startMailbox();
  });
  test.afterAll(() => dovecot?.stop());

  test('shows errors beside the fields, connects, and synchronises', async ({
    page,
    openAs,
    workspace,
    faults,
  }) => {
    faults.add('/api/integrations/connections/imap');
    const own = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
    await openAs(own, PROVIDERS);
    const card = page.getByRole('article', { name: 'IMAP' });
    await expect(card.getByText('Not connected')).toBeVisible();
    await card.getByRole('button', { name: 'Connect IMAP' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect IMAP' });
    await expect(dialog.getByLabel('Mail server')).toBeFocused();
    const connect = dialog.getByRole('button', { name: 'Connect' });
    await expect(connect).toBeDisabled();
    await dialog.getByLabel('Mail server').fill('not a server');
    await dialog.getByLabel('User name').fill('ada');
    await expect(dialog.getByText('Please enter a valid server name')).toBeVisible();
    await dialog.getByLabel('Mail server').fill('127.0.0.1');
    await dialog.getByLabel('Port').fill(String(dovecot.ports.plain));
    await dialog.getByLabel('Security').click();
    await page.getByRole('option', { name: 'None (this machine only)' }).click();
    await dialog.getByLabel('Password').fill('wrong');
    await connect.click();
    await expect(dialog.getByText('The mail server refused the user name or the password.')).toBeVisible();
    await dialog.getByLabel('Password').fill(MAILBOX_PASSWORD);
    await connect.click();
    await expect(dialog).toBeHidden();
    await expect(card.getByText('ada@127.0.0.1')).toBeVisible();
    await expect(card.getByRole('button', { name: 'In use' })).toBeDisabled();

    await page.goto(`${workspace.url}/dashboard/integrations/synchronizations?details=imap-messages`);
    await page.getByRole('button', { name: 'Sync', exact: true }).click();
    // Leaving the page earlier would end the request that starts the sync.
    await expect(page.getByText('Sync started successfully')).toBeVisible();
    await page.goto(
      `${workspace.url}/dashboard/data/query?provider=imap&entity=imap-messages&template=imap-messages-all&step=1&page=1`,
    );
    await expect(page.getByText('1 result', { exact: true })).toBeVisible();
    await expect(page.getByText('Hello').first()).toBeVisible();
    // What the page still asks for must not meet the deletion.
    await page.goto('about:blank');
    // Others sign in as her too.
    await own.json('DELETE', '/api/accounts/delete-account');
  });
});
