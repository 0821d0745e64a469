/** The browser part of `npm test`: runs the journeys, or says in one line that they are skipped because Chromium is missing. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { CHROMIUM } from './test-tools.ts';

if (CHROMIUM.find() === undefined) {
  console.log(`Skipped: ${CHROMIUM.tests}, because Chromium is missing.`);
  mkdirSync('.cache/tests', { recursive: true });
  writeFileSync('.cache/tests/journeys.json', '{"suites":[]}');
} else {
  const args = [
    '--no-install',
    'playwright',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    ...process.argv.slice(2),
  ];
  process.exitCode = spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1;
}
