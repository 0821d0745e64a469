/** The journeys of the second tier: every overlay on both widths, and hostile content. */
import { defineConfig } from '@playwright/test';
import base, { LONG } from './playwright.config.ts';

export default defineConfig({
  ...base,
  testIgnore: [],
  testMatch: LONG,
  outputDir: '../test-results/long',
  reporter: [['list'], ['json', { outputFile: '../.cache/tests/long-journeys.json' }]],
});
