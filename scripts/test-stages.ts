import { pathOf, type Report } from './test-outcomes.ts';
import { CHROMIUM, DEBIAN_POSTGRES, FIREFOX, TEST_TOOLS, type TestTool, WEBKIT } from './test-tools.ts';

/** A part of a test run: one process. */
export interface Stage {
  name: string;
  command: readonly string[];
  environment?: Record<string, string>;
}

/** A tier of tests. Its stages run one after another: two at once took longer (decision 0093). */
export interface Tier {
  name: 'test' | 'long';
  /** The programs that its tests need. */
  tools: readonly TestTool[];
  prepare: readonly Stage[];
  /** Called once the programs are installed. */
  stages(): readonly Stage[];
  finish: readonly Stage[];
  /** The reports of its tests. */
  reports: readonly Report[];
}

/** What differs between browsers most: keyboard and focus, editing, evaluation in the page, downloads, consent pages. */
const IN_FIREFOX = ['keyboard', 'connect-form', 'editor', 'engine-sameness', 'comfort', 'account'];
const COVERAGE = 'scripts/check-coverage.ts';

function vitest(name: string, words: readonly string[], environment: Record<string, string> = {}): Stage {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${pathOf(name)}`];
  return { name, command: ['vitest', 'run', ...reporters, ...words], environment };
}

/** Runs journeys in a browser; where it is missing, lists them as not run. */
function journeys(name: string, browser: TestTool, words: readonly string[]): Stage {
  const isThere = browser.find() !== undefined;
  return {
    name,
    command: ['playwright', 'test', ...words, ...(isThere ? [] : ['--list', '--reporter=json'])],
    environment: isThere ? {} : { PLAYWRIGHT_JSON_OUTPUT_FILE: pathOf(name) },
  };
}

function script(name: string, ...words: string[]): Stage {
  return { name, command: ['node', ...words] };
}

/** What comes first: the journeys and some server tests serve the built web app. */
const prepareFor = (tier: string) => [
  script('tools', 'scripts/provide-test-tools.ts', tier),
  script('web build', 'scripts/build-web.ts'),
];

/** `npm test`: everything that a change can break. */
const TEST: Tier = {
  name: 'test',
  tools: TEST_TOOLS.filter(({ isLong }) => !isLong),
  prepare: prepareFor('test'),
  stages: () => [
    vitest('vitest', ['--project=server', '--project=unit', '--project=web']),
    journeys('journeys', CHROMIUM, ['-c', 'e2e/playwright.config.ts']),
  ],
  finish: [script('coverage', COVERAGE, '--ran')],
  reports: [
    { name: 'vitest', by: 'vitest' },
    { name: 'journeys', by: 'playwright' },
  ],
};

/**
 * `npm run test:long`: kills, upgrades, clusters of its own, many random cases, further browsers and databases.
 */
const LONG: Tier = {
  name: 'long',
  tools: TEST_TOOLS,
  prepare: prepareFor('long'),
  stages: () => [
    vitest('long', ['--project=long']),
    vitest('random', ['--project=unit', 'differential', 'row-fields'], {
      DIFFERENTIAL_COUNT: '20000',
      ROW_FIELDS_COUNT: '6000',
    }),
    journeys('long-journeys', CHROMIUM, ['-c', 'e2e/long.config.ts']),
    journeys('firefox', FIREFOX, [
      ...['-c', 'e2e/firefox.config.ts'],
      ...IN_FIREFOX.map((name) => `e2e/${name}.spec.ts`),
    ]),
    journeys('webkit', WEBKIT, ['-c', 'e2e/webkit.config.ts']),
    ...(DEBIAN_POSTGRES.find() === undefined
      ? []
      : [
          {
            name: 'debian postgres',
            command: ['scripts/with-debian-postgres.sh', 'npm', 'run', 'test:postgres'],
            // Of what `npm test` tries a part: all.
            environment: {
              ...{ HISTORIES: '100', RACES: '8', PUSH_DOWN_QUERIES: '400' },
              ...{ BOUNDS: 'all', BYTES: 'all', SEARCHED_RUNS: '40' },
            },
          },
        ]),
    vitest('partitions', ['--project=server', 'features/records', 'sync/sync.test', 'templates/templates'], {
      TEST_PARTITIONS: '4',
    }),
  ],
  finish: [script('coverage', COVERAGE, '--ran', '--long')],
  reports: [
    { name: 'long', by: 'vitest' },
    { name: 'random', by: 'vitest' },
    { name: 'long-journeys', by: 'playwright' },
    { name: 'firefox', by: 'playwright' },
    { name: 'webkit', by: 'playwright' },
  ],
};

export const TIERS = { test: TEST, long: LONG };
