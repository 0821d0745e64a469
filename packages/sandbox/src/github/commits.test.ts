import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

interface Commit {
  sha: string;
  commit: { author: { date: string; email: string }; committer: { date: string }; message: string };
  author: { login: string; type: string } | null;
  parents: { sha: string }[];
}

interface Comparison {
  status: string;
  ahead_by: number;
  behind_by: number;
  total_commits: number;
  commits: Commit[];
  files?: unknown[];
}

let sandbox: StartedSandbox;
let token: string;
let log: Commit[];

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  token = (await authorizeGithub(sandbox)).access_token ?? '';
  log = await readLog();
});
afterAll(() => sandbox.close());

const get = (path: string, as = token) => ask(`${sandbox.urls().githubApiUrl}/repos/${path}`, as);
const read = async <Body>(path: string) => (await (await get(path)).json()) as Body;

async function readLog(query = ''): Promise<Commit[]> {
  const commits: Commit[] = [];
  for (let page = 1, length = 100; length === 100; page++) {
    const next = await read<Commit[]>(`aurora-labs/harbor/commits?per_page=100&page=${page}${query}`);
    commits.push(...next);
    length = next.length;
  }
  return commits;
}

const compare = (base: Commit | undefined, head: Commit | undefined, query = '') =>
  read<Comparison>(`aurora-labs/harbor/compare/${base?.sha}...${head?.sha}${query}`);

describe('commits', () => {
  it('lists the default branch by time, with a merge commit and commits for merged pull requests', async () => {
    expect(log.length).toBeGreaterThan(500);
    expect(new Set(log.map(({ sha }) => sha)).size).toBe(log.length);
    const times = log.map(({ commit }) => commit.committer.date);
    const late = times.filter((time, index) => time > (times[index - 1] ?? time));
    expect(late.length).toBeLessThan(log.length / 50);
    const known = new Set(log.map(({ sha }) => sha));
    expect(log.every(({ parents }) => parents.every(({ sha }) => known.has(sha)))).toBe(true);
    expect(log.filter(({ parents }) => parents.length === 0)).toHaveLength(1);

    const pulls = await read<{ merged_at: string | null; merge_commit_sha: string; base: { ref: string } }[]>(
      'aurora-labs/harbor/pulls?state=closed&per_page=100',
    );
    const merged = pulls.filter(({ merged_at, base }) => merged_at !== null && base.ref === 'main');
    expect(merged.length).toBeGreaterThan(50);
    expect(merged.filter(({ merge_commit_sha }) => !known.has(merge_commit_sha))).toEqual([]);
  });

  it('has bots, and authors without an account', () => {
    expect(new Set(log.map(({ author }) => author?.type))).toEqual(new Set(['User', 'Bot', undefined]));
  });

  it('selects by time and by author, and begins at a commit', async () => {
    const [since, until] = [log[200]?.commit.committer.date ?? '', log[100]?.commit.committer.date ?? ''];
    const between = await readLog(`&since=${since}&until=${until}`);
    expect(between.map(({ sha }) => sha)).toEqual(
      log
        .filter(({ commit: { committer } }) => committer.date >= since && committer.date <= until)
        .map(({ sha }) => sha),
    );
    const mine = await readLog('&author=ada-nowak');
    expect(mine).toHaveLength(log.filter(({ author }) => author?.login === 'ada-nowak').length);
    const older = await readLog(`&sha=${log[50]?.sha}`);
    expect(older[0]?.sha).toBe(log[50]?.sha);
    expect(older.length).toBeLessThan(log.length - 49);
    expect((await get('aurora-labs/harbor/commits?sha=nothing')).status).toBe(404);
  });

  it('compares two commits by all that one has and the other has not', async () => {
    const ahead = await compare(log[300], log[0], '?per_page=100');
    expect(ahead).toMatchObject({ status: 'ahead', behind_by: 0, total_commits: ahead.ahead_by });
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((page) => compare(log[300], log[0], `?per_page=100&page=${page}`)),
    );
    const all = pages.flatMap(({ commits }) => commits.map(({ sha }) => sha));
    expect(all).toHaveLength(ahead.ahead_by);
    const old = new Set((await readLog(`&sha=${log[300]?.sha}`)).map(({ sha }) => sha));
    expect(new Set(all)).toEqual(new Set(log.map(({ sha }) => sha).filter((sha) => !old.has(sha))));
    expect([pages[0]?.files?.length, pages[1]?.files]).toEqual([300, undefined]);
    expect((await compare(log[300], log[0])).commits).toHaveLength(250);

    expect(await compare(log[0], log[300])).toMatchObject({ status: 'behind', ahead_by: 0, commits: [] });
    expect(await compare(log[7], log[7])).toMatchObject({ status: 'identical', total_commits: 0 });
    const merge = log.find(({ parents }) => parents.length === 2);
    const sides = merge?.parents.map(({ sha }) => log.find((each) => each.sha === sha));
    expect(await compare(sides?.[0], sides?.[1])).toMatchObject({ status: 'diverged' });
    expect((await get(`aurora-labs/harbor/compare/${'0'.repeat(40)}...main`)).status).toBe(404);
  });

  it('needs the permission for contents in private repositories', async () => {
    const without = sandbox.control.github.createToken('ada-nowak', { contents: false });
    for (const path of ['commits', 'compare/main...main', 'releases']) {
      const refused = await get(`aurora-labs/vault/${path}`, without);
      expect([refused.status, refused.headers.get('x-accepted-github-permissions')]).toEqual([
        403,
        'contents=read',
      ]);
      expect((await get(`aurora-labs/harbor/${path}`, without)).status).toBe(200);
      expect((await get(`aurora-labs/vault/${path}`)).status).toBe(200);
    }
  });
});
