/**
 * The browser part of `npm test`: runs the journeys in Chromium, some of them in Firefox, and a smoke test in WebKit. Says
 * in one line what is skipped because a browser is missing. `--firefox [FILE…]` runs all journeys (or these) in Firefox
 * alone, `--webkit` the smoke test alone; other arguments go to Playwright in Chromium alone.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { CHROMIUM, FIREFOX, WEBKIT } from './test-tools.ts';

/** What differs between browsers most: keyboard and focus, editing, evaluation in the page, downloads, consent pages. */
const IN_FIREFOX = ['keyboard', 'connect-form', 'editor', 'engine-sameness', 'comfort', 'account'];
const args = process.argv.slice(2);

/** Runs Playwright. @returns whether every journey passed */
function run(config: string, words: readonly string[]): boolean {
  const command = ['--no-install', 'playwright', 'test', '-c', `e2e/${config}`, ...words];
  return spawnSync('npx', command, { stdio: 'inherit' }).status === 0;
}

function runInChromium(): boolean {
  if (CHROMIUM.find() !== undefined) return run('playwright.config.ts', args);
  console.log(`Skipped: ${CHROMIUM.tests}, because Chromium is missing.`);
  mkdirSync('.cache/tests', { recursive: true });
  writeFileSync('.cache/tests/journeys.json', '{"suites":[]}');
  return true;
}

function runInFirefox(words: readonly string[]): boolean {
  if (FIREFOX.find() !== undefined) return run('firefox.config.ts', words);
  console.log(`Skipped: ${FIREFOX.tests}, because Firefox is missing.`);
  return true;
}

function runInWebKit(): boolean {
  if (WEBKIT.find() !== undefined) return run('webkit.config.ts', []);
  console.log(`Skipped: ${WEBKIT.tests}, because WebKit or Xvfb is missing.`);
  return true;
}

function runInAll(): boolean {
  return runInChromium() && runInFirefox(IN_FIREFOX.map((name) => `e2e/${name}.spec.ts`)) && runInWebKit();
}

function runJourneys(): boolean {
  if (args[0] === '--firefox') return runInFirefox(args.slice(1));
  if (args[0] === '--webkit') return runInWebKit();
  return args.length > 0 ? runInChromium() : runInAll();
}

if (!runJourneys()) process.exitCode = 1;
