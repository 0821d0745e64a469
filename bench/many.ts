/**
 * `node bench/many.ts [repositories] [pull requests each] [--check]`: one source of 60 repositories with 200 pull requests each, read in
 * one run, at GitHub's real quota (900 points a minute) and 50 ms a request. Prints the first run beside the bound that is larger: that
 * of the quota, or that of the latency, a bare loop which fetches the same pages of one repository after another, the pages of each
 * at once. Then a run without changes, one after a change in three repositories, and the memory of the product by tenth.
 *
 * Goals (`--check`): the first run within 1.1 of its bound; the run after the changes at most 3 requests more than one for each repository;
 * memory after the last tenth at most 1.2 of that after the second one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sync, SyncScope } from '../packages/contract/src/index.ts';
import { readSync, SYNCS } from '../packages/server/test-support/syncing.ts';
import { residentMemory } from './memory-of.ts';
import { type Trial, withProduct } from './product.ts';

const numbers = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const [REPOSITORIES = 60, PULLS = 200] = numbers;
const IS_CHECK = process.argv.includes('--check');
const LATENCY_MS = 50;
const POINTS_PER_MINUTE = 900;
const GOALS = { ratio: 1.1, requests: REPOSITORIES + 3, memory: 1.2 } as const;
const OWNER = 'fleet';

/** Calls an action of the sandbox's control. */
async function act(sandbox: string, target: string, ...given: unknown[]): Promise<unknown> {
  const response = await fetch(`${sandbox}/control/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target, arguments: given }),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { result: unknown }).result;
}

/** Fetches the pages of each repository at once, one repository after another. @returns seconds */
async function bareLoop(apiUrl: string, token: string, names: readonly string[]): Promise<number> {
  const began = performance.now();
  const get = async (path: string) => {
    const response = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };
  const pages = Array.from({ length: Math.ceil(PULLS / 100) }, (_, index) => index + 1);
  for (const name of names) {
    // The number of pull requests is known from a first answer.
    await get(`/repos/${name}/pulls?state=all&sort=created&direction=desc&per_page=1`);
    await Promise.all(pages.map((page) => get(`/repos/${name}/pulls?state=all&per_page=100&page=${page}`)));
  }
  return (performance.now() - began) / 1000;
}

/** Starts a run of the source and waits for its end. @returns it, and the product's memory after each tenth of the scopes, MB */
async function run({ client, server }: Trial, scopes: readonly string[]) {
  const body = { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: {}, scopes };
  const { _id } = await client.post<Sync>(SYNCS, body);
  const samples: number[] = [];
  for (;;) {
    const sync = await readSync(client, _id);
    const { results } = await client.get<{ results: SyncScope[] }>(`${SYNCS}/${_id}/scopes`);
    const done = results.filter(({ status }) => status !== 'waiting').length;
    while (samples.length < Math.floor((10 * done) / REPOSITORIES)) samples.push(residentMemory(server.pid));
    if (sync.status !== 'started') return { sync, samples };
    await sleep(200);
  }
}

function report(name: string, { summary }: Sync): void {
  const { requests, units, timeElapsed, added, updated, entitiesSynced } = summary;
  const counts = `${entitiesSynced} records, ${added} added, ${updated} updated`;
  console.log(`${name.padEnd(22)} ${timeElapsed} s, ${requests} requests, ${units} units, ${counts}`);
}

const misses: string[] = [];

function expectAtMost(what: string, value: number, goal: number): void {
  const isMissed = value > goal;
  console.log(`${what}: ${value.toFixed(2)} (goal ${goal.toFixed(2)})${isMissed ? ', missed' : ''}`);
  if (isMissed) misses.push(what);
}

const settings = { GITHUB_POINTS_PER_MINUTE: String(POINTS_PER_MINUTE) };
await withProduct({ sandbox: ['--latency', String(LATENCY_MS)], settings }, async (trial) => {
  const { client, providers } = trial;
  const sandbox = new URL(providers.GITHUB_API_URL ?? '').origin;
  const order = { owner: OWNER, count: REPOSITORIES, pulls: PULLS, members: ['ada-nowak'] };
  const names = (await act(sandbox, 'github.addRepositories', order)) as string[];
  const token = (await act(sandbox, 'github.createToken', 'ada-nowak')) as string;
  await client.connect('github', 'ada-nowak');

  const first = await run(trial, names);
  report('first run', first.sync);
  const bare = await bareLoop(providers.GITHUB_API_URL ?? '', token, names);
  const { units = 0, timeElapsed = 0 } = first.sync.summary;
  const byQuota = Math.max(0, units - POINTS_PER_MINUTE) / (POINTS_PER_MINUTE / 60);
  console.log(`bound: latency (bare loop) ${bare.toFixed(2)} s, quota ${byQuota.toFixed(2)} s`);
  expectAtMost('first run / bound', timeElapsed / Math.max(bare, byQuota), GOALS.ratio);
  const [, second = 0] = first.samples;
  console.log(`memory by tenth, MB: ${first.samples.map((sample) => sample.toFixed(0)).join(' ')}`);
  expectAtMost('memory, last tenth / second', (first.samples.at(-1) ?? 0) / second, GOALS.memory);

  report('run without changes', (await run(trial, [])).sync);
  for (const name of names.slice(0, 3)) await act(sandbox, 'github.insertPull', name, { title: 'A change' });
  const changed = await run(trial, []);
  report('run after 3 changes', changed.sync);
  expectAtMost('requests after 3 changes', changed.sync.summary.requests ?? 0, GOALS.requests);
});
if (IS_CHECK && misses.length > 0) process.exit(1);
