import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

interface Run {
  id: number;
  name: string;
  head_sha: string;
  head_branch: string;
  event: string;
  status: string;
  conclusion: string | null;
  run_attempt: number;
  created_at: string;
  run_started_at: string;
  updated_at: string;
}

interface Release {
  tag_name: string;
  draft: boolean;
  prerelease: boolean;
  created_at: string;
  published_at: string | null;
  assets: { download_count: number }[];
}

let sandbox: StartedSandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  token = (await authorizeGithub(sandbox)).access_token ?? '';
});
afterAll(() => sandbox.close());

const get = (path: string, as = token) => ask(`${sandbox.urls().githubApiUrl}/repos/${path}`, as);

async function runs(query = ''): Promise<{ total: number; list: Run[] }> {
  const list: Run[] = [];
  for (let page = 1; ; page++) {
    const answer = await get(`aurora-labs/harbor/actions/runs?per_page=100&page=${page}${query}`);
    const body = (await answer.json()) as { total_count: number; workflow_runs: Run[] };
    list.push(...body.workflow_runs);
    if (!answer.headers.get('link')?.includes('rel="next"')) return { total: body.total_count, list };
  }
}

describe('workflow runs', () => {
  it('lists the runs of three workflows, the newest first', async () => {
    const { total, list } = await runs();
    expect(list).toHaveLength(total);
    expect(new Set(list.map(({ name }) => name))).toEqual(new Set(['CI', 'Integration tests', 'Nightly']));
    expect(new Set(list.map(({ event }) => event))).toEqual(new Set(['pull_request', 'push', 'schedule']));
    const times = list.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    for (const { created_at, run_started_at, updated_at } of list)
      expect(created_at <= run_started_at && run_started_at <= updated_at).toBe(true);
  });

  it('has runs that pass at a later attempt, or in a second run of the same commit', async () => {
    const { list } = await runs();
    const again = list.filter(({ run_attempt }) => run_attempt > 1);
    expect(again.length).toBeGreaterThan(10);
    expect(again.every((run) => run.run_started_at > run.created_at)).toBe(true);
    const flaky = Map.groupBy(list, ({ name, head_sha }) => `${name} ${head_sha}`)
      .values()
      .filter((group) =>
        ['failure', 'success'].every((each) => group.some((run) => run.conclusion === each)),
      );
    expect([...flaky].length).toBeGreaterThan(5);
  });

  it('filters by creation, status, branch and event, up to 1,000 results', async () => {
    const all = (await runs()).list;
    const failed = await runs('&status=failure');
    expect(failed.list).toEqual(all.filter(({ conclusion }) => conclusion === 'failure'));
    const pushed = await runs('&branch=main&event=push');
    expect(pushed.list).toEqual(all.filter((run) => run.event === 'push' && run.head_branch === 'main'));
    const day = all[100]?.created_at.slice(0, 10) ?? '';
    const recent = await runs(`&created=${encodeURIComponent(`>=${day}`)}`);
    expect(recent.list).toEqual(all.filter(({ created_at }) => created_at >= day));
    const range = `${all[300]?.created_at}..${all[100]?.created_at}`;
    const between = await runs(`&created=${encodeURIComponent(range)}`);
    expect(between.list[0]?.created_at).toBe(all[100]?.created_at);
    expect(between.list.at(-1)?.created_at).toBe(all[300]?.created_at);
    const capped = await runs('&created=*..2999-01-01');
    expect(all.length).toBeGreaterThan(1000);
    expect(capped.list).toEqual(all.slice(0, 1000));
    expect((await get('aurora-labs/harbor/actions/runs?created=soon')).status).toBe(422);
  });

  it('needs the permission for actions in private repositories', async () => {
    const without = sandbox.control.github.createToken('ada-nowak', { actions: false });
    const refused = await get('aurora-labs/vault/actions/runs', without);
    expect([refused.status, refused.headers.get('x-accepted-github-permissions')]).toEqual([
      403,
      'actions=read',
    ]);
    expect((await get('aurora-labs/harbor/actions/runs', without)).status).toBe(200);
  });
});

describe('releases', () => {
  const releases = async (as = token) =>
    (await (await get('aurora-labs/harbor/releases?per_page=100', as)).json()) as Release[];

  it('lists a release every few weeks, with candidates and downloads', async () => {
    const list = await releases();
    expect(list.length).toBeGreaterThan(12);
    expect(list.some(({ prerelease }) => prerelease)).toBe(true);
    expect(list.some(({ assets }) => assets.some((asset) => asset.download_count > 100))).toBe(true);
    const times = list.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('shows drafts to those who can push', async () => {
    const drafts = async (as: string) => (await releases(as)).filter(({ draft }) => draft).length;
    const jonas = await authorizeGithub(sandbox, { account: 'jonas-weber' });
    const mei = await authorizeGithub(sandbox, { account: 'mei-tanaka' }, 'read:user');
    expect(await drafts(token)).toBe(1);
    expect(await drafts(jonas.access_token ?? '')).toBe(1);
    expect(await drafts(mei.access_token ?? '')).toBe(0);
    expect(await drafts(sandbox.control.github.createToken('ada-nowak'))).toBe(0);
  });
});
