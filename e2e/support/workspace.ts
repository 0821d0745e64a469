import { test as base, expect } from '@playwright/test';
import { findFreePort } from '../../packages/server/src/app/http/listen.ts';
import { ChildServer, WITH_TEST_SANDBOX } from '../../packages/server/test-support/child-server.ts';
import { runSync } from '../../packages/server/test-support/syncing.ts';
import {
  makeTemporaryFolder,
  removeDataFolder,
} from '../../packages/server/test-support/temporary-folder.ts';
import { Client } from '../../packages/server/test-support/test-server.ts';
import { useWithoutErrors } from './page-errors.ts';

export type Role = 'demo' | 'standard' | 'pro';

/** A Datadeck with one user of each role, shared by the tests of a worker. */
interface Workspace {
  url: string;
  /** Standard: Ada, with both providers connected and synchronized. Pro: Jonas, with nothing connected, the administrator. */
  users: Record<Role, Client>;
}

interface Fixtures {
  /** Parts of addresses whose refusal is wanted. */
  faults: Set<string>;
  /** Opens an address as a user of this role. */
  openAs: (user: Role | Client, path: string) => Promise<void>;
  /** Lets a call of the page fail from now on; the console line that Chromium writes for it is expected. */
  failing: (method: string, path: string) => Promise<void>;
}

async function synchronizedUser(url: string): Promise<Client> {
  const ada = await new Client({ url }).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-labels');
  await runSync(ada, 'gmail-messages', { labelIds: 'STARRED' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  return ada;
}

/** A journey in a product that other journeys use too; any error of script or console fails the test. */
export const test = base.extend<Fixtures, { workspace: Workspace }>({
  workspace: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = makeTemporaryFolder('datadeck-workspace-');
      const environment = {
        DATA_DIR: folder,
        PORT: String(await findFreePort('127.0.0.1')),
        WEB_APP: 'on',
        SANDBOX: 'on',
        SANDBOX_QUOTA_SCALE: '0',
      };
      const server = new ChildServer(environment, false, WITH_TEST_SANDBOX);
      await server.start();
      const { url } = server;
      const [demo, standard, pro] = await Promise.all([
        new Client({ url }).demo(),
        synchronizedUser(url),
        new Client({ url }).signIn('jonas.weber@sandbox.example'),
      ]);
      await server.admin('plan', 'jonas.weber@sandbox.example', 'pro');
      await server.admin('users', '--admin', 'jonas.weber@sandbox.example');
      await use({ url, users: { demo, standard, pro } });
      await server.end('SIGTERM');
      removeDataFolder(folder);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  contextOptions: { reducedMotion: 'reduce' },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  faults: async ({}, use) => use(new Set()),
  page: async ({ page, faults, browserName }, use) => {
    // In Firefox only the page in front has the focus.
    if (browserName === 'firefox') await page.bringToFront();
    await useWithoutErrors(page, faults, use);
  },
  openAs: async ({ page, workspace }, use) => {
    await use(async (user, path) => {
      const { token } = typeof user === 'string' ? workspace.users[user] : user;
      // Once for each tab, so that a sign-out stays one.
      await page.addInitScript((stored) => {
        if (!location.protocol.startsWith('http') || sessionStorage.getItem('signed-in') !== null) return;
        sessionStorage.setItem('signed-in', 'yes');
        localStorage.setItem('dd-authToken', JSON.stringify(stored));
      }, token);
      await page.goto(workspace.url + path);
    });
  },
  failing: async ({ page, faults }, use) => {
    await use(async (method, path) => {
      faults.add(path);
      const json = { error: { code: 'internal', message: 'Something went wrong on our side.' } };
      await page.route(
        (url) => url.pathname.startsWith(path),
        (route) =>
          route.request().method() === method ? route.fulfill({ status: 500, json }) : route.fallback(),
      );
    });
  },
});

export { expect };
