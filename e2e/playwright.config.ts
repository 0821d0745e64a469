import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/test-tools.ts';

const CHROMIUM = findChromium();
// `--list` runs nothing.
if (CHROMIUM === undefined && !process.argv.includes('--list')) {
  throw new Error(
    "Chromium is missing. 'npm test' installs it where it can ('apt-get install chromium' on Debian and Ubuntu); or set CHROMIUM_PATH to a Chromium or Chrome.",
  );
}

/** The journeys of the second tier (`npm run test:long`). */
export const LONG = '**/*.long.spec.ts';

/** Flags that keep a headless Chromium quiet on a machine without a network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: '.',
  testIgnore: LONG,
  outputDir: '../test-results',
  globalSetup: './support/build-web.ts',
  // Limits for what hangs; a machine that others use as well may be many times slower than another.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  workers: 2,
  // CI machines are shared and slow at times; a test that fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  // What ran is kept for scripts/check-coverage.ts.
  reporter: [['list'], ['json', { outputFile: '../.cache/tests/journeys.json' }]],
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'on-first-retry',
    // Motion costs time; the newcomer's journey has it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }), args: FLAGS },
  },
  projects: [{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } }],
});
