import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ensureWebBuild } from '../packages/server/src/app/web-build.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { findChromium } from './test-tools.ts';

const CHROMIUM = findChromium() ?? 'chromium';

/** A product on an empty folder, and the session tokens of its users. */
export interface DemoSite {
  url: string;
  /** Of a demo user. */
  token: string;
  /** Of an account of the sandbox that is an administrator. */
  administrator: string;
}

/** Makes the sandbox's Ada the administrator. @returns the token of her session */
async function signInAdministrator(server: ChildServer): Promise<string> {
  const { url } = server;
  const ada = await new Client({ url }).signIn('ada.nowak@sandbox.example');
  await new Client({ url }).signIn('jonas.weber@sandbox.example');
  await server.admin('users', '--admin', 'ada.nowak@sandbox.example');
  return ada.token;
}

/** Runs a task in Chromium, for a demo user of a product on an empty folder; both end with it. */
export async function withDemoBrowser(
  task: (browser: Browser, site: DemoSite) => Promise<void>,
): Promise<void> {
  const folder = makeTemporaryFolder('datadeck-demo-');
  await ensureWebBuild(createLogger('warn'));
  const server = new ChildServer({
    DATA_DIR: folder,
    PORT: String(await findFreePort('127.0.0.1')),
    WEB_APP: 'on',
    SANDBOX: 'on',
  });
  await server.start();
  const browser = await chromium.launch({
    ...(existsSync(CHROMIUM) && { executablePath: CHROMIUM }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const answer = await fetch(`${server.url}/auth/demo`);
    const { token } = (await answer.json()) as { token: string };
    await task(browser, { url: server.url, token, administrator: await signInAdministrator(server) });
  } finally {
    await browser.close();
    await server.end('SIGTERM');
    removeDataFolder(folder);
  }
}
