import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import {
  type OpenIdProvider,
  startOpenIdProvider,
} from '../packages/server/test-support/open-id-provider.ts';
import { test as base, expect } from './support/journey.ts';

const KEYS = ['home', 'work'] as const;

/** A Datadeck with two OpenID providers and without Google. */
const test = base.extend<{ issuers: OpenIdProvider[]; port: number }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  port: async ({}, use) => use(await findFreePort('127.0.0.1')),
  issuers: async ({ port }, use) => {
    const callback = (key: string) => `http://127.0.0.1:${port}/auth/${key}/callback`;
    const issuers = await Promise.all(KEYS.map((key) => startOpenIdProvider(callback(key))));
    for (const [index, { people }] of issuers.entries())
      people.mei = { email: `mei@${KEYS[index]}.example`, name: 'Mei' };
    await use(issuers);
    await Promise.all(issuers.map((issuer) => issuer.close()));
  },
  settings: async ({ issuers, port }, use) => {
    const [home, work] = issuers.map((issuer, index) =>
      issuer.setting(KEYS[index] ?? '', ['Home', 'Work'][index] ?? ''),
    );
    await use({ SANDBOX: 'off', PORT: String(port), OIDC_PROVIDERS: JSON.stringify([home, work]) });
  },
});

test('signs in by a configured provider, and offers no other one', async ({ page, datadeck, faults }) => {
  // Of the issuers' pages.
  faults.add('fonts.googleapis.com');
  faults.add('/favicon.ico');
  for (const key of KEYS) {
    await page.goto(datadeck.url);
    await expect(page.getByRole('button')).toHaveText(['Home', 'Work', 'Demo User']);
    await page.getByRole('button', { name: key }).click();
    await page.locator('input[name="login"]').fill('mei');
    await page.locator('input[name="password"]').fill('x');
    await page.locator('button[type="submit"]').click();
    await page.locator('button[type="submit"]').click();
    await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();
    await page.goto(`${datadeck.url}/dashboard/account`);
    await expect(page.getByLabel('Email')).toHaveValue(`mei@${key}.example`);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in with' })).toBeVisible();
  }
});
