import {
  type GithubLinks,
  type PullFacts,
  type PullRepository,
  type PullRow,
  type PullShape,
  PullShaper,
} from '@datadeck/sandbox/parts';

/** Returns a new open pull request with all fields; `fields` override them, including fields outside of the schema. */
export function plainPull(
  repository: PullRepository,
  links: GithubLinks,
  fields: PullShape,
): { row: PullRow; shape: PullShape } {
  const number = repository.takeNumber();
  const now = Math.floor(Date.now() / 1000) * 1000;
  const facts: PullFacts = {
    number,
    title: `Change number ${number}`,
    body: 'Put here by the sandbox.',
    author: 'ada-nowak',
    state: 'open',
    isDraft: false,
    isLocked: false,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    labels: [],
    assignees: [],
    reviewers: [],
    teams: [],
    milestone: null,
    baseRef: 'main',
    headRef: `change-${number}`,
    headOwner: repository.owner,
    headRepo: 'base',
    association: 'MEMBER',
    size: { additions: 3, deletions: 1, changedFiles: 1, commits: 1, comments: 0, reviewComments: 0 },
  };
  const shaper = new PullShaper(links, {
    id: repository.id,
    owner: repository.owner,
    ownerType: 'Organization',
    name: repository.name,
    description: null,
    language: null,
    isPrivate: repository.visibleTo !== undefined,
    isFork: false,
    createdAt: now,
    pushedAt: now,
    stars: 0,
    openIssues: 0,
    topics: [],
  });
  const shape = { ...shaper.shape(facts, 'single'), ...fields };
  return { row: rowOf(shape, facts), shape };
}

/** Returns the row of a pull request in GitHub's format; missing or invalid fields come from the facts. */
function rowOf(shape: PullShape, facts: PullFacts): PullRow {
  const time = (value: unknown, fallback: number) =>
    typeof value === 'string' && Number.isFinite(Date.parse(value)) ? Date.parse(value) : fallback;
  return {
    key: -1,
    id: typeof shape.id === 'number' ? shape.id : facts.number,
    number: typeof shape.number === 'number' ? shape.number : facts.number,
    createdAt: time(shape.created_at, facts.createdAt),
    updatedAt: time(shape.updated_at, facts.updatedAt),
    closedAt: typeof shape.closed_at === 'string' ? time(shape.closed_at, facts.createdAt) : null,
    state: typeof shape.state === 'string' ? shape.state : 'open',
    headLabel: `${facts.headOwner}:${facts.headRef}`,
    baseRef: facts.baseRef,
    comments: 0,
  };
}
