import { hash } from 'node:crypto';
import type { PullFacts } from '../../github/pull-facts.ts';
import type { RunFacts, WorkflowFacts } from '../../github/record-facts.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { PullProject } from './pull-project.ts';
import { mergeSha } from './sample-history.ts';
import { headSha, idBase, isBot, wholeSeconds } from './sample-people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NIGHTS = 60;

/** The workflows of a sample repository, with the minutes that they take. */
const WORKFLOWS = [
  { name: 'CI', path: '.github/workflows/ci.yml', minutes: [4, 12] },
  { name: 'Integration tests', path: '.github/workflows/integration.yml', minutes: [15, 40] },
  { name: 'Nightly', path: '.github/workflows/nightly.yml', minutes: [50, 90] },
] as const;

type Kind = 0 | 1 | 2;

/** A run before its result is known. */
interface Start {
  workflow: Kind;
  at: number;
  event: string;
  branch: string;
  sha: string;
  title: string;
  actor: string;
  pull: RunFacts['pull'];
  key: string;
}

/**
 * Generates the runs for commits of pull requests, for merges and for the last nights. Some fail; a part of these pass at the
 * second attempt, or in a second run of the same commit.
 */
export function sampleRuns(project: PullProject, pulls: readonly PullFacts[], anchor: number): RunFacts[] {
  const starts = [
    ...pulls.flatMap((pull) => [...pullStarts(project, pull), ...mergeStarts(project, pull)]),
    ...nightStarts(project, pulls, anchor),
  ].sort((one, other) => one.at - other.at || one.workflow - other.workflow);
  const numbers = [0, 0, 0];
  const runs: RunFacts[] = [];
  for (const start of starts) {
    const random = new SeededRandom(`${project.repository.name}/run/${start.key}`);
    const add = (result: Result) => {
      const runNumber = (numbers[start.workflow] ?? 0) + 1;
      numbers[start.workflow] = runNumber;
      runs.push(
        runOf(project, { ...start, runNumber, id: idBase(project.repository.id) + runs.length + 1 }, result),
      );
    };
    for (const result of resultsOf(random, start, anchor)) add(result);
  }
  return runs;
}

/** Returns a pull request's runs: for its first commit when it is opened, and for its last one. */
function pullStarts(project: PullProject, pull: PullFacts): Start[] {
  const { number, createdAt, updatedAt, closedAt, headRef, title, size } = pull;
  const { id, owner } = project.repository;
  const random = new SeededRandom(`${project.repository.name}/runs/${number}`);
  const isInside = pull.headRepo === 'base';
  const last = Math.max(createdAt, (closedAt ?? updatedAt) - random.between(20, 200) * MINUTE);
  const actor = pull.author === null || pull.author === 'ghost' ? owner : pull.author;
  const baseSha = hash('sha1', `${id}/base/${createdAt}`);
  const pullId = (id % 9_000) * 1_000_000 + 100_000_000 + number;
  const at = (time: number, sha: string, key: string): Start[] =>
    ([0, 1] as const).map((workflow) => ({
      workflow,
      at: wholeSeconds(time + 4000),
      event: 'pull_request',
      branch: headRef,
      sha,
      title,
      actor,
      pull: isInside ? { number, id: pullId, baseRef: pull.baseRef, baseSha } : null,
      key: `${number}/${key}/${workflow}`,
    }));
  const first = hash('sha1', `${id}/commit/${number}/0`);
  return [
    ...(size.commits > 1 ? at(createdAt, first, 'first') : []),
    ...at(last, headSha(project, pull), 'last'),
  ];
}

function mergeStarts(project: PullProject, pull: PullFacts): Start[] {
  const { mergedAt, baseRef, number, title } = pull;
  if (mergedAt === null) return [];
  return [
    {
      workflow: 0,
      at: mergedAt + 3000,
      event: 'push',
      branch: baseRef,
      sha: mergeSha(project, pull),
      title: isBot(pull.author ?? '') ? `${title} (#${number})` : `Merge pull request #${number}`,
      actor: pull.mergedBy ?? project.repository.owner,
      pull: null,
      key: `${number}/merge`,
    },
  ];
}

