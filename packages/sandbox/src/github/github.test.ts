import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { Octokit } from 'octokit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, authorizeGithub, CALLBACK, exchangeGithub, visitGithub } from '../../test-support/sign-in.ts';

const harbor = { owner: 'aurora-labs', repo: 'harbor' };
let sandbox: StartedSandbox;
let token: string;
let octokit: Octokit;

beforeAll(async () => {
  sandbox = await startSandbox({});
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

describe('GitHub OAuth', () => {
  it('answers errors with HTTP 200, as JSON or as a form', async () => {
    expect(await exchangeGithub(sandbox, { code: 'nope' })).toMatchObject({ error: 'bad_verification_code' });
    expect(await exchangeGithub(sandbox, { client_secret: 'nope' })).toMatchObject({
      error: 'incorrect_client_credentials',
    });

    const form = await fetch(`${sandbox.urls().githubUrl}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams(),
    });
    expect([form.status, new URLSearchParams(await form.text()).get('error')]).toEqual([
      200,
      'incorrect_client_credentials',
    ]);
  });

  it('reports denied consent and accepts a code once', async () => {
    const denied = await visitGithub(sandbox, { deny: true }, 'repo');
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the-state',
      iss: `${sandbox.urls().githubUrl}/login/oauth`,
    });
    const code = (await visitGithub(sandbox, {}, 'repo')).searchParams.get('code') ?? '';
    expect(await exchangeGithub(sandbox, { code })).toMatchObject({ token_type: 'bearer', scope: 'repo' });
    expect(await exchangeGithub(sandbox, { code })).toMatchObject({ error: 'bad_verification_code' });
  });

  it.each([
    ['mei-tanaka', 'mei-tanaka'],
    ['Jonas-Weber', 'jonas-weber'],
    ['nobody', 'ada-nowak'],
  ])('offers all accounts, even after a consent, and selects that of login=%s', async (login, selected) => {
    const query = { client_id: sandbox.clients.github.id, redirect_uri: CALLBACK, login };
    const search = new URLSearchParams({ ...query, prompt: 'select_account' });
    const page = await fetch(`${sandbox.urls().githubUrl}/login/oauth/authorize?${search}`);
    const choices = (await page.text()).match(/<label class="scope">[\s\S]*?<\/label>/g) ?? [];
    expect(choices).toHaveLength(3);
    expect(choices.filter((choice) => choice.includes(' checked'))).toEqual([
      expect.stringContaining(`>${selected}<`),
    ]);
  });

  it('rotates the refresh tokens of expiring tokens', async () => {
    sandbox.control.github.setExpiringTokens(true);
    const first = await authorizeGithub(sandbox);
    expect(first).toMatchObject({ expires_in: 28_800 });
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    const second = await exchangeGithub(sandbox, refresh);
    expect(second.access_token).toMatch(/^ghu_/);
    expect(await exchangeGithub(sandbox, refresh)).toMatchObject({ error: 'bad_refresh_token' });
  });

  it('revokes a grant on DELETE with the client credentials', async () => {
    const { id, secret } = sandbox.clients.github;
    const end = (password: string) =>
      fetch(`${sandbox.urls().githubApiUrl}/applications/${id}/grant`, {
        method: 'DELETE',
        headers: {
          authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ access_token: token }),
      });

    expect((await end('wrong')).status).toBe(404);
    expect((await end(secret)).status).toBe(204);
    expect((await end(secret)).status).toBe(422);
    await expect(octokit.rest.users.getAuthenticated()).rejects.toMatchObject({ status: 401 });
  });
});

describe('GitHub API with octokit', () => {
  it('returns the user of the token', async () => {
    expect((await octokit.rest.users.getAuthenticated()).data).toMatchObject({
      login: 'ada-nowak',
      type: 'User',
    });
    expect((await octokit.rest.users.listEmailsForAuthenticatedUser()).data[0]).toMatchObject({
      email: 'ada.nowak@sandbox.example',
      primary: true,
    });

    const other = await authorizeGithub(sandbox, { account: 'jonas-weber' });
    const user = await ask(`${sandbox.urls().githubApiUrl}/user`, '', {
      headers: { authorization: `token ${other.access_token}` },
    });
    expect(await user.json()).toMatchObject({ login: 'jonas-weber' });
    expect((await ask(`${sandbox.urls().githubApiUrl}/user`, 'nope')).status).toBe(401);
  });

  it('lists all pull requests by Link headers', async () => {
    const pulls = await octokit.paginate(octokit.rest.pulls.list, {
      ...harbor,
      state: 'all',
      per_page: 100,
      sort: 'created',
      direction: 'asc',
    });
    expect(pulls).toHaveLength(260);

    const numbers = pulls.map((pull) => pull.number);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    const withoutFork = pulls.filter((pull) => pull.head.repo === null).length / pulls.length;
    expect(withoutFork).toBeGreaterThan(0.06);
    expect(withoutFork).toBeLessThan(0.2);
    expect(new Set(pulls.map((pull) => pull.state))).toEqual(new Set(['open', 'closed']));
    expect(
      pulls.some((pull) => pull.draft) &&
        pulls.some((pull) => pull.merged_at) &&
        pulls.some((pull) => pull.body === null),
    ).toBe(true);
    expect(
      pulls.some((pull) => pull.body?.includes('\r\n')) && pulls.some((pull) => pull.requested_teams?.length),
    ).toBe(true);
  });

  it('has the defaults and limits of the real list', async () => {
    const open = await octokit.rest.pulls.list(harbor);
    expect(open.data.length).toBeLessThanOrEqual(30);
    expect(open.data.every((pull) => pull.state === 'open')).toBe(true);

    const many = await octokit.rest.pulls.list({ ...harbor, state: 'all', per_page: 1000, page: 2 });
    expect(many.data).toHaveLength(100);
    expect(many.headers.link).toMatch(/rel="prev".*rel="next".*rel="last".*rel="first"/);
    expect((await octokit.rest.pulls.list({ ...harbor, state: 'all', page: 99 })).data).toEqual([]);
    await expect(
      octokit.request('GET /repos/{owner}/{repo}/pulls', { ...harbor, state: 'odd' as 'open' }),
    ).rejects.toMatchObject({ status: 422 });

    const updated = await octokit.rest.pulls.list({
      ...harbor,
      state: 'all',
      sort: 'updated',
      direction: 'desc',
      per_page: 50,
    });
    const times = updated.data.map((pull) => pull.updated_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('answers conditional requests with 304 without using quota', async () => {
    const first = await octokit.rest.pulls.list({ ...harbor, per_page: 5 });
    const used = Number(first.headers['x-ratelimit-used']);
    const again = ask(`${sandbox.urls().githubApiUrl}/repos/aurora-labs/harbor/pulls?per_page=5`, token, {
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });
    expect((await again).status).toBe(304);
    expect(Number((await again).headers.get('x-ratelimit-used'))).toBe(used);

    const [number = 0] = sandbox.control.github.pullNumbers('aurora-labs/harbor').slice(-1);
    sandbox.control.github.changePull('aurora-labs/harbor', number, { title: 'New title', state: 'open' });
    const changed = await ask(
      `${sandbox.urls().githubApiUrl}/repos/aurora-labs/harbor/pulls?per_page=5`,
      token,
      { headers: { 'if-none-match': first.headers.etag ?? '' } },
    );
    expect(changed.status).toBe(200);
    expect(Number(changed.headers.get('x-ratelimit-used'))).toBe(used + 1);
    expect(
      (await octokit.rest.pulls.list({ ...harbor, state: 'all', sort: 'updated', direction: 'desc' })).data[0]
        ?.title,
    ).toBe('New title');

    const limit = await octokit.rest.rateLimit.get();
    expect(limit.data.resources.core).toMatchObject({ limit: 5000, used: used + 2 });
  });

  it('hides private repositories and redirects renamed ones', async () => {
    expect((await octokit.rest.repos.get({ owner: 'aurora-labs', repo: 'vault' })).data.private).toBe(true);
    const narrow = await authorizeGithub(sandbox, {}, 'public_repo');
    expect(
      (await ask(`${sandbox.urls().githubApiUrl}/repos/aurora-labs/vault`, narrow.access_token ?? '')).status,
    ).toBe(404);

    sandbox.control.github.renameRepository('aurora-labs/harbor', 'haven');
    const moved = await ask(
      `${sandbox.urls().githubApiUrl}/repos/aurora-labs/harbor/pulls?per_page=1`,
      token,
    );
    expect(moved.status).toBe(301);
    expect(moved.headers.get('location')).toMatch(/\/repositories\/615204871\/pulls\?per_page=1$/);
    expect((await octokit.rest.repos.get(harbor)).data.name).toBe('haven');

    sandbox.control.github.deleteRepository('aurora-labs/haven');
    expect((await ask(`${sandbox.urls().githubApiUrl}/repos/aurora-labs/haven`, token)).status).toBe(404);
  });

  it('refuses clients without a User-Agent header', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      request(`${sandbox.urls().githubApiUrl}/rate_limit`, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});
