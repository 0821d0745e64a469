import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { findFreePort } from '../../packages/server/src/app/http/listen.ts';
import { ChildServer, WITH_TEST_SANDBOX } from '../../packages/server/test-support/child-server.ts';
import {
  makeTemporaryFolder,
  removeDataFolder,
} from '../../packages/server/test-support/temporary-folder.ts';
import { useWithoutErrors } from './page-errors.ts';

/** A Datadeck in a process of its own, as `npm start` runs it, on an empty data folder. */
export interface Datadeck {
  url: string;
  /** Stops it as Ctrl+C would, and starts it again on the same data. */
  restart(): Promise<void>;
  /** Runs a command of `datadeck`. @returns its output */
  admin(...words: string[]): Promise<string>;
  /** What the start printed. */
  output(): string;
}

interface Fixtures {
  /** Settings beside the usual ones, for example SANDBOX_FOLDER. */
  settings: Record<string, string>;
  /** Whether mails can be delivered to the sandbox (`deliverMail`). */
  hasTestSandbox: boolean;
  /** Parts of addresses whose refusal is wanted. */
  faults: Set<string>;
  datadeck: Datadeck;
}

/** A journey: its own server, and a page on which any error of script or console fails the test. */
export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  hasTestSandbox: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  faults: async ({}, use) => use(new Set()),
  datadeck: async ({ settings, hasTestSandbox }, use) => {
    const folder = makeTemporaryFolder('datadeck journey ');
    const environment = {
      DATA_DIR: join(folder, 'data'),
      PORT: String(await findFreePort('127.0.0.1')),
      WEB_APP: 'on',
      SANDBOX: 'on',
      ...settings,
    };
    const server = hasTestSandbox
      ? new ChildServer(environment, false, WITH_TEST_SANDBOX)
      : new ChildServer(environment);
    await server.start();
    await use({
      url: server.url,
      admin: (...words) => server.admin(...words),
      output: () => server.output,
      restart: async () => {
        await server.end('SIGTERM');
        await server.start();
      },
    });
    await server.end('SIGTERM');
    removeDataFolder(environment.DATA_DIR);
    rmSync(folder, { recursive: true, force: true });
  },
  // Depends on the server, so that the page is closed before the server stops.
  page: async ({ page, datadeck: _server, faults, browserName }, use) => {
    // In Firefox only the page in front has the focus.
    if (browserName === 'firefox') await page.bringToFront();
    await useWithoutErrors(page, faults, use);
  },
});

export { expect };

/** Finds the sign-in link in what a command or the start printed. */
export function linkIn(output: string): string {
  return /http:\/\/\S+\/auth\/link\/\S+/.exec(output)?.[0] ?? '';
}

/** Signs in by a printed link. */
export async function signInByLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();
}

/** Signs in with the sandbox's Google as this account. */
export async function signIn(page: Page, datadeck: Pick<Datadeck, 'url'>, account: string): Promise<void> {
  await page.goto(datadeck.url);
  await page.getByRole('button', { name: 'Google' }).click();
  await page.getByRole('button', { name: account }).click();
  const consent = page.getByRole('button', { name: 'Continue' });
  const providers = page.getByRole('heading', { name: 'Providers', level: 1 });
  await expect(consent.or(providers)).toBeVisible();
  if (await consent.isVisible()) await consent.click();
  await expect(providers).toBeVisible();
}

/** Connects Gmail and GitHub on the Providers page. */
export async function connectBoth(page: Page, accounts: { google: string; github: string }): Promise<void> {
  await page.getByRole('button', { name: 'Connect Gmail' }).click();
  await page.getByRole('button', { name: accounts.google }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(
    page.getByRole('article', { name: 'Gmail' }).getByRole('button', { name: 'In use' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('radio', { name: accounts.github }).check();
  await page.getByRole('button', { name: 'Authorize Datadeck' }).click();
  await expect(
    page.getByRole('article', { name: 'GitHub' }).getByRole('button', { name: 'In use' }),
  ).toBeVisible();
}

/** Chooses an option of a select by its label. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Opens an entity's details, fills its settings and runs a sync to its end. */
export async function syncEntity(
  page: Page,
  entity: string,
  settings: Record<string, string> = {},
): Promise<void> {
  await page.getByRole('button', { name: `Details of ${entity}` }).click();
  const dialog = page.getByRole('dialog', { name: /Overview/ });
  for (const [label, value] of Object.entries(settings))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
  await expect(dialog.getByText('Finished').first()).toBeVisible({ timeout: 120_000 });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/** On the Query page: chooses a template and runs it. */
export async function runTemplate(
  page: Page,
  provider: string,
  entity: string,
  template: string,
): Promise<void> {
  await choose(page, 'Provider', provider);
  await choose(page, 'Entity', entity);
  await page.getByRole('button', { name: new RegExp(`^${template}`) }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** Goes to a page by the sidebar. */
export async function openPage(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name });
  if (!(await link.isVisible()))
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Integrations|Data Management/ })
      .last()
      .click();
  await link.click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}
