import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/** A program or permission that some tests need and that npm does not install. */
export interface TestTool {
  name: string;
  /** What is not run without it. */
  tests: string;
  /** What the summary of a run counts, for example `journeys`. */
  kind: string;
  /** Text of the test files that skip tests without it, or a pattern of their paths. */
  skips: string | RegExp;
  /** Whether only `npm run test:long` needs it. */
  isLong?: true;
  /** Names of Debian's packages; one, if it is extracted; none, if it cannot be installed. */
  packages: readonly string[];
  /**
   * Path of the program in the package, if it runs without being installed. The package would start a service that nobody
   * needs.
   */
  extracted?: string;
  /** Finds the program; undefined when it is missing. */
  find(): string | undefined;
}

/** Folder of the packages that are extracted, not installed. */
export const EXTRACTED = join(import.meta.dirname, '../.cache/tools');
const extractedPath = (path: string) => join(EXTRACTED, path);

function onPath(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** Returns whether a browser starts: Ubuntu's package `chromium-browser` may be an empty stand-in for a snap. */
function runs(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** Finds the Chromium that Playwright's own installer downloads. */
function playwrightChromium(): string | undefined {
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as {
    chromium: { executablePath(): string };
  };
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/**
 * Finds a Chromium or Chrome: CHROMIUM_PATH, then installed ones, then Playwright's. The headless shell comes first: it
 * draws no windows, so journeys need about a quarter less time.
 */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  const installed = [
    ...onPath([
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
    ]),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return installed.filter((path) => existsSync(path)).find(runs) ?? playwrightChromium();
}

/** Finds a Firefox: FIREFOX_PATH, then installed ones. */
export function findFirefox(): string | undefined {
  const { FIREFOX_PATH } = process.env;
  if (FIREFOX_PATH) return existsSync(FIREFOX_PATH) ? FIREFOX_PATH : undefined;
  const installed = [
    ...onPath(['firefox-esr', 'firefox']),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ];
  return installed.filter((path) => existsSync(path)).find(runs);
}

/** Finds the WebDriver server of WebKitGTK; its package brings the browser, too. */
export function findWebKit(): string | undefined {
  return onPath(['WebKitWebDriver']).find((path) => existsSync(path));
}

/** Finds the display without a screen that WebKitGTK is shown on. */
export function findXvfb(): string | undefined {
  return onPath(['Xvfb']).find((path) => existsSync(path));
}

/** Finds the IMAP server that the mail tests start. */
export function findDovecot(): string | undefined {
  return ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot'].find((path) =>
    existsSync(path),
  );
}

/** Finds the connection pooler that tests start in front of PostgreSQL. */
export function findPgBouncer(): string | undefined {
  return [...onPath(['pgbouncer']), '/usr/sbin/pgbouncer'].find((path) => existsSync(path));
}

/** Finds the program that checks alert rules. */
export function findPromtool(): string | undefined {
  return [...onPath(['promtool']), extractedPath('usr/bin/promtool')].find((path) => existsSync(path));
}

/** Finds the server of Debian's packages, which is not on the PATH. */
function findDebianPostgres(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/postgres').at(-1);
}

export const CHROMIUM: TestTool = {
  name: 'Chromium',
  tests: 'the journeys in the browser (e2e)',
  kind: 'journeys',
  skips: /^e2e\//,
  packages: ['chromium-headless-shell'],
  find: findChromium,
};
export const FIREFOX: TestTool = {
  name: 'Firefox',
  tests: 'the journeys in Firefox',
  kind: 'journeys',
  skips: /^e2e\/.*\.spec\.ts$/,
  isLong: true,
  packages: ['firefox-esr'],
  find: findFirefox,
};
export const WEBKIT: TestTool = {
  name: 'WebKit',
  tests: 'the smoke test in WebKit',
  kind: 'tests',
  skips: /^e2e\/webkit/,
  isLong: true,
  packages: ['webkit2gtk-driver', 'xvfb'],
  find: () => findXvfb() && findWebKit(),
};
export const DOVECOT: TestTool = {
  name: 'Dovecot',
  tests: 'the tests against a real mail server',
  kind: 'tests',
  skips: 'DOVECOT_MISSING',
  packages: ['dovecot-imapd'],
  find: findDovecot,
};
export const PGBOUNCER: TestTool = {
  name: 'PgBouncer',
  tests: 'the tests behind a connection pooler',
  kind: 'tests',
  skips: 'PGBOUNCER_MISSING',
  isLong: true,
  packages: ['pgbouncer'],
  find: findPgBouncer,
};
export const PROMTOOL: TestTool = {
  name: 'promtool',
  tests: 'the tests of the alert rules',
  kind: 'tests',
  skips: 'PROMTOOL === undefined',
  packages: ['prometheus'],
  extracted: 'usr/bin/promtool',
  find: findPromtool,
};
export const DEBIAN_POSTGRES: TestTool = {
  name: "Debian's PostgreSQL",
  tests: "the tests on Debian's PostgreSQL",
  kind: 'tests',
  skips: 'debian === undefined',
  isLong: true,
  packages: ['postgresql'],
  find: findDebianPostgres,
};
/** The bit of Linux's capability CAP_SYS_ADMIN. */
const SYS_ADMIN = 1n << 21n;

/** Returns whether this user may mount a disk; root in a container may be forbidden to. */
function findMounting(): string | undefined {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, capabilities = '0'] = /^CapEff:\s*([\da-f]+)$/m.exec(status) ?? [];
  return BigInt(`0x${capabilities}`) & SYS_ADMIN ? 'allowed' : undefined;
}

export const MOUNTING: TestTool = {
  name: 'permission to mount a disk',
  tests: 'the tests on a full disk',
  kind: 'tests',
  skips: 'disk === undefined',
  packages: [],
  find: findMounting,
};
/** Finds the program that decrypts backups. */
function findAge(): string | undefined {
  return onPath(['age']).find((path) => existsSync(path));
}

const AGE: TestTool = {
  name: 'age',
  tests: 'the tests that decrypt a backup without Datadeck',
  kind: 'tests',
  skips: 'AGE_MISSING',
  packages: ['age'],
  find: findAge,
};
/** What both tiers need. */
export const TEST_TOOLS = [
  CHROMIUM,
  DOVECOT,
  PROMTOOL,
  AGE,
  PGBOUNCER,
  FIREFOX,
  WEBKIT,
  DEBIAN_POSTGRES,
  MOUNTING,
];
