import { readFileSync } from 'node:fs';
import { PullRepository } from '../github/pull-repository.ts';
import type { PullShape } from '../github/pull-shape.ts';
import { userId } from '../github/user-shape.ts';
import { filesUnder } from './read-mail-folder.ts';
import { isRecordedPull, RecordedPulls } from './recorded-pulls.ts';

const ALL_ID = 900_000_001;

/**
 * Reads the pull requests of a folder's JSON files as repositories: one per `base.repo.full_name`, and
 * `recorded/all-pulls` with all of them, served unchanged. Ignores files without an array of pull requests.
 */
export function readPullFiles(folder: string): PullRepository[] {
  const recorded = filesUnder(folder, '.json').flatMap(pullsOf);
  const pulls = distinct(recorded);
  if (pulls.length === 0) return [];
  const byName = Map.groupBy(recorded, repositoryName);
  const repositories = [...byName].flatMap(([name, group]) =>
    name === undefined ? [] : [recordedRepository(name, distinct(group))],
  );
  const all = new PullRepository(
    { id: ALL_ID, owner: 'recorded', name: 'all-pulls' },
    new RecordedPulls(pulls, 'recorded/all-pulls'),
  );
  return [...withDistinctIds(repositories), all];
}

function recordedRepository(fullName: string, pulls: PullShape[]): PullRepository {
  const [owner = '', name = ''] = fullName.split('/');
  const id = baseRepository(pulls[0])?.id;
  return new PullRepository(
    { id: typeof id === 'number' ? id : userId(fullName), owner, name },
    new RecordedPulls(pulls, fullName),
  );
}

/** Assigns a second id to a repository that was recorded under two names, so that both can be requested. */
function withDistinctIds(repositories: PullRepository[]): PullRepository[] {
  const taken = new Set<number>();
  return repositories.map((repository) => {
    const free = taken.has(repository.id) ? repository.withId(userId(repository.fullName)) : repository;
    taken.add(free.id);
    return free;
  });
}

function pullsOf(path: string): PullShape[] {
  const content = parseOrNothing(readFileSync(path, 'utf8'));
  return Array.isArray(content) ? content.filter(isRecordedPull) : [];
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps one recording of each pull request: the latest, and among equals the one with most fields. */
function distinct(pulls: readonly PullShape[]): PullShape[] {
  const best = new Map<unknown, PullShape>();
  for (const pull of pulls) {
    const known = best.get(pull.id);
    if (!known || isBetter(pull, known)) best.set(pull.id, pull);
  }
  return [...best.values()];
}

function isBetter(pull: PullShape, known: PullShape): boolean {
  const [one, other] = [String(pull.updated_at), String(known.updated_at)];
  return one === other ? Object.keys(pull).length > Object.keys(known).length : one > other;
}

function repositoryName(pull: PullShape): string | undefined {
  const name = baseRepository(pull)?.full_name;
  return typeof name === 'string' && /^[^/]+\/[^/]+$/.test(name) ? name : undefined;
}

function baseRepository(pull: PullShape | undefined): Record<string, unknown> | undefined {
  const base = pull?.base;
  if (typeof base !== 'object' || base === null || !('repo' in base)) return undefined;
  return typeof base.repo === 'object' && base.repo !== null ? { ...base.repo } : undefined;
}
