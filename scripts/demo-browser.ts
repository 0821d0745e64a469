import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ensureWebBuild } from '../packages/server/src/app/web-build.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { findChromium } from './test-tools.ts';

const CHROMIUM = findChromium() ?? 'chromium';

/** Runs a task in Chromium, for a demo user of a product on an empty folder; both end with it. */
export async function withDemoBrowser(
  task: (browser: Browser, demo: { url: string; token: string }) => Promise<void>,
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
    await task(browser, { url: server.url, token });
  } finally {
    await browser.close();
    await server.end('SIGTERM');
    removeDataFolder(folder);
  }
}
