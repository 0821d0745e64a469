import { FAULTS, PULL_ODDITIES, type PullOddity, startSandbox } from '@datadeck/test-sandbox';
import { describeConnector, type StandIn } from '../../test-support/conformance/index.ts';
import { authorize } from '../../test-support/consent.ts';
import { githubConnector } from './index.ts';

const REPOSITORY = 'aurora-labs/harbor';
/** Five concurrent requests must fit the sandbox's scaled limit, including responses that are not yet closed. */
const METERED = { quotaScale: 0.1, quotaTimeScale: 20 };
const POINTS_PER_MINUTE = 90;

type SandboxOptions = Parameters<typeof startSandbox>[0];

function starter(options: SandboxOptions, unitsPerMinute: number) {
  return async (): Promise<StandIn> => {
    const sandbox = await startSandbox(options);
    const { control } = sandbox;
    const { githubUrl, githubApiUrl } = sandbox.urls();
    control.github.setExpiringTokens(true);
    const connector = githubConnector({
      githubUrl,
      apiUrl: githubApiUrl,
      client: sandbox.clients.github,
      unitsPerMinute,
    });
    const { credentials } = await authorize(connector.authorization, { account: 'ada-nowak' });
    const ask = async <T>(path: string): Promise<T> => {
      const response = await fetch(`${githubApiUrl}/repos/${REPOSITORY}/pulls${path}`, {
        headers: { authorization: `Bearer ${standIn.credentials.accessToken}`, 'user-agent': 'test' },
      });
      return (await response.json()) as T;
    };
    const numbers = new Map<string, number>();
    const list = async () => {
      numbers.clear();
      for (let page = 1; ; page++) {
        const query = `state=all&sort=created&direction=desc&per_page=63&page=${page}`;
        const pulls = await ask<{ id: number; number: number }[]>(`?${query}`);
        for (const pull of pulls) numbers.set(String(pull.id), pull.number);
        if (pulls.length === 0) return [...numbers.keys()];
      }
    };
    const idOf = async (number: number) => String((await ask<{ id: number }>(`/${number}`)).id);
    const standIn: StandIn = {
      connector,
      credentials,
      reset() {
        control.reset();
        control.github.setExpiringTokens(true);
      },
      close: () => sandbox.close(),
      listIds: list,
      inject: ({ name, location, ...order }) => {
        const entry = FAULTS.find((fault) => fault.name === name);
        if (!entry) throw new Error(`no fault ${name}`);
        control.fault({
          ...order,
          name: entry.name,
          match: { api: 'github' },
          ...(location ? { options: { location } } : {}),
        });
      },
      expireTokens: () => control.github.expireAccessTokens(),
      mostInFlight: () => control.counters().mostInFlight.github ?? 0,
      spending() {
        const { units, statuses } = control.counters();
        const refused = (statuses['github 403'] ?? 0) + (statuses['github 429'] ?? 0);
        return { units: units['github ada-nowak'] ?? 0, refused };
      },
      changes: {
        insert: async () => idOf(control.github.insertPull(REPOSITORY)),
        update: (id) => control.github.changePull(REPOSITORY, numbers.get(id) ?? 0, { title: 'Changed' }),
      },
      insertOddity: (name) => idOf(control.github.insertOddity(REPOSITORY, name as PullOddity)),
    };
    standIn.reset();
    return standIn;
  };
}

const everywhere = FAULTS.filter((fault) => fault.apis.length === 5).map((fault) => fault.name);

describeConnector({
  name: 'gh-pulls',
  entity: 'gh-pulls',
  settings: { owner: 'aurora-labs', repo: 'harbor' },
  isIncremental: true,
  sinceTimeOf: ({ columns }) => Number(columns.updated_at),
  start: starter({ quotaScale: 0 }, Number.POSITIVE_INFINITY),
  startMetered: starter(METERED, POINTS_PER_MINUTE),
  survives: [
    ...everywhere,
    'token-expired',
    'clock-skew',
    'empty-page-with-next',
    'page-token-loop',
    'repo-renamed',
  ],
  waitsFor: [
    'github-primary-limit',
    'github-reset-in-past',
    'github-secondary-limit',
    'github-secondary-limit-429',
    'github-secondary-limit-bare',
  ],
  endsIn: {
    'github-secondary-limit': 'rate-limited',
    'insufficient-scope': 'forbidden',
    'sso-required': 'forbidden',
    'access-blocked': 'forbidden',
    'repo-deleted': 'not-found',
    'repo-private': 'not-found',
    'http-500': 'unavailable',
    'http-503': 'unavailable',
    'html-error-body': 'unavailable',
    'html-instead-of-json': 'unavailable',
    'connection-reset': 'unavailable',
    'truncated-json': 'unavailable',
    'empty-body': 'unavailable',
    'stalled-stream': 'unavailable',
    'broken-gzip': 'unavailable',
    'redirect-loop': 'malformed',
  },
  oddities: PULL_ODDITIES,
});
