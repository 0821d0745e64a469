import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { Octokit } from 'octokit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

const harbor = { owner: 'aurora-labs', repo: 'harbor' };
let sandbox: StartedSandbox;
let token: string;
let octokit: Octokit;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.control.reset();
  token = (await authorizeGithub(sandbox)).access_token ?? '';
  octokit = new Octokit({
    auth: token,
    baseUrl: sandbox.urls().githubApiUrl,
    retry: { enabled: false },
    throttle: { enabled: false },
  });
});

const get = (path: string, as = token, headers = {}) =>
  ask(`${sandbox.urls().githubApiUrl}${path}`, as, { headers });

describe('issues', () => {
  it('lists issues and all pull requests, each number once', async () => {
    const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...harbor,
      state: 'all',
      per_page: 100,
    });
    const pulls = issues.filter((issue) => issue.pull_request);
    expect(pulls).toHaveLength(260);
    expect(issues.length - pulls.length).toBeGreaterThan(90);
    expect(new Set(issues.map(({ number }) => number)).size).toBe(issues.length);
    expect(new Set(issues.map(({ id }) => id)).size).toBe(issues.length);
    const times = issues.map((issue) => Date.parse(issue.created_at));
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(new Set(issues.map((issue) => issue.state_reason))).toEqual(
      new Set(['completed', 'not_planned', 'duplicate', 'reopened', null]),
    );
  });

  it('has the defaults of the real list, and filters by state, labels, people and milestone', async () => {
    const open = await octokit.rest.issues.listForRepo(harbor);
    expect(open.data).toHaveLength(30);
    expect(open.data.every(({ state }) => state === 'open')).toBe(true);
    const bugs = await octokit.rest.issues.listForRepo({
      ...harbor,
      state: 'all',
      labels: 'Bug,performance',
    });
    expect(bugs.data.length).toBeGreaterThan(0);
    for (const { labels } of bugs.data)
      expect(labels.map((label) => (typeof label === 'string' ? label : label.name))).toEqual(
        expect.arrayContaining(['bug', 'performance']),
      );
    const mine = await octokit.rest.issues.listForRepo({ ...harbor, state: 'all', creator: 'ada-nowak' });
    expect(new Set(mine.data.map(({ user }) => user?.login))).toEqual(new Set(['ada-nowak']));
    const planned = await octokit.rest.issues.listForRepo({ ...harbor, state: 'all', milestone: '6' });
    expect(new Set(planned.data.map(({ milestone }) => milestone?.number))).toEqual(new Set([6]));
    const free = await octokit.rest.issues.listForRepo({ ...harbor, assignee: 'none' });
    expect(free.data.flatMap(({ assignees }) => assignees ?? [])).toEqual([]);
    expect((await get('/repos/aurora-labs/harbor/issues?state=odd')).status).toBe(422);
  });

  it('lists what changed since a time, the latest first', async () => {
    const query = { ...harbor, state: 'all', sort: 'updated', direction: 'desc', per_page: 100 } as const;
    const newest = (await octokit.rest.issues.listForRepo(query)).data.map((issue) => issue.updated_at);
    const since = newest[40] ?? '';
    const changed = await octokit.rest.issues.listForRepo({ ...query, since });
    expect(changed.data.map((issue) => issue.updated_at)).toEqual(newest.filter((time) => time >= since));
    expect((await get('/repos/aurora-labs/harbor/issues?since=soon')).status).toBe(422);
  });

  it('returns an issue and a pull request by number, also below the id of the repository', async () => {
    const { data } = await octokit.rest.issues.listForRepo({ ...harbor, state: 'all', per_page: 100 });
    const issue = data.find((each) => !each.pull_request);
    const pull = data.find((each) => each.pull_request);
    for (const each of [issue, pull]) {
      const single = await octokit.rest.issues.get({ ...harbor, issue_number: each?.number ?? 0 });
      expect(single.data).toEqual(each);
    }
    expect(await (await get(`/repositories/615204871/issues/${issue?.number}`)).json()).toEqual(issue);
    expect((await get('/repos/aurora-labs/harbor/issues/99999')).status).toBe(404);
    expect((await get(`/repos/aurora-labs/harbor/pulls/${issue?.number}`)).status).toBe(404);
  });

  it('answers a known page with 304', async () => {
    const first = await get('/repos/aurora-labs/harbor/issues?state=all');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/repos/aurora-labs/harbor/issues?state=all', token, { 'if-none-match': etag });
    expect([first.status, again.status]).toEqual([200, 304]);
    sandbox.control.github.insertPull('aurora-labs/harbor');
    const changed = await get('/repos/aurora-labs/harbor/issues?state=all', token, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
  });
});

