import type { PastSync } from '../../features/sync/index.ts';
import type { SampleRecords } from './sample-records.ts';

const HOUR = 3_600_000;

/** One sync of the history. */
type HistoryLine = {
  /** When it ended, in hours before now. */
  hoursAgo: number;
  entity: 'labels' | 'messages' | 'pulls' | 'runs';
  /** Number of records after it. */
  records: number;
  /** Duration. */
  seconds: number;
  /** Error message of a failed sync. */
  failure?: string;
  /** A misspelled repository name that the user entered; absent if it was correct. */
  typedRepository?: string;
};

const HISTORY: readonly HistoryLine[] = [
  { hoursAgo: 600, entity: 'labels', records: 11, seconds: 0.8 },
  { hoursAgo: 599, entity: 'messages', records: 164, seconds: 41.3 },
  { hoursAgo: 574, entity: 'pulls', records: 118, seconds: 2.1 },
  {
    hoursAgo: 430,
    entity: 'messages',
    records: 0,
    seconds: 3.4,
    failure: 'Gmail could not be reached (ECONNRESET). Try again later.',
  },
  { hoursAgo: 429, entity: 'messages', records: 189, seconds: 6.2 },
  { hoursAgo: 300, entity: 'pulls', records: 131, seconds: 1.4 },
  { hoursAgo: 221, entity: 'labels', records: 12, seconds: 0.9 },
  {
    hoursAgo: 172,
    entity: 'pulls',
    records: 0,
    seconds: 0.6,
    failure:
      'aurora-labs/harbour: The repository does not exist, or the connected account cannot see it. Check owner and name.',
    typedRepository: 'habor',
  },
  { hoursAgo: 171, entity: 'pulls', records: 145, seconds: 1.5 },
  { hoursAgo: 96, entity: 'messages', records: 217, seconds: 7.8 },
  { hoursAgo: 50, entity: 'labels', records: 12, seconds: 0.7 },
  { hoursAgo: 49, entity: 'runs', records: 150, seconds: 1.3 },
  { hoursAgo: 26, entity: 'messages', records: 240, seconds: 8.1 },
  { hoursAgo: 25, entity: 'pulls', records: 160, seconds: 1.7 },
];

type Connections = { google: string; github: string };

/** Returns the scope of a repository. */
function repositoryScope(owner: string, repo: string) {
  return { settings: { owner, repo }, scope: `${owner}/${repo}`.toLowerCase() };
}

/** Returns the synced part of each entity. */
function sourcesOf({ repository }: SampleRecords, connections: Connections) {
  const github = {
    provider: 'github',
    connectionId: connections.github,
    ...repositoryScope(repository.owner, repository.repo),
  };
  const google = { provider: 'google', connectionId: connections.google };
  return {
    labels: { ...google, entity: 'gmail-labels', settings: {}, scope: 'mailbox' },
    messages: { ...google, entity: 'gmail-messages', settings: { labelIds: 'INBOX' }, scope: 'INBOX' },
    pulls: { ...github, entity: 'gh-pulls' },
    runs: { ...github, entity: 'gh-runs' },
  };
}

/** Builds a plausible history: successful syncs and two failed ones. */
export function sampleHistory(sample: SampleRecords, connections: Connections, now: Date): PastSync[] {
  const sources = sourcesOf(sample, connections);
  const before = { labels: 0, messages: 0, pulls: 0, runs: 0 };
  return HISTORY.map((line) => {
    const { entity, records, seconds, failure, typedRepository } = line;
    const source = sources[entity];
    const endedAt = new Date(now.getTime() - line.hoursAgo * HOUR);
    if (failure !== undefined) {
      const typed =
        typedRepository === undefined ? {} : repositoryScope(sample.repository.owner, typedRepository);
      const summary = { errMessage: failure, timeElapsed: seconds };
      return { ...source, ...typed, status: 'failed', endedAt, summary };
    }
    const unchanged = before[entity];
    before[entity] = records;
    const counts = { added: records - unchanged, updated: 0, removed: 0, unchanged };
    const summary = { entitiesSynced: records, timeElapsed: seconds, ...counts };
    return { ...source, status: 'finished', endedAt, summary };
  });
}
