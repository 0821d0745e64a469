import { type OddKind, RECORD_ODDITIES, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, authorizeGithub } from '../../../sandbox/test-support/sign-in.ts';
import type { FaultName } from '../faults/fault-catalogue.ts';

type Fields = Record<string, unknown> & { id: number; number: number; updated_at: string };

const NAME = 'aurora-labs/harbor';
const LISTS = ['issues', 'issues/comments', 'pulls/comments', 'actions/runs', 'commits', 'releases'];
const KINDS: readonly OddKind[] = [
  'issue',
  'comment',
  'review-comment',
  'review',
  'run',
  'release',
  'commit',
];
let sandbox: StartedSandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  token = (await authorizeGithub(sandbox)).access_token ?? '';
});
afterAll(() => sandbox.close());
afterEach(() => sandbox.control.reset());

const get = (path: string) => ask(`${sandbox.urls().githubApiUrl}/repos/${NAME}/${path}`, token);
const newest = async (path: string) => {
  const body = (await (await get(path)).json()) as Fields[] | { workflow_runs: Fields[] };
  return (Array.isArray(body) ? body : body.workflow_runs) as Fields[];
};
const query = async (text: string) => {
  const answer = await ask(`${sandbox.urls().githubApiUrl}/graphql`, token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};
const reviewsOfNewest = `{ repository(owner: "aurora-labs", name: "harbor") { pullRequests(first: 1, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { number reviews(first: 100) { totalCount nodes { fullDatabaseId state body author { login } commit { oid } } } } } } }`;

describe('control of records', () => {
  it('inserts, closes, reopens and deletes issues', async () => {
    const { github } = sandbox.control;
    const number = github.insertIssue(NAME, { title: 'New', labels: [] });
    expect((await newest('issues'))[0]).toMatchObject({ number, title: 'New', state: 'open' });
    github.changeIssue(NAME, number, { state: 'closed' });
    expect(await (await get(`issues/${number}`)).json()).toMatchObject({
      state: 'closed',
      state_reason: 'completed',
      closed_at: expect.stringMatching(/Z$/),
    });
    expect((await newest('issues')).some((issue) => issue.number === number)).toBe(false);
    github.changeIssue(NAME, number, { state: 'open' });
    expect(await (await get(`issues/${number}`)).json()).toMatchObject({ state: 'open', closed_at: null });
    const next = github.insertPull(NAME);
    expect(next).toBe(number + 1);
    expect([github.deleteIssue(NAME, number), github.deleteIssue(NAME, number)]).toEqual([true, false]);
    expect((await get(`issues/${number}`)).status).toBe(404);
    expect(github.insertIssue(NAME)).toBe(next + 1);
  });

  it.each(['an issue', 'a pull request'])(
    'moves %s to the front by a comment, and counts it',
    async (what) => {
      const { github } = sandbox.control;
      const all = (await newest('issues?state=all&sort=updated&direction=asc&per_page=100')) as Fields[];
      const chosen = all.find((each) => (what === 'an issue') === !each.pull_request);
      const number = chosen?.number ?? 0;
      const id = github.insertComment(NAME, number, { body: 'Hello' });
      const front = async () => (await newest('issues?state=all&sort=updated'))[0];
      expect(await front()).toMatchObject({ number, comments: Number(chosen?.comments) + 1 });
      const query = 'issues/comments?sort=updated&direction=desc';
      expect((await newest(query))[0]).toMatchObject({ id, body: 'Hello' });
      github.changeComment(NAME, id, { body: 'Hello again' });
      expect((await newest(query))[0]).toMatchObject({ id, body: 'Hello again' });
      github.deleteComment(NAME, id);
      expect((await newest(query)).some((comment) => comment.id === id)).toBe(false);
      expect(await front()).toMatchObject({ number, comments: chosen?.comments });
    },
  );

  it('inserts reviews and comments on lines, and moves the pull request to the front', async () => {
    const { github } = sandbox.control;
    const [number = 0] = github.pullNumbers(NAME);
    for (let count = 0; count < 60; count++) github.insertReview(NAME, number, { state: 'COMMENTED' });
    const comment = github.insertReviewComment(NAME, number, { body: 'On a line' });
    const answer = github.insertReviewComment(NAME, number, { in_reply_to_id: comment });
    const [latest, first] = await newest('pulls/comments?sort=created&direction=desc');
    expect(latest).toMatchObject({ id: answer, in_reply_to_id: comment });
    expect(first).toMatchObject({ id: comment, body: 'On a line' });
    const pull = (await query(reviewsOfNewest)).body.data.repository.pullRequests.nodes[0];
    expect(pull.number).toBe(number);
    expect(pull.reviews.totalCount).toBeGreaterThanOrEqual(62);
    const last = pull.reviews.nodes.at(-1);
    expect(last.fullDatabaseId).toBe(String(latest?.pull_request_review_id));
    github.changeReview(NAME, Number(last.fullDatabaseId), { state: 'DISMISSED' });
    github.deleteReview(NAME, Number(pull.reviews.nodes[0].fullDatabaseId));
    const changed = (await query(reviewsOfNewest)).body.data.repository.pullRequests.nodes[0].reviews;
    expect([changed.totalCount, changed.nodes.at(-1).state]).toEqual([
      pull.reviews.totalCount - 1,
      'DISMISSED',
    ]);
  });

  it('shows a pending review to its author alone', async () => {
    const { github } = sandbox.control;
    const [number = 0] = github.pullNumbers(NAME);
    const author = { user: { login: 'jonas-weber' } };
    github.insertReview(NAME, number, { ...author, state: 'PENDING', body: 'Not sent yet' });
    expect(JSON.stringify((await query(reviewsOfNewest)).body)).not.toContain('Not sent yet');
  });

  it('starts, ends and repeats runs', async () => {
    const { github } = sandbox.control;
    const id = github.insertRun(NAME, { status: 'in_progress', conclusion: null });
    expect((await newest('actions/runs?status=in_progress'))[0]).toMatchObject({ id, conclusion: null });
    github.finishRun(NAME, id, 'failure');
    expect((await newest('actions/runs'))[0]).toMatchObject({
      id,
      status: 'completed',
      conclusion: 'failure',
    });
    github.rerun(NAME, id);
    const again = (await newest('actions/runs'))[0];
    expect(again).toMatchObject({ id, run_attempt: 2, status: 'in_progress', conclusion: null });
    github.finishRun(NAME, id);
    expect((await newest('actions/runs?status=success'))[0]).toMatchObject({ id, run_attempt: 2 });
    github.deleteRun(NAME, id);
    expect((await newest('actions/runs')).some((run) => run.id === id)).toBe(false);
  });

  it('pushes, merges an old branch and rewrites the history', async () => {
    const { github } = sandbox.control;
    const [before = ''] = github.commits(NAME);
    const pushed = github.pushCommits(NAME, 2);
    const compare = async (base: string) => (await get(`compare/${base}...main`)).json();
    expect(await compare(before)).toMatchObject({ status: 'ahead', ahead_by: 2 });
    const merged = github.mergeOldBranch(NAME, { commits: 3, days: 20 });
    const log = github.commits(NAME);
    expect(log[0]).toBe(merged.at(-1));
    expect(log.indexOf(merged[0] ?? '')).toBeGreaterThan(10);
    const body = (await compare(pushed[1] ?? '')) as { commits: { sha: string }[] };
    expect(body).toMatchObject({ status: 'ahead', ahead_by: 4, behind_by: 0 });
    expect(new Set(body.commits.map(({ sha }) => sha))).toEqual(new Set(merged));
    github.forcePush(NAME, { dropped: 2, added: 1 });
    expect(await compare(merged.at(-1) ?? '')).toMatchObject({
      status: 'diverged',
      ahead_by: 1,
      behind_by: 5,
    });
  });

  it('publishes, changes and deletes releases', async () => {
    const { github } = sandbox.control;
    const id = github.publishRelease(NAME, { draft: true });
    expect((await newest('releases'))[0]).toMatchObject({ id, draft: true, published_at: null });
    github.changeRelease(NAME, id, { draft: false, published_at: '2026-01-01T00:00:00Z' });
    expect((await newest('releases'))[0]).toMatchObject({ id, draft: false });
    github.deleteRelease(NAME, id);
    expect((await newest('releases'))[0]?.id).not.toBe(id);
  });

  it.each(KINDS.flatMap((kind) => RECORD_ODDITIES.map((oddity) => [kind, oddity] as const)))(
    'inserts an odd %s: %s',
    async (kind, oddity) => {
      sandbox.control.github.insertOddRecord(NAME, kind, oddity);
      const statuses = await Promise.all(LISTS.map(async (path) => (await get(path)).status));
      expect(new Set(statuses)).toEqual(new Set([200]));
      const { body } = await query(reviewsOfNewest);
      expect(body.errors).toBeUndefined();
    },
  );

  it('sends what makes a record odd', async () => {
    const { github } = sandbox.control;
    github.insertOddRecord(NAME, 'issue', 'null-author');
    expect((await newest('issues'))[0]).toMatchObject({ user: null });
    github.insertOddRecord(NAME, 'comment', 'nul-text');
    expect((await newest('issues/comments?sort=created&direction=desc'))[0]?.body).toBe('before\0after');
    github.insertOddRecord(NAME, 'run', 'unknown-state');
    expect((await newest('actions/runs'))[0]).toMatchObject({ conclusion: 'somewhere' });
    github.insertOddRecord(NAME, 'review', 'unknown-state');
    expect(JSON.stringify((await query(reviewsOfNewest)).body)).toContain('"state":"somewhere"');
    github.insertOddRecord(NAME, 'commit', 'huge-text');
    expect((await newest('commits'))[0]).toMatchObject({
      commit: { message: expect.stringMatching(/^(All of the log\.\r\n){3900}$/) },
    });
    github.insertOddRecord(NAME, 'release', 'missing-fields');
    expect((await newest('releases'))[0]).not.toHaveProperty('body');
  });
});

describe('faults of the lists of records', () => {
  it.each(LISTS)('empties a page of %s, repeats its link and adds a field', async (path) => {
    const list = (page: number) => get(`${path}?per_page=3&page=${page}`);
    sandbox.control.fault({ name: 'empty-page-with-next', match: { api: 'github' } });
    const empty = await list(1);
    expect(empty.headers.get('link')).toContain('rel="next"');
    expect(JSON.stringify(await empty.json())).toMatch(/\[\]\}?$/);
    sandbox.control.fault({ name: 'page-token-loop', match: { api: 'github' } });
    expect((await list(2)).headers.get('link')).toMatch(/[?&]page=2>; rel="next"/);
    sandbox.control.fault({ name: 'unknown-field', match: { api: 'github' } });
    expect(await (await list(1)).text()).toContain('merge_forecast');
  });

  it.each(LISTS)('changes %s between two pages', async (path) => {
    const ids = async () => {
      const query = path.endsWith('comments') ? '?sort=created&direction=desc' : '?state=all';
      return (await newest(`${path}${query}`)).map((record) => record.id ?? record.sha);
    };
    const before = await ids();
    const change = async (name: FaultName, count: number) => {
      sandbox.control.fault({ name, match: { api: 'github' }, options: { count } });
      return ids();
    };
    const inserted = await change('insert-between-pages', 2);
    expect(inserted.slice(2, 6)).toEqual(before.slice(0, 4));
    const deleted = await change('delete-between-pages', 3);
    expect(deleted.filter((id) => inserted.slice(0, 2).includes(id))).toEqual([]);
    expect(deleted.length).toBeGreaterThan(3);
    await change('update-between-pages', 1);
  });

  it('refuses queries of GraphQL as GitHub does', async () => {
    const { control } = sandbox;
    control.fault({ name: 'github-primary-limit', match: { path: /graphql/ }, options: { seconds: 30 } });
    const limited = await query('{ viewer { login } }');
    expect([limited.status, limited.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    expect(limited.body).toMatchObject({ errors: [{ type: 'RATE_LIMITED' }] });
    control.fault({ name: 'sso-required', match: { path: /graphql/ } });
    expect((await query('{ viewer { login } }')).body).toMatchObject({
      data: { repository: null },
      errors: [{ type: 'FORBIDDEN', extensions: { saml_failure: true } }],
    });
    control.fault({ name: 'github-secondary-limit', match: { path: /graphql/ } });
    expect((await query('{ viewer { login } }')).status).toBe(403);
    control.github.failQueries('something-wrong');
    const failed = await query('{ viewer { login } }');
    expect([failed.status, failed.body.data]).toEqual([200, null]);
    expect(failed.body.errors[0].message).toMatch(/^Something went wrong while executing your query/);
    control.github.failQueries('rate-limit-code');
    expect((await query('{ viewer { login } }')).body.errors[0].code).toBe('graphql_rate_limit');
    expect((await query('{ viewer { login } }')).body.errors).toBeUndefined();
  });
});
