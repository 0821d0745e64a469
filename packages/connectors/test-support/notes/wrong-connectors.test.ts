import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WRONG_CONNECTORS } from './wrong-connectors.ts';

/** The part of vitest's JSON report that is used. */
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const FOLDER = import.meta.dirname;
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
/** Titles of the failed tests, by the connector's mistake. */
const failed = new Map<string, string[]>();

/** Runs the suite in a separate vitest process, so that its failures do not count as failures of this one. */
async function runSuite() {
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const folder = mkdtempSync(join(tmpdir(), 'datadeck-wrong-'));
  const report = join(folder, 'report.json');
  const settings = ['--config', 'wrong-connectors.config.ts', '--reporter=json', '--outputFile', report];
  const child = spawn(process.execPath, [VITEST, 'run', '--root', FOLDER, ...settings], {
    env: Object.fromEntries(foreign),
    stdio: 'ignore',
  });
  await once(child, 'exit');
  const text = readFileSync(report, 'utf8');
  rmSync(folder, { recursive: true });
  return reportSchema.parse(JSON.parse(text));
}

beforeAll(async () => {
  const { testResults } = await runSuite();
  for (const { ancestorTitles, title, status } of testResults.flatMap((file) => file.assertionResults)) {
    const mistake = ancestorTitles[0]?.replace(/^entity /, '') ?? '';
    failed.set(mistake, [...(failed.get(mistake) ?? []), ...(status === 'failed' ? [title] : [])]);
  }
}, 240_000);

describe('conformance suite', () => {
  const cases = WRONG_CONNECTORS.map(({ mistake, caughtByTests }) => [mistake, caughtByTests] as const);
  it.each(cases)('detects a connector that %s', (mistake, caughtByTests) => {
    const titles = failed.get(mistake) ?? [];
    for (const expected of caughtByTests)
      expect(
        titles.some((title) => title.startsWith(expected)),
        `'${expected}' fails; these do: ${titles.join(' | ')}`,
      ).toBe(true);
  });
});
