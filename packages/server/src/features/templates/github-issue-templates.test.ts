import { issueRecord, RandomActivity } from '@datadeck/connectors/test-support/github';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { daysUntil, expectRows, GithubTemplates, groupBy } from '../../../test-support/github-templates.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';

const now = Date.now();
const activity = new RandomActivity(seededRandom(41), now);
const issues = Array.from({ length: 400 }, (_, index) => activity.issue(index + 1));
const open = issues.filter(({ state }) => state === 'open');
let templates: GithubTemplates;

const repositoryOf = ({ repository_url }: (typeof issues)[number]) =>
  repository_url.split('/repos/')[1] ?? '';
const authorOf = ({ user }: (typeof issues)[number]) => user?.login ?? 'ghost';
const inState = (list: typeof issues, state: string) => list.filter((one) => one.state === state).length;
const isBot = ({ user }: (typeof issues)[number]) => user?.type === 'Bot';
const whole = (issue: (typeof issues)[number]) => ({
  number: issue.number,
  title: issue.title.slice(0, 2000),
  author: authorOf(issue),
  bot: isBot(issue),
  repository: repositoryOf(issue),
  labels: issue.labels.map(({ name }) => name),
  assignees: issue.assignees.map((person) => person?.login),
  comments: issue.comments,
  account: 'ada',
});

beforeAll(async () => {
  const records = issues.map((issue) => issueRecord(structuredClone(issue), 'acme/box'));
  templates = await GithubTemplates.with('gh-issues', records);
});
afterAll(() => templates?.close());

it('lists all issues, the newest first', async () => {
  const rows = await templates.rowsOf('issues-all');
  expect(rows.map(({ id }) => id)).toHaveLength(issues.length);
  const times = rows.map(({ occurred_at }) => Date.parse(String(occurred_at)));
  expect(times).toEqual([...times].sort((a, b) => b - a));
});

it('lists open issues by age', async () => {
  const expected = open.map((issue) => ({
    ...whole(issue),
    milestone: issue.milestone?.title ?? null,
    created: issue.created_at,
    ageDays: daysUntil(now, issue.created_at),
  }));
  expectRows(await templates.rowsOf('issues-open-by-age'), expected, { key: ['number'], order: ['created'] });
});

it('counts open issues by age and label', async () => {
  const pairs = open.flatMap((issue) =>
    (issue.labels.length > 0 ? issue.labels.map(({ name }) => name) : ['none']).map((label) => ({
      label,
      age: daysUntil(now, issue.created_at),
    })),
  );
  const expected = [...groupBy(pairs, ({ label }) => label)].map(([label, of]) => {
    const count = (from: number, to: number) => of.filter(({ age }) => age >= from && age < to).length;
    return {
      label: label === 'none' ? null : label,
      open: of.length,
      under7Days: count(0, 7),
      under30Days: count(7, 30),
      under90Days: count(30, 90),
      underYear: count(90, 365),
      older: count(365, 1e9),
      oldestDays: Math.max(...of.map(({ age }) => age)),
    };
  });
  expect(expected).toHaveLength(4);
  expectRows(await templates.rowsOf('issues-by-age-and-label'), expected, {
    key: ['label'],
    order: ['-open', 'label'],
  });
});

it('lists stale issues', async () => {
  const expected = open
    .filter(({ updated_at }) => daysUntil(now, updated_at) >= 30)
    .map((issue) => {
      const idleDays = daysUntil(now, issue.updated_at);
      const staleFor = [90, 60, 30].find((days) => idleDays >= days);
      return { ...whole(issue), updated: issue.updated_at, idleDays, staleFor };
    });
  expect(new Set(expected.map(({ staleFor }) => staleFor))).toEqual(new Set([30, 60, 90]));
  expectRows(await templates.rowsOf('issues-stale'), expected, { key: ['number'], order: ['updated'] });
});

it('counts issues by state and reason', async () => {
  const groups = groupBy(issues, ({ state, state_reason }) => JSON.stringify([state, state_reason]));
  const expected = [...groups].map(([key, of]) => {
    const [state, reason] = JSON.parse(key) as [string, string | null];
    return {
      state,
      reason,
      issues: of.length,
      comments: of.reduce((sum, { comments }) => sum + comments, 0),
    };
  });
  expectRows(await templates.rowsOf('issues-by-state'), expected, {
    key: ['state', 'reason'],
    order: ['-issues', 'state', 'reason'],
  });
});

it('counts issues by repository', async () => {
  const expected = [...groupBy(issues, repositoryOf)].map(([repository, of]) => ({
    repository,
    issues: of.length,
    open: inState(of, 'open'),
    closed: inState(of, 'closed'),
    notPlanned: of.filter(({ state_reason }) => state_reason === 'not_planned').length,
  }));
  expectRows(await templates.rowsOf('issues-by-repository'), expected, {
    key: ['repository'],
    order: ['-issues', 'repository'],
  });
});

it('counts issues opened and closed by month', async () => {
  const events = issues.flatMap((issue) => [
    { at: issue.created_at, is: 'opened', repository: repositoryOf(issue) },
    ...(issue.closed_at ? [{ at: issue.closed_at, is: 'closed', repository: repositoryOf(issue) }] : []),
  ]);
  const groups = groupBy(events, ({ at, repository }) => `${repository} ${at.slice(0, 7)}`);
  const expected = [...groups].map(([key, of]) => {
    const [repository, month] = key.split(' ');
    const opened = of.filter(({ is }) => is === 'opened').length;
    return { repository, month, opened, closed: of.length - opened };
  });
  expectRows(await templates.rowsOf('issues-by-month'), expected, {
    key: ['repository', 'month'],
    order: ['-month', 'repository'],
  });
});

it('counts issues by author and marks bots', async () => {
  const expected = [...groupBy(issues, authorOf)].map(([author, of]) => ({
    author,
    bot: ['renovate[bot]', 'helper'].includes(author),
    issues: of.length,
    open: inState(of, 'open'),
    closed: inState(of, 'closed'),
  }));
  expectRows(await templates.rowsOf('issues-by-author'), expected, {
    key: ['author'],
    order: ['-issues', 'author'],
  });
});
