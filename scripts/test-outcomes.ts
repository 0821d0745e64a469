import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Where the parts of `npm test` leave what they ran. */
const VITEST = ['.cache/tests/unit.json', '.cache/tests/server.json'];
const JOURNEYS = '.cache/tests/journeys.json';

/** A test that ran. */
export interface Outcome {
  /** From the repository's root. */
  file: string;
  /** With those of the groups that it is in. */
  title: string;
  status: 'passed' | 'failed' | 'skipped';
}

interface VitestReport {
  testResults: {
    name: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}
interface JourneySuite {
  title?: string;
  specs?: { title: string; file: string; tests: { status: string }[] }[];
  suites?: JourneySuite[];
}

function read<T>(file: string): T {
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm test\`, which writes it`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

function vitestOutcomes(report: string): Outcome[] {
  return read<VitestReport>(report).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(process.cwd(), name),
      title: [...ancestorTitles, title].join(' '),
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );
}

/** Playwright's words for a test with all its tries: 'flaky' passed at last. */
const STATUS: Record<string, Outcome['status']> = {
  expected: 'passed',
  flaky: 'passed',
  unexpected: 'failed',
};

function journeyOutcomes(suite: JourneySuite, groups = ''): Outcome[] {
  const path = `${groups}${suite.title ?? ''} `;
  const own = (suite.specs ?? []).flatMap(({ title, file, tests }) =>
    tests.map(({ status }) => ({
      file: `e2e/${file}`,
      title: path + title,
      status: STATUS[status] ?? 'skipped',
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => journeyOutcomes(inner, path))];
}

/** Lists every test that the last `npm test` ran. @throws Error when a report is missing */
export function readOutcomes(): Outcome[] {
  return [...VITEST.flatMap(vitestOutcomes), ...journeyOutcomes(read<JourneySuite>(JOURNEYS))];
}
