import { RandomActivity, runRecord } from '@datadeck/connectors/test-support/github';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectRows,
  GithubTemplates,
  groupBy,
  percentileOf,
} from '../../../test-support/github-templates.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';

const FAILED = ['failure', 'timed_out', 'startup_failure'];

describe('flaky workflows of a table made by hand', () => {
  let templates: GithubTemplates;

  /** Runs as `workflow sha conclusion attempt`, one each hour. */
  const RUNS = [
    // Failed, then passed.
    'Build a failure 1',
    'Build a success 1',
    // Passed, then failed: the change of something else.
    'Build b success 1',
    'Build b failure 1',
    // Passed at the second attempt.
    'Build c success 2',
    // Another workflow passed.
    'Build d failure 1',
    'Lint d success 1',
    'Lint d timed_out 2',
  ];

  beforeAll(async () => {
    const records = RUNS.map((run, index) => {
      const [name, sha, conclusion, attempt] = run.split(' ');
      const at = new Date(Date.UTC(2026, 0, 1, index)).toISOString().replace('.000', '');
      const fields = { name, head_sha: sha, conclusion, run_attempt: Number(attempt) };
      return runRecord({ id: index, status: 'completed', created_at: at, ...fields }, 'acme/box');
    });
    templates = await GithubTemplates.with('gh-runs', records);
  });
  afterAll(() => templates?.close());

  it('are those that failed and then passed on the same commit', async () => {
    expect(await templates.rowsOf('runs-flaky')).toEqual([
      {
        repository: 'acme/box',
        workflow: 'Build',
        commits: 4,
        flaky: 2,
        retried: 1,
        flakyPercent: 50,
        last: '2026-01-01T04:00:00Z',
      },
    ]);
  });
});

describe('a template of workflow runs', () => {
  const activity = new RandomActivity(seededRandom(43), Date.now());
  const runs = Array.from({ length: 500 }, (_, index) => activity.run(index + 1)).map((run) => ({
    ...run,
    repositoryName: run.repository.full_name,
    seconds:
      run.status === 'completed'
        ? (Date.parse(run.updated_at) - Date.parse(run.run_started_at)) / 1000
        : null,
    hasFailed: FAILED.includes(run.conclusion ?? ''),
  }));
  type Run = (typeof runs)[number];
  const workflowOf = ({ repositoryName: repository, name: workflow }: Run) =>
    JSON.stringify({ repository, workflow });
  const minutesOf = (of: Run[]) => of.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0) / 60;
  const failedOf = (of: Run[]) => of.filter(({ hasFailed }) => hasFailed);
  const lastOf = (of: Run[]) =>
    of
      .map(({ created_at }) => created_at)
      .sort()
      .at(-1);
  let templates: GithubTemplates;

  beforeAll(async () => {
    const records = runs.map(({ repositoryName, seconds, hasFailed, ...run }) =>
      runRecord(structuredClone(run), 'acme/box'),
    );
    templates = await GithubTemplates.with('gh-runs', records);
  });
  afterAll(() => templates?.close());

  it('finds flaky workflows', async () => {
    const completed = runs.filter(({ status }) => status === 'completed');
    const isRetried = (of: Run[]) => of.some((run) => run.conclusion === 'success' && run.run_attempt > 1);
    const isFlaky = (of: Run[]) =>
      isRetried(of) ||
      failedOf(of).some((failed) =>
        of.some((run) => run.conclusion === 'success' && run.created_at > failed.created_at),
      );
    const expected = [...groupBy(completed, workflowOf)].map(([key, of]) => {
      const commits = [...groupBy(of, ({ head_sha }) => head_sha).values()];
      const flaky = commits.filter(isFlaky);
      return {
        ...JSON.parse(key),
        commits: commits.length,
        flaky: flaky.length,
        retried: commits.filter(isRetried).length,
        flakyPercent: (100 * flaky.length) / commits.length,
        last: lastOf(flaky.flat()),
      };
    });
    expect(expected.some(({ flaky, retried }) => flaky > retried)).toBe(true);
    expectRows(await templates.rowsOf('runs-flaky'), expected, {
      key: ['repository', 'workflow'],
      order: ['-flaky', 'repository', 'workflow'],
    });
  });

  it('sums build minutes by workflow and month', async () => {
    const timed = runs.filter(({ seconds }) => seconds !== null);
    const keyOf = (run: Run) =>
      JSON.stringify({ ...JSON.parse(workflowOf(run)), month: run.created_at.slice(0, 7) });
    const expected = [...groupBy(timed, keyOf)].map(([key, of]) => ({
      ...JSON.parse(key),
      runs: of.length,
      minutes: minutesOf(of),
    }));
    expectRows(await templates.rowsOf('runs-minutes'), expected, {
      key: ['repository', 'workflow', 'month'],
      order: ['-month', '-minutes', 'repository', 'workflow'],
    });
  });

  it('computes the failure rate by workflow', async () => {
    const decided = runs.filter(({ conclusion, hasFailed }) => hasFailed || conclusion === 'success');
    const expected = [...groupBy(decided, workflowOf)].map(([key, of]) => ({
      ...JSON.parse(key),
      runs: of.length,
      failed: failedOf(of).length,
      failedPercent: (100 * failedOf(of).length) / of.length,
      lastFailure: lastOf(failedOf(of)),
    }));
    expectRows(await templates.rowsOf('runs-failure-rate'), expected, {
      key: ['repository', 'workflow'],
      order: ['-failedPercent'],
    });
  });

  it('lists the slowest workflows', async () => {
    const passed = runs.filter(({ conclusion }) => conclusion === 'success');
    const expected = [...groupBy(passed, workflowOf)].map(([key, of]) => {
      const minutes = of.map(({ seconds }) => (seconds ?? 0) / 60);
      return {
        ...JSON.parse(key),
        runs: of.length,
        medianMinutes: percentileOf(0.5, minutes),
        p90Minutes: percentileOf(0.9, minutes),
        longestMinutes: Math.max(...minutes),
      };
    });
    expectRows(await templates.rowsOf('runs-slowest'), expected, {
      key: ['repository', 'workflow'],
      order: ['-medianMinutes'],
    });
  });

  it('counts runs by person and marks bots', async () => {
    const expected = [...groupBy(runs, ({ actor }) => actor?.login ?? 'ghost')].map(([actor, of]) => ({
      actor,
      bot: of[0]?.actor?.type === 'Bot',
      runs: of.length,
      failed: failedOf(of).length,
      minutes: minutesOf(of),
    }));
    expectRows(await templates.rowsOf('runs-by-actor'), expected, {
      key: ['actor'],
      order: ['-runs', 'actor'],
    });
  });
});
