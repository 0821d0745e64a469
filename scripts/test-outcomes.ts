import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A test that ran, or was skipped. */
export interface Outcome {
  /** From the repository's root. */
  file: string;
  /** With the titles of the groups that it is in. */
  title: string;
  status: 'passed' | 'failed' | 'skipped';
  seconds: number;
  /** Wall time of its file with hooks, where the report has it. */
  fileSeconds?: number;
}

/** A report below .cache/tests. */
export interface Report {
  name: string;
  by: 'vitest' | 'playwright';
}

interface VitestReport {
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; duration?: number }[];
  }[];
}
interface JourneySuite {
  title?: string;
  specs?: {
    title: string;
    file: string;
    tests: { status: string; results: { duration: number }[] }[];
  }[];
  suites?: JourneySuite[];
}

/** Returns the path of a report. */
export const pathOf = (name: string) => `.cache/tests/${name}.json`;

function read<T>(name: string): T {
  return JSON.parse(readFileSync(pathOf(name), 'utf8')) as T;
}

function vitestOutcomes({ testResults }: VitestReport): Outcome[] {
  return testResults.flatMap(({ name: path, startTime, endTime, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, duration = 0 }) => ({
      file: relative(process.cwd(), path),
      title: [...ancestorTitles, title].join(' '),
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
      seconds: duration / 1000,
      fileSeconds: (endTime - startTime) / 1000,
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
    tests.map(({ status, results }) => ({
      file: `e2e/${file}`,
      title: path + title,
      status: STATUS[status] ?? 'skipped',
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => journeyOutcomes(inner, path))];
}

/** Lists every test that the last runs of these reports ran. A stage that did not start has no report. */
export function readOutcomes(reports: readonly Report[]): Outcome[] {
  return reports
    .filter(({ name }) => existsSync(pathOf(name)))
    .flatMap(({ name, by }) => (by === 'vitest' ? vitestOutcomes(read(name)) : journeyOutcomes(read(name))));
}
