/** Pictures and checks of each screen in each state: `npm run test:states`. It takes long, so that no other command runs it. */
import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.ts';

export default defineConfig({
  ...journeys,
  testMatch: 'screen-states.ts',
  outputDir: '../test-results/states',
  // A limit for what hangs.
  timeout: 60_000,
  fullyParallel: true,
  retries: 0,
  reporter: [['list']],
});
