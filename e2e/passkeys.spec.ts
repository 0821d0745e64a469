import type { CDPSession, Page } from '@playwright/test';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { test as base, expect, linkIn, signInByLink } from './support/journey.ts';
import { expectDarkContrast, expectSound } from './support/soundness.ts';

/** A Datadeck of one's own at `localhost`, on which nothing is configured. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  settings: async ({}, use) => {
    const port = String(await findFreePort('127.0.0.1'));
    await use({ SANDBOX: 'off', PORT: port, PUBLIC_URL: `http://localhost:${port}` });
  },
});

/** Adds an authenticator to the browser that keeps passkeys and answers at once. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function openAccount(page: Page): Promise<void> {
  await page.goto(new URL('/dashboard/account', page.url()).href);
  await expect(page.getByRole('region', { name: 'Passkeys' })).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
}

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

test('adds a passkey, signs in with it, renames and removes it', async ({ page, datadeck, faults }) => {
  // The browser reports a refused sign-in as an error of the console.
  faults.add('/auth/passkeys/sign-in');
  const { cdp, authenticatorId } = await addAuthenticator(page);
  const link = linkIn(datadeck.output());
  expect(link).toMatch(/^http:\/\/localhost:/);
  await page.goto(new URL('/', link).href);
  await expect(page.getByText(/No sign-in provider is set up/)).toBeVisible();
  await expect(signInButton(page)).toHaveCount(0);

  await signInByLink(page, link);
  await openAccount(page);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('The passkey was added')).toBeVisible();
  const row = section.getByRole('listitem');
  await expect(row).toContainText(/^Chrome on Linux\s*Not used yet · since/);
  await expectSound(page);
  await expectDarkContrast(page);
  // The authenticator refuses a second passkey of the same account.
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByRole('alert')).toHaveText('This device has a passkey of your account already.');

  await row.getByRole('button', { name: 'Rename Chrome on Linux' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename the passkey' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill('Laptop');
  await expectSound(page, '[role="dialog"]');
  await expectDarkContrast(page, '[role="dialog"]');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('Laptop');

  await logOut(page);
  await expectSound(page);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toContainText("You closed the browser's prompt");
  await expect(page.getByText('Logging in failed')).toBeVisible();
  await expectDarkContrast(page);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await signInButton(page).click();
  await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();
  await openAccount(page);
  await expect(row).toContainText('Last used just now');

  await row.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The passkey was removed')).toBeVisible();
  await expect(section.getByRole('listitem')).toHaveCount(0);
  await logOut(page);
  await expect(page.getByText(/No sign-in provider is set up/)).toBeVisible();
  await expect(signInButton(page)).toHaveCount(0);
});

base.describe('at an IP address', () => {
  base.use({ settings: { SANDBOX: 'off' } });

  base('says why there are no passkeys', async ({ page, datadeck }) => {
    await signInByLink(page, linkIn(datadeck.output()));
    await openAccount(page);
    const section = page.getByRole('region', { name: 'Passkeys' });
    await expect(section.getByRole('note')).toContainText(
      /Passkeys need a host name, and this server has the address http:\/\/127\.0\.0\.1:\d+\. Start it with PUBLIC_URL=http:\/\/localhost:\d+/,
    );
    await expect(section.getByRole('button')).toHaveCount(0);
    await expectSound(page);
  });
});
