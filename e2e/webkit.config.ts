/** A smoke test in the distribution's WebKit: `npm run test:webkit`. Playwright runs it, but drives no browser. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: 'webkit.smoke.ts',
  outputDir: '../test-results/webkit',
  globalSetup: './support/build-web.ts',
  // A limit for what hangs.
  timeout: 480_000,
  expect: { timeout: 30_000 },
  // CI machines are shared and slow at times; a test that fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['json', { outputFile: '../.cache/tests/webkit.json' }]],
});
