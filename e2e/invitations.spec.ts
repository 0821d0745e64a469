import type { Page } from '@playwright/test';
import { Client } from '../packages/server/test-support/test-server.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

const MEMBER = { account: 'mei.tanaka', name: 'Mei Tanaka' };

/** Creates a board with the pull requests of its owner as a table. */
async function createBoard(owner: Client, title: string): Promise<string> {
  const { _id: viewId } = await owner.post<{ _id: string }>('/api/data/views', {
    title: `Pulls of ${title}`,
    description: 'For members.',
    jsonNataQuery: '$',
    basedOn: null,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  const tile = { id: 'a', kind: 'view', width: 12, height: 5, viewId, picture: 'table', title: 'Pulls' };
  return (await owner.post<{ _id: string }>('/api/data/boards', { title, tiles: [tile] }))._id;
}

/** Signs in on the login screen, to which the link of an invitation leads. */
async function signInTo(page: Page, account: string): Promise<void> {
  await expect(page.getByText('Sign in to see the invitation.')).toBeVisible();
  await page.getByRole('button', { name: 'Google' }).click();
  await page.getByRole('button', { name: account }).click();
  const consent = page.getByRole('button', { name: 'Continue' });
  const accept = page.getByRole('button', { name: 'Accept' });
  await expect(consent.or(accept)).toBeVisible();
  if (await consent.isVisible()) await consent.click();
  await expect(accept).toBeVisible();
}

test('shares a board with another account, which reads and copies it until it is taken back', async ({
  page,
  browser,
  workspace,
  openAs,
}) => {
  const owner = workspace.users.standard;
  const boardId = await createBoard(owner, 'Members');
  await openAs(owner, `/dashboard/data/boards?board=${boardId}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const share = page.getByRole('dialog', { name: 'Share' });
  await share.getByRole('radio', { name: 'People with an account' }).click();
  await expectSound(page);
  await share.getByRole('button', { name: 'Create invitation' }).click();
  const link = await share.getByLabel('Link of the invitation').inputValue();
  expect(new URL(link).pathname).toBe('/dashboard/shared/invitation');
  await expect(share.getByText('Nobody yet')).toBeVisible();

  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const member = await context.newPage();
  const addresses: string[] = [];
  member.on('request', (request) => addresses.push(request.url()));
  await member.goto(link);
  await signInTo(member, MEMBER.account);
  await expect(member.getByText('ada.nowak@sandbox.example')).toBeVisible();
  await expectSound(member);
  await member.getByRole('button', { name: 'Accept' }).click();
  await expect(member.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
  const tile = member.getByRole('region', { name: 'Pulls', exact: true });
  await expect(tile.getByText(/^\d+ rows$/)).toBeVisible();
  await expectSound(member);
  const [, secret = ''] = new URL(link).hash.split('.');
  expect(addresses.filter((address) => address.includes(secret) && !address.includes('#'))).toEqual([]);

  await member.getByRole('button', { name: 'Copy to my workspace' }).click();
  const copy = member.getByRole('dialog', { name: 'Copy the board' });
  await copy.getByRole('button', { name: 'Copy to my workspace' }).click();
  await expect(member).toHaveURL(/\/dashboard\/data\/boards\?board=/);
  const copyAddress = member.url();
  await expect(member.getByRole('region', { name: 'Pulls', exact: true })).toBeVisible();
  await member.getByRole('link', { name: /^Shared with me/ }).click();
  await expectSound(member);
  await member.getByRole('link', { name: 'Members' }).click();
  await expect(tile.getByText(/^\d+ rows$/)).toBeVisible();

  await expect(share.getByText(MEMBER.name)).toBeVisible();
  await share.getByRole('button', { name: `Take back from ${MEMBER.name}` }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  // The member's page ends without being loaded again.
  await expect(member.getByRole('heading', { name: 'This is not shared with you' })).toBeVisible();
  await member.getByRole('link', { name: 'Shared with me' }).click();
  await expect(member.getByText('Nothing is shared with you')).toBeVisible();
  await member.goto(copyAddress);
  await expect(member.getByRole('region', { name: 'Pulls', exact: true })).toBeVisible();
  await context.close();
});

test('lets a demo user sign in with an account to accept an invitation', async ({
  page,
  workspace,
  openAs,
}) => {
  const boardId = await createBoard(workspace.users.standard, 'For an account');
  const { path } = await workspace.users.standard.post<{ path: string }>('/api/data/invitations', {
    boardId,
  });
  // Its session ends here, and other journeys use that of the workspace.
  await openAs(await new Client({ url: workspace.url }).demo(), path);
  await expect(page.getByRole('button', { name: 'Accept' })).toBeDisabled();
  await page.getByRole('button', { name: 'Sign in with an account' }).click();
  await signInTo(page, MEMBER.account);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'For an account' })).toBeVisible();
});