function nightStarts(project: PullProject, pulls: readonly PullFacts[], anchor: number): Start[] {
  const merged = pulls
    .filter(({ mergedAt, baseRef }) => mergedAt !== null && baseRef === 'main')
    .sort((one, other) => (one.mergedAt ?? 0) - (other.mergedAt ?? 0));
  const [actor = 'ada-nowak'] = project.members;
  return Array.from({ length: NIGHTS }, (_, index) => anchor - (index + 1) * DAY + 2 * HOUR).flatMap((at) => {
    const head = merged.findLast(({ mergedAt }) => (mergedAt ?? 0) < at);
    if (!head) return [];
    const sha = mergeSha(project, head);
    const key = `night/${Math.round((anchor - at) / DAY)}`;
    return [
      {
        workflow: 2 as Kind,
        at,
        event: 'schedule',
        branch: 'main',
        sha,
        title: 'Nightly',
        actor,
        pull: null,
        key,
      },
    ];
  });
}

/** How a run ended, or has not ended yet. */
interface Result {
  /** Time between the first attempt of the commit's first run and this run. */
  delay: number;
  attempt: number;
  status: string;
  conclusion: string | null;
  /** Time from the creation to the start of the last attempt. */
  waited: number;
  duration: number;
}

function resultsOf(random: SeededRandom, { workflow, at, event }: Start, anchor: number): Result[] {
  const [least, most] = WORKFLOWS[workflow].minutes;
  const duration = random.between(least * 60, most * 60) * 1000;
  const plain = { delay: 0, attempt: 1, status: 'completed', waited: 0, duration };
  const roll = random.next();
  if (anchor - at < 3 * HOUR && event !== 'schedule')
    return [{ ...plain, status: roll < 0.5 ? 'in_progress' : 'queued', conclusion: null, duration: 20_000 }];
  if (roll < 0.76) return [{ ...plain, conclusion: 'success' }];
  if (roll < 0.86) return [{ ...plain, conclusion: 'failure' }];
  if (roll < 0.89)
    return [{ ...plain, conclusion: 'cancelled', duration: Math.floor(duration / 3000) * 1000 }];
  if (roll < 0.9) return [{ ...plain, conclusion: 'timed_out', duration: 6 * HOUR }];
  if (roll < 0.91) return [{ ...plain, conclusion: 'skipped', duration: 1000 }];
  if (roll < 0.97) {
    const waited = wholeSeconds(duration + random.between(2, 50) * MINUTE);
    return [{ ...plain, conclusion: 'success', attempt: random.chance(0.8) ? 2 : 3, waited }];
  }
  const delay = wholeSeconds(duration + random.between(5, 90) * MINUTE);
  return [
    { ...plain, conclusion: 'failure' },
    { ...plain, conclusion: 'success', delay },
  ];
}

function runOf(
  project: PullProject,
  start: Start & { runNumber: number; id: number },
  { delay, attempt, status, conclusion, waited, duration }: Result,
): RunFacts {
  const createdAt = start.at + delay;
  const startedAt = createdAt + waited;
  const [again = start.actor] = project.members;
  const { event, branch, sha, title, actor, pull, id, runNumber } = start;
  return {
    ...{ id, runNumber, event, branch, sha, title, actor, pull, attempt, status, conclusion },
    workflow: workflowOf(project.repository.id, start.workflow),
    triggeredBy: attempt > 1 ? again : actor,
    createdAt,
    startedAt,
    updatedAt: startedAt + duration,
  };
}

/** Returns one of the three workflows of a repository. */
export function workflowOf(repositoryId: number, kind: Kind): WorkflowFacts {
  const { name, path } = WORKFLOWS[kind];
  return { id: 30_000_000 + (repositoryId % 9000) * 10 + kind, name, path };
}
