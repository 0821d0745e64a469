import { FAULTS, RECORD_ODDITIES, type RecordOddity, startSandbox } from '@datadeck/test-sandbox';
import { githubConnector } from '../src/github/index.ts';
import type { ConformanceSubject, ScopeControl, StandIn } from './conformance/index.ts';
import { authorize } from './consent.ts';

type SandboxOptions = Parameters<typeof startSandbox>[0];
type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
export type GithubControl = Sandbox['control']['github'];

/** What a stand-in of an entity needs of the sandbox's GitHub. */
export interface GithubScene {
  control: GithubControl;
  /** Fetches JSON of the REST API. @param path below the API's address */
  ask<T>(path: string): Promise<T>;
}

/** How the records of an entity are listed and changed without its connector. */
export interface GithubRecords {
  /** Returns the ids of the records, in the connector's order. */
  listIds(): Promise<string[]>;
  changes?: ScopeControl;
  /** Prepares the records after a reset. */
  prepare?(): void;
  /** Adds an odd record. @returns its id */
  insertOddity?(name: RecordOddity): Promise<string>;
}

/** Five concurrent requests must fit the sandbox's scaled limit, including responses that are not yet closed. */
const METERED = { quotaScale: 0.1, quotaTimeScale: 20 };
const POINTS_PER_MINUTE = 90;

function starter(
  recordsOf: (scene: GithubScene) => GithubRecords,
  options: SandboxOptions,
  unitsPerMinute: number,
) {
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
      const response = await fetch(githubApiUrl + path, {
        headers: { authorization: `Bearer ${standIn.credentials.accessToken}`, 'user-agent': 'test' },
      });
      return (await response.json()) as T;
    };
    const { listIds, changes, prepare, insertOddity } = recordsOf({ control: control.github, ask });
    const standIn: StandIn = {
      connector,
      credentials,
      reset() {
        control.reset();
        control.github.setExpiringTokens(true);
        prepare?.();
      },
      close: () => sandbox.close(),
      listIds,
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
      ...(changes && { changes }),
      ...(insertOddity && { insertOddity: (name) => insertOddity(name as RecordOddity) }),
    };
    standIn.reset();
    return standIn;
  };
}

/** Faults of any API. */
const everywhere = FAULTS.filter((fault) => fault.apis.length === 5).map((fault) => fault.name);

/** What an entity of GitHub adds to the subject that all have. */
export interface GithubSubject
  extends Pick<ConformanceSubject, 'isIncremental' | 'settings' | 'sinceTimeOf' | 'oddities'> {
  entity: string;
  records(scene: GithubScene): GithubRecords;
  /** Faults of lists of REST, or of repositories, that the entity's requests can meet. */
  survives: readonly string[];
  /** Failures of a repository that the entity's requests can meet, beside those that all can. */
  endsIn: Readonly<Record<string, string>>;
}

/** Sorts records in GitHub's format by creation and id, the newest first. */
export function newestFirst<Item extends Record<string, unknown>>(records: readonly Item[]): Item[] {
  const created = ({ created_at }: Item) => String(created_at);
  return records.toSorted(
    (one, other) => created(other).localeCompare(created(one)) || Number(other.id) - Number(one.id),
  );
}

/** Faults of pages of REST. */
export const PAGE_FAULTS = ['empty-page-with-next', 'page-token-loop'];
/** Refuses two requests. One that is sent beside another may then be refused twice, which is a failure. */
export const REFUSED_TWICE = 'token-expired';
/** How a repository that is gone ends a run. */
export const GONE = { 'repo-deleted': 'not-found', 'repo-private': 'not-found' };
export { RECORD_ODDITIES };

/** Returns the conformance subject of an entity of the sandbox's GitHub. */
export function githubSubject({
  entity,
  records,
  survives,
  endsIn,
  ...own
}: GithubSubject): ConformanceSubject {
  return {
    ...own,
    name: entity,
    entity,
    start: starter(records, { quotaScale: 0 }, Number.POSITIVE_INFINITY),
    startMetered: starter(records, METERED, POINTS_PER_MINUTE),
    survives: [...everywhere, 'clock-skew', ...survives],
    waitsFor: [
      'github-primary-limit',
      'github-reset-in-past',
      'github-secondary-limit',
      'github-secondary-limit-429',
      'github-secondary-limit-bare',
    ],
    endsIn: {
      'github-secondary-limit': 'rate-limited',
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
      ...endsIn,
    },
  };
}
