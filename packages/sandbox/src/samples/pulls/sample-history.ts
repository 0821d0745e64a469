import { hash } from 'node:crypto';
import type { History } from '../../github/commit-history.ts';
import type { PullFacts } from '../../github/pull-facts.ts';
import type { CommitFacts, CommitPerson, ReleaseFacts } from '../../github/record-facts.ts';
import { userId } from '../../github/user-shape.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { PullProject } from './pull-project.ts';
import { headSha, isBot, pickEarly, wholeSeconds } from './sample-people.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A change of the default branch, made when its time comes. */
interface Step {
  at: number;
  make(head: string): CommitFacts[];
}

/**
 * Generates the commits of the default branch: the first ones, those of merged pull requests with a merge commit or squashed
 * into one, and one for each release. A merged branch begins where the default branch was when the pull request was opened.
 */
export function sampleHistory(
  project: PullProject,
  pulls: readonly PullFacts[],
  releases: readonly ReleaseFacts[],
  start: number,
): History {
  const commits: CommitFacts[] = [];
  const heads: { at: number; sha: string }[] = [];
  const headAt = (time: number) => heads.findLast(({ at }) => at <= time) ?? heads[0];
  const merged = pulls.filter(({ mergedAt, baseRef }) => mergedAt !== null && baseRef === 'main');
  const steps: Step[] = [
    ...Array.from({ length: 4 }, (_, index) => firstStep(project, start, index)),
    ...merged.map((pull) => mergeStep(project, pull, (time) => headAt(time)?.sha)),
    ...releases.filter(({ isDraft }) => !isDraft).map((release) => releaseStep(project, release)),
  ];
  let head = '';
  for (const { at, make } of steps.sort((one, other) => one.at - other.at)) {
    const made = make(head);
    commits.push(...made);
    head = made.at(-1)?.sha ?? head;
    heads.push({ at, sha: head });
  }
  return { commits, head: head === '' ? undefined : head };
}

/** Returns the hash of a merge commit, as the list of pull requests has it. */
export function mergeSha(project: PullProject, pull: Pick<PullFacts, 'number'>): string {
  return hash('sha1', `${project.repository.id}/merge/${pull.number}`);
}

function firstStep(project: PullProject, start: number, index: number): Step {
  const at = wholeSeconds(start + index * 5 * HOUR);
  const [login = 'ada-nowak'] = project.members;
  const message = ['Initial commit', 'Add a README', 'Set up CI', 'First working version'][index] ?? '';
  return {
    at,
    make: (head) => [plainCommit(project, `first/${index}`, { head, message, author: person(login, at) })],
  };
}

function releaseStep(project: PullProject, release: ReleaseFacts): Step {
  const random = new SeededRandom(`${project.repository.name}/release/${release.tag}`);
  const author = person(pickEarly(random, project.members), release.createdAt);
  const message = `Release ${release.tag}`;
  return {
    at: release.createdAt,
    make: (head) => [plainCommit(project, `release/${release.tag}`, { head, message, author })],
  };
}

function plainCommit(
  project: PullProject,
  key: string,
  { head, message, author }: { head: string; message: string; author: CommitPerson },
): CommitFacts {
  const sha = hash('sha1', `${project.repository.id}/commit/${key}`);
  const parents = head === '' ? [] : [head];
  return { sha, parents, message, author, committer: author, isVerified: false };
}

function mergeStep(
  project: PullProject,
  pull: PullFacts,
  headAt: (time: number) => string | undefined,
): Step {
  const random = new SeededRandom(`${project.repository.name}/commits/${pull.number}`);
  const at = pull.mergedAt ?? 0;
  const author = pull.author ?? 'ghost';
  const web: CommitPerson = { name: 'GitHub', email: 'noreply@github.com', login: 'web-flow', date: at };
  const isSquashed = isBot(author) || random.chance(0.3);
  const merge = {
    sha: mergeSha(project, pull),
    author: person(isSquashed ? author : (pull.mergedBy ?? author), at),
    committer: web,
    isVerified: true,
  };
  return {
    at,
    make(head) {
      if (isSquashed) return [{ ...merge, parents: [head], message: `${pull.title} (#${pull.number})` }];
      const own = branchCommits(random, project, pull, headAt(pull.createdAt) ?? head);
      const message = `Merge pull request #${pull.number} from ${pull.headOwner ?? 'ghost'}/${pull.headRef}\n\n${pull.title}`;
      return [...own, { ...merge, parents: [head, headSha(project, pull)], message }];
    },
  };
}

/** Returns the commits of a pull request's branch; the last one has the hash that the list of pull requests has. */
function branchCommits(
  random: SeededRandom,
  project: PullProject,
  pull: PullFacts,
  start: string,
): CommitFacts[] {
  const { number, createdAt, mergedAt, size, title } = pull;
  const from = createdAt - random.next() * DAY;
  const span = Math.max(1000, (mergedAt ?? createdAt) - from - 60_000);
  // Some people commit with an address that belongs to no account.
  const login = pull.author === null || pull.author === 'ghost' || random.chance(0.04) ? null : pull.author;
  let parent = start;
  return Array.from({ length: size.commits }, (_, index) => {
    const isLast = index === size.commits - 1;
    const sha = isLast
      ? headSha(project, pull)
      : hash('sha1', `${project.repository.id}/commit/${number}/${index}`);
    const date = wholeSeconds(from + (span * (index + random.next())) / size.commits);
    const author = { ...person(pull.author ?? 'ghost', date), login };
    const message =
      index === 0
        ? title
        : `${random.pick(project.changes)}${random.chance(0.3) ? '\n\nSee the review.' : ''}`;
    const commit = { sha, parents: [parent], message, author, committer: author, isVerified: false };
    parent = sha;
    return commit;
  });
}

/** Returns the name and address with which a login commits. */
export function person(login: string, date: number): CommitPerson {
  if (isBot(login))
    return { name: login, email: `${userId(login)}+${login}@users.noreply.github.com`, login, date };
  const name = login
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return { name, email: `${login.replaceAll('-', '.')}@sandbox.example`, login, date };
}
