import { DOVECOT_MISSING, Dovecot, MailboxControl } from '../packages/connectors/test-support/imap/index.ts';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { signIn } from './support/journey.ts';
import { expect, test } from './support/workspace.ts';

test.describe.configure({ timeout: 360_000 });

const ADDRESS = 'ada@aurora.example';
const PASSWORD = 'open sesame';
const PROVIDERS = '/dashboard/integrations/providers';

test('says on the card that Outlook is not set up', async ({ page, openAs }) => {
  await openAs('standard', PROVIDERS);
  const card = page.getByRole('article', { name: 'Outlook' });
  await expect(
    card.getByText('The sandbox emulates the sign-in of Microsoft, but no mailboxes.'),
  ).toBeVisible();
  await expect(card.getByRole('button', { name: 'Connect Outlook' })).toBeHidden();
});

test.describe('a mailbox of Microsoft', () => {
  test.skip(DOVECOT_MISSING !== undefined, DOVECOT_MISSING);
  let folder = '';
  let dovecot: Dovecot;
  let server: ChildServer;

  test.beforeAll(async () => {
    folder = makeTemporaryFolder('datadeck-outlook-');
    const port = await findFreePort('127.0.0.1');
    const introspection = `http://127.0.0.1:${port}/sandbox/microsoft/introspect`;
    dovecot = await Dovecot.start({ [ADDRESS]: PASSWORD }, introspection);
    const mailbox = new MailboxControl(dovecot, ADDRESS, PASSWORD);
    for (const name of ['Lunch', 'The report', 'Invoice'])
      await mailbox.append('INBOX', `From: Bo <bo@example.org>\r\nSubject: ${name}\r\n\r\nAbout ${name}.`);
    mailbox.close();
    server = new ChildServer({
      DATA_DIR: folder,
      PORT: String(port),
      WEB_APP: 'on',
      SANDBOX: 'on',
      OUTLOOK_IMAP_HOST: `imap://127.0.0.1:${dovecot.ports.plain}`,
    });
    await server.start();
  });
  test.afterAll(async () => {
    await server?.end('SIGTERM');
    await dovecot?.stop();
    if (folder !== '') removeDataFolder(folder);
  });

  test('says why the consent failed, connects, and synchronises', async ({ page }) => {
    await signIn(page, server, 'mei.tanaka@sandbox.example');
    const card = page.getByRole('article', { name: 'Outlook' });

    await card.getByRole('button', { name: 'Connect Outlook' }).click();
    await page.getByRole('button', { name: ADDRESS }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Failed connecting with provider')).toBeVisible();
    const reason = page.getByRole('alert').filter({ hasText: 'AADSTS65004' });
    await expect(reason).toHaveText(/The permission was not given. Connect Outlook again and choose Accept/);

    await card.getByRole('button', { name: 'Connect Outlook' }).click();
    await page.getByRole('button', { name: ADDRESS }).click();
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(card.getByText(ADDRESS)).toBeVisible();
    await expect(reason).toBeHidden();
    await card.getByRole('button', { name: 'Synchronize Outlook' }).click();
    const dialog = page.getByRole('dialog', { name: /Overview/ });
    await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
    await expect(dialog.getByText('Finished').first()).toBeVisible({ timeout: 60_000 });
  });
});
