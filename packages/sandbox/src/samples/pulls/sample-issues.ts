import type { PullFacts } from '../../github/pull-facts.ts';
import type { IssueCommentFacts, IssueFacts } from '../../github/record-facts.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ISSUE_TEXTS, ISSUE_TITLES, REMARKS, VISITORS } from './activity-words.ts';
import type { PullProject } from './pull-project.ts';
import { associationOf, idBase, isBot, pickEarly, wholeSeconds } from './sample-people.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** An issue with its comments. */
export interface Discussion {
  issue: IssueFacts;
  comments: IssueCommentFacts[];
}

/** Generates the issues between pull requests: they have the numbers that no pull request has. */
export function sampleDiscussions(
  project: PullProject,
  pulls: readonly PullFacts[],
  anchor: number,
): Discussion[] {
  const discussions: Discussion[] = [];
  const fixes = fixingPulls(pulls);
  for (const [index, { number, createdAt }] of pulls.entries()) {
    const next = pulls[index + 1];
    for (let free = number + 1; next !== undefined && free < next.number; free++) {
      const random = new SeededRandom(`${project.repository.name}/issue/${free}`);
      const opened = wholeSeconds(createdAt + random.next() * (next.createdAt - createdAt));
      discussions.push(discussion(random, { project, number: free, opened, anchor, fix: fixes.get(free) }));
    }
  }
  return discussions;
}

/** Returns the merged pull requests by the issue that their description says they fix. */
function fixingPulls(pulls: readonly PullFacts[]): Map<number, PullFacts> {
  const fixes = new Map<number, PullFacts>();
  for (const pull of pulls) {
    const [, number] = /Fixes #(\d+)/.exec(pull.body ?? '') ?? [];
    if (number !== undefined && pull.mergedAt !== null) fixes.set(Number(number), pull);
  }
  return fixes;
}

interface Opening {
  project: PullProject;
  number: number;
  opened: number;
  anchor: number;
  fix: PullFacts | undefined;
}

function discussion(random: SeededRandom, opening: Opening): Discussion {
  const { project, number, opened, anchor } = opening;
  const people = [...VISITORS, ...VISITORS, ...project.contributors, ...project.members].filter(
    (login) => !isBot(login),
  );
  const author = random.pick(people);
  const course = courseOf(random, opening, author);
  const comments = commentsOn(random, opening, author, course.closedAt ?? anchor);
  const latest = Math.max(opened, course.closedAt ?? 0, ...comments.map(({ updatedAt }) => updatedAt));
  const isGone = random.chance(0.02);
  const issue: IssueFacts = {
    ...course,
    id: 20_100_000_000 + (project.repository.id % 9000) * 1_000_000 + number,
    number,
    title: titleOf(random, project),
    body: bodyOf(random, project),
    author: isGone ? null : random.chance(0.02) ? 'ghost' : author,
    association: associationOf(project, author),
    isLocked: course.state === 'closed' && random.chance(0.05),
    labels: random.some(project.labels, random.between(0, 3)),
    assignees: random.chance(0.35) ? random.some(project.members, random.between(1, 2)) : [],
    milestone: milestoneOf(random, project, anchor),
    comments: comments.length,
    thumbs: Math.floor(random.next() ** 3 * 12),
    createdAt: opened,
    updatedAt: latest,
  };
  return { issue, comments };
}

function titleOf(random: SeededRandom, { parts }: PullProject): string {
  const title = random.pick(ISSUE_TITLES).replace('{part}', random.pick(parts));
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function bodyOf(random: SeededRandom, { reasons }: PullProject): string | null {
  if (random.chance(0.06)) return null;
  const text = random.pick(ISSUE_TEXTS);
  return random.chance(0.3) ? `${text}\n\n${random.pick(reasons)}` : text;
}

type Course = Pick<IssueFacts, 'state' | 'stateReason' | 'closedAt' | 'closedBy'>;

function courseOf(random: SeededRandom, { project, opened, anchor, fix }: Opening, author: string): Course {
  const isFixed = fix?.mergedAt != null && fix.mergedAt > opened;
  const age = anchor - opened;
  const isClosed = random.chance(age > 90 * DAY ? 0.8 : age > 14 * DAY ? 0.55 : 0.25);
  const closedAt = wholeSeconds(
    opened + HOUR + random.next() ** 2 * Math.min(Math.max(0, age - HOUR), 120 * DAY),
  );
  const reason = random.chance(0.8) ? 'completed' : random.chance(0.7) ? 'not_planned' : 'duplicate';
  if (isFixed)
    return { state: 'closed', stateReason: 'completed', closedAt: fix.mergedAt, closedBy: fix.mergedBy };
  if (isClosed && closedAt < anchor) {
    const closedBy = random.chance(0.2) ? author : pickEarly(random, project.members);
    return { state: 'closed', stateReason: reason, closedAt, closedBy };
  }
  return {
    state: 'open',
    stateReason: random.chance(0.05) ? 'reopened' : null,
    closedAt: null,
    closedBy: null,
  };
}

function commentsOn(
  random: SeededRandom,
  { project, number, opened }: Opening,
  author: string,
  end: number,
): IssueCommentFacts[] {
  const count = Math.floor(random.next() ** 2 * 12);
  const span = Math.max(0, Math.min(end - opened, 60 * DAY));
  const times = Array.from({ length: count }, () => wholeSeconds(opened + random.next() ** 2 * span)).sort(
    (one, other) => one - other,
  );
  return times.map((createdAt, index) => {
    const from = random.chance(0.4)
      ? author
      : random.chance(0.6)
        ? pickEarly(random, project.members)
        : random.pick(VISITORS);
    const isEdited = random.chance(0.1);
    return {
      id: idBase(project.repository.id) + number * 1000 + index,
      number,
      isPull: false,
      body: random.pick(REMARKS),
      author: random.chance(0.02) ? 'ghost' : from,
      association: associationOf(project, from),
      thumbs: Math.floor(random.next() ** 4 * 8),
      createdAt,
      updatedAt: isEdited ? Math.min(createdAt + 240_000, Math.max(end, createdAt)) : createdAt,
    };
  });
}

function milestoneOf(random: SeededRandom, { milestones }: PullProject, anchor: number) {
  if (milestones.length === 0 || random.chance(0.7)) return null;
  const chosen = random.pick(milestones);
  const dueOn = chosen.state === 'open' ? anchor + 40 * DAY : anchor - chosen.number * 20 * DAY;
  return { ...chosen, createdAt: dueOn - 120 * DAY, dueOn };
}
