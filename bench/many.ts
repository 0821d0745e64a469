/**
 * `node bench/many.ts [repositories] [pull requests each] [--check]`: pull requests, issues, comments and reviews of 60 repositories with
 * 200 pull requests each, at GitHub's real quota (900 points a minute, those of GraphQL among them) and 50 ms a request. Prints the
 * first runs beside the bound that is larger: that of the quota, or that of the latency, bare loops which fetch the same pages of one
 * repository after another, the pages of each at once. Then runs without changes, runs after a new pull request in three repositories,
 * and the memory of the product by tenth.
 *
 * Goals (`--check`): the first runs within 1.1 of their bound; a run after the changes at most two requests for each changed repository
 * more than one for each list, those of reviews apart;
 * memory after the last tenth at most 1.2 of that after the second one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { REVIEWS_QUERY } from '../packages/connectors/src/github/reviews/query.ts';
import type { Sync, SyncScope } from '../packages/contract/src/index.ts';
import { readSync, SYNCS } from '../packages/server/test-support/syncing.ts';
import { residentMemory } from './memory-of.ts';
import { type Trial, withProduct } from './product.ts';

const numbers = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const [REPOSITORIES = 60, PULLS = 200] = numbers;
const IS_CHECK = process.argv.includes('--check');
const LATENCY_MS = 50;
const POINTS_PER_MINUTE = 900;
const GOALS = { ratio: 1.1, memory: 1.2 } as const;
const OWNER = 'fleet';
const ACCOUNTS = ['ada-nowak', 'jonas-weber'] as const;
/** Issues, comments and reviews of each repository. */
const RECORDS = { issues: 100, comments: 200, reviewComments: 200, reviews: 200 } as const;

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

/** A bare client of the sandbox's GitHub. */
class Bare {
  readonly #api: string;
  readonly #headers: Record<string, string>;

  constructor(api: string, token: string) {
    this.#api = api;
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  async #send(path: string, body?: object): Promise<Response> {
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(this.#api + path, { headers: this.#headers, ...post });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  }

  /** Counts a list by the number of its last page, then fetches its pages at once. */
  async list(path: string): Promise<void> {
    const at = (query: string) => `${path}?state=all&sort=created&${query}`;
    const first = await this.#send(at('direction=desc&per_page=1'));
    await first.arrayBuffer();
    const count = Number(/[?&]page=(\d+)[^>]*>; rel="last"/.exec(first.headers.get('link') ?? '')?.[1] ?? 1);
    const pages = Array.from({ length: Math.ceil(count / 100) }, (_, index) => index + 1);
    await Promise.all(
      pages.map(async (page) => (await this.#send(at(`direction=asc&per_page=100&page=${page}`))).json()),
    );
  }

  /** Fetches the pages of a query one after another, each of which names the next. */
  async reviews(name: string): Promise<void> {
    const [owner = '', repository = ''] = name.split('/');
    for (let after: string | null = null; ; ) {
      const variables = { owner, name: repository, first: 50, after, field: 'CREATED_AT' };
      const response = await this.#send('/graphql', { query: REVIEWS_QUERY, variables });
      const { data } = (await response.json()) as ReviewsAnswer;
      const { hasNextPage, endCursor } = data.repository.pullRequests.pageInfo;
      if (!hasNextPage) return;
      after = endCursor;
    }
  }

  async countIssues(name: string): Promise<void> {
    const [owner = '', repository = ''] = name.split('/');
    const query = `query { repository(owner: "${owner}", name: "${repository}") { issues(first: 1) { totalCount } } }`;
    await (await this.#send('/graphql', { query })).json();
  }
}

interface ReviewsAnswer {
  data: { repository: { pullRequests: { pageInfo: { hasNextPage: boolean; endCursor: string } } } };
}

/** The entities, and how a bare loop reads one repository of each. */
const ENTITIES: Readonly<Record<string, (bare: Bare, name: string) => Promise<unknown>>> = {
  'gh-pulls': (bare, name) => bare.list(`/repos/${name}/pulls`),
  'gh-issues': (bare, name) => Promise.all([bare.countIssues(name), bare.list(`/repos/${name}/issues`)]),
  'gh-comments': (bare, name) =>
    Promise.all([bare.list(`/repos/${name}/issues/comments`), bare.list(`/repos/${name}/pulls/comments`)]),
  'gh-reviews': (bare, name) => bare.reviews(name),
};

/** Reads one repository after another without the product. @returns seconds */
async function bareLoop(bare: Bare, entity: string, names: readonly string[]): Promise<number> {
  const began = performance.now();
  for (const name of names) await ENTITIES[entity]?.(bare, name);
  return (performance.now() - began) / 1000;
}

/** Starts a run of a source and waits for its end. @returns it, and the product's memory after each tenth of the scopes, MB */
async function run({ client, server }: Trial, entity: string, scopes: readonly string[]) {
  const body = { providerId: 'github', entityLabel: entity, entitySettings: {}, scopes };
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
  console.log(`${name.padEnd(24)} ${timeElapsed} s, ${requests} requests, ${units} units, ${counts}`);
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
  const api = providers.GITHUB_API_URL ?? '';
  const sandbox = new URL(api).origin;
  const order = { owner: OWNER, count: REPOSITORIES, pulls: PULLS, members: ACCOUNTS, records: RECORDS };
  const names = (await act(sandbox, 'github.addRepositories', order)) as string[];
  // The bare loops have a quota of their own.
  const bare = new Bare(api, (await act(sandbox, 'github.createToken', ACCOUNTS[1])) as string);
  await client.connect('github', 'ada-nowak');

  const total = { units: 0, seconds: 0, bare: 0 };
  const ids = Object.keys(ENTITIES);
  for (const entity of ids) {
    const { sync, samples } = await run(trial, entity, names);
    report(`${entity}, first run`, sync);
    const { units = 0, timeElapsed = 0 } = sync.summary;
    const seconds = await bareLoop(bare, entity, names);
    console.log(`${''.padEnd(24)} a bare loop ${seconds.toFixed(2)} s`);
    total.units += units;
    total.seconds += timeElapsed;
    total.bare += seconds;
    console.log(`memory by tenth, MB: ${samples.map((sample) => sample.toFixed(0)).join(' ')}`);
    expectAtMost('memory, last tenth / second', (samples.at(-1) ?? 0) / (samples[1] ?? 0), GOALS.memory);
  }
  // Between the runs, while the bare loops run, the quota recovers.
  const waits = Math.max(0, total.units - POINTS_PER_MINUTE) / (POINTS_PER_MINUTE / 60);
  const byQuota = Math.max(0, waits - total.bare);
  console.log(`bound: latency (bare loops) ${total.bare.toFixed(2)} s, quota ${byQuota.toFixed(2)} s`);
  expectAtMost('first runs / bound', total.seconds / Math.max(total.bare, byQuota), GOALS.ratio);

  for (const entity of ids) report(`${entity}, unchanged`, (await run(trial, entity, [])).sync);
  for (const name of names.slice(0, 3)) await act(sandbox, 'github.insertPull', name, { title: 'A change' });
  for (const entity of ids) {
    const changed = await run(trial, entity, []);
    report(`${entity}, 3 changes`, changed.sync);
    // Most generated pull requests share one time of update, so that reviews of all of them are read again.
    if (entity === 'gh-reviews') continue;
    const lists = entity === 'gh-comments' ? 2 : 1;
    const goal = lists * REPOSITORIES + 2 * 3;
    expectAtMost('requests after 3 changes', changed.sync.summary.requests ?? 0, goal);
  }
});
if (IS_CHECK && misses.length > 0) process.exit(1);
