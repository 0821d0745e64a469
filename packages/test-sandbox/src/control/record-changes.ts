import {
  type GithubLinks,
  type IssueCommentFacts,
  type IssueFacts,
  idBase,
  type PullRepository,
  type RecordFacts,
  type RecordTable,
  type ReleaseFacts,
  type ReviewCommentFacts,
  type ReviewFacts,
  type RunFacts,
  type Shape,
  workflowOf,
} from '@datadeck/sandbox/parts';

/** The kinds of records that have a table. */
export type TableKind = 'issue' | 'comment' | 'review-comment' | 'review' | 'run' | 'release';

const now = () => Math.floor(Date.now() / 1000) * 1000;
const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Returns the table of a kind; its facts are only read as those of any record. */
export function tableOf({ activity }: PullRepository, kind: TableKind): RecordTable<RecordFacts> {
  const tables = {
    issue: activity.issues,
    comment: activity.issueComments,
    'review-comment': activity.reviewComments,
    review: activity.reviews,
    run: activity.runs,
    release: activity.releases,
  };
  return tables[kind] as unknown as RecordTable<RecordFacts>;
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

/** Returns the facts by which records are sorted and filtered, as far as fields in GitHub's format set them. */
function factsIn(fields: Shape): Record<string, unknown> {
  const user = fields.user as { login?: unknown } | null | undefined;
  const facts = {
    createdAt: timeOf(fields.created_at),
    updatedAt: timeOf(fields.updated_at),
    startedAt: timeOf(fields.run_started_at),
    state: typeof fields.state === 'string' ? fields.state : undefined,
    status: typeof fields.status === 'string' ? fields.status : undefined,
    conclusion: 'conclusion' in fields ? fields.conclusion : undefined,
    branch: 'head_branch' in fields ? fields.head_branch : undefined,
    event: typeof fields.event === 'string' ? fields.event : undefined,
    sha: typeof fields.head_sha === 'string' ? fields.head_sha : undefined,
    isDraft: typeof fields.draft === 'boolean' ? fields.draft : undefined,
    author: typeof user?.login === 'string' ? user.login : undefined,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Adds a record; fields in GitHub's format override those of its facts. Returns its id. */
function insert<Facts extends RecordFacts>(
  repository: PullRepository,
  table: RecordTable<Facts>,
  facts: Omit<Facts, 'id'>,
  fields: Shape,
): number {
  const id = typeof fields.id === 'number' ? fields.id : table.takeId(idBase(repository.id));
  table.insert({ ...facts, ...factsIn(fields), id } as Facts, fields);
  return id;
}

/** Changes fields of a record, and its `updated_at` to now unless the fields name another time. */
export function changeRecord(
  repository: PullRepository,
  kind: TableKind,
  id: number,
  fields: Shape,
): boolean {
  const stamped = { updated_at: iso(now()), ...fields };
  return tableOf(repository, kind).change(id, factsIn(stamped) as Partial<RecordFacts>, stamped);
}

/** Sets `updated_at` of an issue or a pull request to now, and counts added comments. */
function touch(repository: PullRepository, number: number, added: number): void {
  const { activity } = repository;
  const issue = activity.issue(number);
  if (!issue) {
    activity.countComments(number, added);
    repository.change(number, {}, Date.now());
    return;
  }
  const comments = Math.max(0, issue.comments + added);
  activity.issues.change(issue.id, { comments, updatedAt: now() }, { comments, updated_at: iso(now()) });
}

/** Adds an open issue. Returns its number. */
export function insertIssue(repository: PullRepository, fields: Shape = {}): number {
  const number = typeof fields.number === 'number' ? fields.number : repository.takeNumber();
  const facts: IssueFacts = {
    id: 20_100_000_000 + (repository.id % 9000) * 1_000_000 + number,
    number,
    title: `Issue number ${number}`,
    body: 'Put here by the sandbox.',
    author: 'ada-nowak',
    association: 'MEMBER',
    state: 'open',
    stateReason: null,
    isLocked: false,
    closedAt: null,
    closedBy: null,
    labels: [],
    assignees: [],
    milestone: null,
    comments: 0,
    thumbs: 0,
    createdAt: now(),
    updatedAt: now(),
  };
  insert<IssueFacts>(repository, repository.activity.issues, facts, { id: facts.id, ...fields });
  return number;
}

/** Changes an issue. A new state sets when, and why, it was closed. */
export function changeIssue(repository: PullRepository, number: number, fields: Shape): boolean {
  const issue = repository.activity.issue(number);
  if (!issue) return false;
  const closing =
    fields.state === 'closed'
      ? { closed_at: iso(now()), state_reason: 'completed' }
      : fields.state === 'open'
        ? { closed_at: null, state_reason: 'reopened', closed_by: null }
        : {};
  return changeRecord(repository, 'issue', issue.id, { ...closing, ...fields });
}

/** Deletes an issue with its comments. */
export function deleteIssue(repository: PullRepository, number: number): boolean {
  const { issues, issueComments } = repository.activity;
  const issue = repository.activity.issue(number);
  for (const comment of issueComments.rows()) if (comment.number === number) issueComments.remove(comment.id);
  return issue !== undefined && issues.remove(issue.id);
}

/** Adds a comment to the conversation of an issue or a pull request, which is changed by it. */
export function insertComment(repository: PullRepository, number: number, fields: Shape = {}): number {
  const facts: Omit<IssueCommentFacts, 'id'> = {
    number,
    isPull: repository.row(number) !== undefined,
    body: 'A comment from the sandbox.',
    author: 'ada-nowak',
    association: 'MEMBER',
    thumbs: 0,
    createdAt: now(),
    updatedAt: now(),
  };
  touch(repository, number, 1);
  return insert<IssueCommentFacts>(repository, repository.activity.issueComments, facts, fields);
}

/** Deletes a comment; the issue or pull request has one less. */
export function deleteComment(repository: PullRepository, id: number): boolean {
  const { issueComments } = repository.activity;
  const comment = issueComments.find(id);
  if (comment) touch(repository, comment.number, -1);
  return issueComments.remove(id);
}

/** Adds a review of a pull request, which is changed by it. */
export function insertReview(repository: PullRepository, number: number, fields: Shape = {}): number {
  const facts: Omit<ReviewFacts, 'id'> = {
    number,
    state: 'APPROVED',
    body: '',
    author: 'jonas-weber',
    association: 'MEMBER',
    createdAt: now(),
    updatedAt: now(),
    submittedAt: fields.state === 'PENDING' ? null : now(),
    sha: 'a'.repeat(40),
  };
  touch(repository, number, 0);
  return insert<ReviewFacts>(repository, repository.activity.reviews, facts, fields);
}

/** Changes a review and with it `updated_at` of its pull request, for example when it is dismissed. */
export function changeReview(repository: PullRepository, id: number, fields: Shape): boolean {
  const review = repository.activity.reviews.find(id);
  if (review) touch(repository, review.number, 0);
  return changeRecord(repository, 'review', id, fields);
}

/** Adds a comment on a line, with the review that it belongs to unless the fields name one. */
export function insertReviewComment(repository: PullRepository, number: number, fields: Shape = {}): number {
  const given = fields.pull_request_review_id;
  const reviewId =
    typeof given === 'number' ? given : insertReview(repository, number, { state: 'COMMENTED' });
  const inReplyTo = typeof fields.in_reply_to_id === 'number' ? fields.in_reply_to_id : null;
  const facts: Omit<ReviewCommentFacts, 'id'> = {
    number,
    reviewId,
    inReplyTo,
    path: 'src/main.go',
    line: 12,
    hunk: '@@ -9,3 +9,4 @@\n one\n two\n three\n+four',
    isOutdated: false,
    sha: 'a'.repeat(40),
    body: 'A comment on a line from the sandbox.',
    author: 'jonas-weber',
    association: 'MEMBER',
    thumbs: 0,
    createdAt: now(),
    updatedAt: now(),
  };
  return insert<ReviewCommentFacts>(repository, repository.activity.reviewComments, facts, fields);
}

/** Adds a run of the first workflow, which has passed unless the fields say otherwise. */
export function insertRun(repository: PullRepository, fields: Shape = {}): number {
  const { runs, history } = repository.activity;
  const workflow = workflowOf(repository.id, 0);
  const number = runs.rows().reduce((most, run) => Math.max(most, run.runNumber), 0) + 1;
  const facts: Omit<RunFacts, 'id'> = {
    workflow,
    runNumber: number,
    attempt: 1,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    branch: 'main',
    sha: history.head?.sha ?? 'a'.repeat(40),
    title: `Run number ${number}`,
    actor: 'ada-nowak',
    triggeredBy: 'ada-nowak',
    pull: null,
    createdAt: now(),
    startedAt: now(),
    updatedAt: now(),
  };
  return insert<RunFacts>(repository, runs, facts, fields);
}

/** Starts the next attempt of a run. */
export function rerun(repository: PullRepository, id: number): boolean {
  const { runs } = repository.activity;
  const run = runs.find(id);
  if (!run) return false;
  const attempt = run.attempt + 1;
  const facts = { attempt, status: 'in_progress', conclusion: null, startedAt: now(), updatedAt: now() };
  return runs.change(id, facts, {
    run_attempt: attempt,
    status: 'in_progress',
    conclusion: null,
    run_started_at: iso(now()),
    updated_at: iso(now()),
  });
}

/** Ends a run with a conclusion, by default `success`. */
export function finishRun(repository: PullRepository, id: number, conclusion = 'success'): boolean {
  return changeRecord(repository, 'run', id, { status: 'completed', conclusion });
}

/** Publishes a release; with `draft: true` it is a draft. */
export function publishRelease(repository: PullRepository, fields: Shape = {}): number {
  const number = repository.activity.releases.rows().length + 1;
  const isDraft = fields.draft === true;
  const facts: Omit<ReleaseFacts, 'id'> = {
    tag: `v9.${number}.0`,
    name: `v9.${number}.0`,
    body: 'Released by the sandbox.',
    author: 'ada-nowak',
    isDraft,
    isPrerelease: false,
    createdAt: now(),
    updatedAt: now(),
    publishedAt: isDraft ? null : now(),
    assets: [],
    thumbs: 0,
  };
  return insert<ReleaseFacts>(repository, repository.activity.releases, facts, fields);
}

/** Returns all records of a kind in GitHub's format. */
export function recordShapes(repository: PullRepository, kind: TableKind, links: GithubLinks): Shape[] {
  const table = tableOf(repository, kind);
  const scene = repository.scene(links);
  return table.rows().map((row) => table.shape(row, scene));
}
