import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

interface Repository {
  full_name: string;
  private: boolean;
  fork: boolean;
  archived: boolean;
  pushed_at: string;
  owner: { login: string; type: string };
}

let sandbox: StartedSandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.control.reset();
  token = (await authorizeGithub(sandbox)).access_token ?? '';
});

async function list(path: string, as = token) {
  const response = await ask(`${sandbox.urls().githubApiUrl}${path}`, as);
  const repositories = response.ok ? ((await response.json()) as Repository[]) : [];
  const { status, headers } = response;
  return { status, headers, repositories, names: repositories.map(({ full_name }) => full_name) };
}

const SAMPLE = ['ada-nowak/dotfiles', 'aurora-labs/harbor', 'aurora-labs/lantern', 'aurora-labs/vault'];

describe('lists of repositories', () => {
  it('lists what the caller owns and has access to, the last push first', async () => {
    expect((await list('/user/repos')).names).toEqual(SAMPLE);
    const narrow = (await authorizeGithub(sandbox, {}, 'public_repo')).access_token;
    expect((await list('/user/repos', narrow)).names).toEqual(SAMPLE.slice(0, 3));
    const jonas = (await authorizeGithub(sandbox, { account: 'jonas-weber' })).access_token;
    expect((await list('/user/repos', jonas)).names).toEqual(['aurora-labs/harbor']);
    sandbox.control.github.insertPull('aurora-labs/lantern');
    expect((await list('/user/repos?sort=pushed')).names[0]).toBe('aurora-labs/lantern');
  });

  it('lists public repositories of a user, and visible ones of an organisation', async () => {
    expect((await list('/users/Ada-Nowak/repos')).names).toEqual(['ada-nowak/dotfiles']);
    expect((await list('/users/jonas-weber/repos')).names).toEqual([]);
    expect((await list('/users/aurora-labs/repos')).names).toEqual(SAMPLE.slice(1, 3));
    expect((await list('/orgs/aurora-labs/repos')).names).toEqual(SAMPLE.slice(1));
    expect((await list('/users/nobody/repos')).status).toBe(404);
    expect((await list('/orgs/ada-nowak/repos')).status).toBe(404);
  });

  it('divides a list into pages, and answers a known page with 304 without using quota', async () => {
    const { github } = sandbox.control;
    const added = github.addRepositories({ owner: 'bench', count: 60, pulls: 200, members: ['ada-nowak'] });
    const first = await list('/user/repos?sort=pushed&per_page=50');
    const second = await list('/user/repos?sort=pushed&per_page=50&page=2');
    expect(first.headers.get('link')).toMatch(/\/user\/repos\?[^>]*page=2>; rel="next"/);
    expect([...first.names, ...second.names].sort()).toEqual([...SAMPLE, ...added].sort());
    const used = sandbox.control.counters().units['github ada-nowak'];
    const again = await ask(`${sandbox.urls().githubApiUrl}/user/repos?sort=pushed&per_page=50`, token, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(sandbox.control.counters().units['github ada-nowak']).toBe(used);
    const pulls = await list('/repos/bench/repo-60/pulls?state=all&per_page=100&page=2');
    expect(pulls.repositories).toHaveLength(100);
  });

  it('shows private, archived, forked, renamed and transferred repositories as such', async () => {
    const { github } = sandbox.control;
    github.addRepositories({
      owner: 'ada-nowak',
      count: 1,
      pulls: 1,
      members: [],
      prefix: 'fork',
      isFork: true,
    });
    github.archiveRepository('ada-nowak/dotfiles');
    github.setVisibility('aurora-labs/lantern', ['ada-nowak']);
    github.renameRepository('aurora-labs/vault', 'safe');
    github.transferRepository('aurora-labs/harbor', 'jonas-weber', 'User');
    const { repositories } = await list('/user/repos?sort=full_name');
    expect(
      repositories.map((each) => [each.full_name, each.private, each.fork, each.archived, each.owner.type]),
    ).toEqual([
      ['ada-nowak/dotfiles', false, false, true, 'User'],
      ['ada-nowak/fork-1', false, true, false, expect.any(String)],
      ['aurora-labs/lantern', true, false, false, 'Organization'],
      ['aurora-labs/safe', true, false, false, 'Organization'],
      ['jonas-weber/harbor', false, false, false, 'User'],
    ]);
    expect((await list('/repos/aurora-labs/harbor/pulls')).status).toBe(301);
    const [pull] = (await list('/repos/jonas-weber/harbor/pulls')).repositories as unknown as {
      base: { repo: Repository };
    }[];
    expect(pull?.base.repo).toMatchObject({
      full_name: 'jonas-weber/harbor',
      owner: { login: 'jonas-weber' },
    });
  });
});