describe('comments', () => {
  it('counts as many in conversations and on lines as pull requests and issues say', async () => {
    const comments = await octokit.paginate(octokit.rest.issues.listCommentsForRepo, {
      ...harbor,
      per_page: 100,
    });
    const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...harbor,
      state: 'all',
      per_page: 100,
    });
    const counted = Map.groupBy(comments, (comment) => Number(comment.issue_url.split('/').pop()));
    for (const { number, comments: count, created_at, updated_at } of issues) {
      const own = counted.get(number) ?? [];
      expect([number, own.length]).toEqual([number, count]);
      for (const comment of own) {
        expect(comment.created_at >= created_at).toBe(true);
        expect(comment.updated_at <= updated_at).toBe(true);
      }
    }
    const bots = comments.filter(({ user }) => user?.type === 'Bot');
    expect(new Set(bots.map(({ user }) => user?.login))).toContain('github-actions[bot]');

    const lines = await octokit.paginate(octokit.rest.pulls.listReviewCommentsForRepo, {
      ...harbor,
      per_page: 100,
    });
    const pull = lines[0]?.pull_request_url.split('/').pop();
    const single = await octokit.rest.pulls.get({ ...harbor, pull_number: Number(pull) });
    expect(lines.filter(({ pull_request_url }) => pull_request_url.endsWith(`/${pull}`))).toHaveLength(
      single.data.review_comments,
    );
  });

  it('has threads whose answers follow the first comment on the same line', async () => {
    const lines = await octokit.paginate(octokit.rest.pulls.listReviewCommentsForRepo, {
      ...harbor,
      per_page: 100,
    });
    const byId = new Map(lines.map((line) => [line.id, line]));
    const answers = lines.filter((line) => line.in_reply_to_id !== undefined);
    expect(answers.length).toBeGreaterThan(100);
    for (const answer of answers) {
      const first = byId.get(answer.in_reply_to_id ?? 0);
      expect(first).toMatchObject({ path: answer.path, original_line: answer.original_line });
      expect((first?.created_at ?? '') <= answer.created_at).toBe(true);
    }
    expect(lines.some((line) => line.line === null)).toBe(true);
  });

  it.each(['issues', 'pulls'])(
    'lists comments of %s by creation, or what changed since a time',
    async (kind) => {
      const list = async (query: string) => {
        const answer = await get(`/repos/aurora-labs/harbor/${kind}/comments?per_page=100${query}`);
        return (await answer.json()) as { created_at: string; updated_at: string }[];
      };
      const created = (await list('')).map((comment) => comment.created_at);
      expect(created).toEqual([...created].sort());
      const newest = (await list('&sort=updated&direction=desc')).map((comment) => comment.updated_at);
      expect(newest).toEqual([...newest].sort().reverse());
      const since = newest[20] ?? '';
      const changed = (await list(`&sort=updated&direction=desc&since=${since}`)).map(
        (each) => each.updated_at,
      );
      expect(changed).toEqual(newest.filter((time) => time >= since));
    },
  );
});

describe('permissions of fine-grained tokens', () => {
  it.each([
    ['issues', { issues: false }, 'issues=read'],
    ['issues/comments', { issues: false, pullRequests: false }, 'issues=read; pull_requests=read'],
    ['pulls/comments', { pullRequests: false }, 'pull_requests=read'],
    ['pulls', { pullRequests: false }, 'pull_requests=read'],
  ])('refuses %s of a private repository without the permission', async (path, missing, accepted) => {
    const { github } = sandbox.control;
    const refused = await get(`/repos/aurora-labs/vault/${path}`, github.createToken('ada-nowak', missing));
    expect([refused.status, refused.headers.get('x-accepted-github-permissions')]).toEqual([403, accepted]);
    expect(await refused.json()).toMatchObject({
      message: 'Resource not accessible by personal access token',
    });
    const other = await get(`/repos/aurora-labs/harbor/${path}`, github.createToken('ada-nowak', missing));
    expect(other.status).toBe(200);
    const admitted = await get(`/repos/aurora-labs/vault/${path}`, github.createToken('ada-nowak'));
    expect(admitted.status).toBe(200);
  });

  it('hides a private repository from an OAuth token without the scope `repo`', async () => {
    const narrow = (await authorizeGithub(sandbox, {}, 'public_repo')).access_token ?? '';
    expect((await get('/repos/aurora-labs/vault/issues', narrow)).status).toBe(404);
    expect((await get('/repos/aurora-labs/vault/issues')).status).toBe(200);
  });
});
