import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureWebBuild } from '../packages/server/src/app/web-build.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { expect, test } from './support/workspace.ts';

/** Bytes of JavaScript, compressed, that the login screen may load. */
const MOST = 150 * 1000;

test('loads at most 150 KB of compressed JavaScript for the first screen', async ({ page, workspace }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await page.clock.install();
  await page.goto(workspace.url);
  await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
  // Nor does it load more a while later.
  await page.clock.runFor('01:00');
  const dist = await ensureWebBuild(createLogger('warn'));
  const sizes = scripts.map((path) => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(
    `first screen: ${(total / 1000).toFixed(1)} KB of JavaScript, gzip, in ${scripts.length} files`,
  );
  expect(scripts.length).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(MOST);
  const first = scripts.length;
  await page.getByRole('button', { name: 'Demo User' }).click();
  await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();
  expect(scripts.length).toBeGreaterThan(first);
});
