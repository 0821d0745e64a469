/** The journeys in Debian's Firefox: `npm run test:firefox`. Playwright's own Firefox is a download that an installation from the lockfile does not have. */
import { defineConfig } from '@playwright/test';
import { findFirefox } from '../scripts/test-tools.ts';
import base from './playwright.config.ts';
import { adaptMessagesToFirefox } from './support/firefox-messages.ts';

const FIREFOX = findFirefox();
// `--list` runs nothing, and knip reads this file on machines that have no Firefox yet.
const runsTests = process.argv.includes('test') && !process.argv.includes('--list');
if (FIREFOX === undefined && runsTests) {
  throw new Error(
    "Firefox is missing. 'npm run test:long' installs it where it can ('apt-get install firefox-esr' on Debian); or set FIREFOX_PATH to a Firefox.",
  );
}
adaptMessagesToFirefox();

export default defineConfig({
  ...base,
  outputDir: '../test-results/firefox',
  reporter: [['list'], ['json', { outputFile: '../.cache/tests/firefox.json' }]],
  use: {
    ...base.use,
    browserName: 'firefox',
    // Selects WebDriver BiDi.
    channel: 'moz-firefox',
    // Needs a protocol that only Playwright's own browsers speak.
    trace: 'off',
    contextOptions: {},
    launchOptions: {
      ...(FIREFOX !== undefined && { executablePath: FIREFOX }),
      firefoxUserPrefs: {
        'ui.prefersReducedMotion': 1,
        'browser.download.alwaysOpenPanel': false,
      },
    },
  },
  projects: [{ name: 'firefox', use: { viewport: { width: 1440, height: 900 } } }],
});
