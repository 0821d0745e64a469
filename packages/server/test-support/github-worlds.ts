import { z } from 'zod';
import {
  below,
  DAY_MS,
  EditedWorld,
  type Essence,
  iso,
  NAME,
  newestFirst,
  type Random,
  randomSize,
  WorkWorld,
} from './github-world.ts';
import { pick, SMALL_COUNT } from './provider-worlds.ts';

const listed = z.looseObject({ id: z.number() });
const issue = z.object({
  ...{ number: z.number(), title: z.string(), state: z.string(), comments: z.number() },
  ...{ created_at: z.string(), updated_at: z.string() },
});

/** Issues, among pull requests in the same list. */
class IssuesWorld extends EditedWorld {
  readonly entity = 'gh-issues';

  protected named() {
    const issues = this.github.records(NAME, 'issue');
    return issues.map(({ number, updated_at }) => ({ name: Number(number), updatedAt: updated_at }));
  }

  protected insert(random: Random, dates: { created_at: string }) {
    if (random() < 0.2) this.github.insertPull(NAME);
    this.github.insertIssue(NAME, dates);
  }

  protected update(random: Random, number: number) {
    const kind = random();
    if (kind < 0.4) this.github.changeIssue(NAME, number, { title: `Changed ${random()}` });
    else if (kind < 0.7) this.github.insertComment(NAME, number);
    else this.github.changeIssue(NAME, number, { state: kind < 0.85 ? 'closed' : 'open' });
  }

  protected remove(number: number) {
    this.github.deleteIssue(NAME, number);
  }

  essence(id: string, content: unknown) {
    const fields = issue.parse(content);
    return { ...fields, id, at: fields.created_at };
  }

  protected async all() {
    const items = await this.list('issues?state=all&per_page=100', z.array(listed));
    const issues = items.filter((item) => !item.pull_request);
    return issues.map((item) => this.essence(String(item.id), item)).sort(newestFirst);
  }
}

const comment = z.object({ body: z.string(), created_at: z.string(), updated_at: z.string() });

/** Comments of both lists. Those on lines are named by negative numbers. */
class CommentsWorld extends EditedWorld {
  readonly entity = 'gh-comments';

  #named(kind: 'comment' | 'review-comment', sign: number) {
    const comments = this.github.records(NAME, kind);
    return comments.map(({ id, updated_at }) => ({ name: sign * Number(id), updatedAt: updated_at }));
  }

  protected named() {
    return [...this.#named('comment', 1), ...this.#named('review-comment', -1)];
  }

  protected insert(random: Random, dates: { created_at: string }) {
    const number = pick(random, this.github.pullNumbers(NAME));
    if (random() < 0.5) this.github.insertComment(NAME, number, dates);
    else this.github.insertReviewComment(NAME, number, dates);
  }

  protected update(random: Random, name: number) {
    const fields = { body: `Changed ${random()}` };
    if (name > 0) this.github.changeComment(NAME, name, fields);
    else this.github.changeReviewComment(NAME, -name, fields);
  }

  protected remove(name: number) {
    if (name > 0) this.github.deleteComment(NAME, name);
    else this.github.deleteReviewComment(NAME, -name);
  }

  essence(id: string, content: unknown) {
    const fields = comment.parse(content);
    return { ...fields, id, at: fields.created_at };
  }

  protected async all() {
    const lists = [
      { path: 'issues/comments', start: 'issuecomment-' },
      { path: 'pulls/comments', start: 'discussion_r' },
    ];
    const found = lists.map(async ({ path, start }) => {
      const items = await this.list(`${path}?per_page=100`, z.array(listed));
      return items.map((item) => this.essence(`${start}${item.id}`, item));
    });
    return (await Promise.all(found)).flat().sort(newestFirst);
  }
}

const release = z.object({
  ...{
    name: z.string().nullable(),
    draft: z.boolean(),
    created_at: z.string(),
    published_at: z.string().nullable(),
  },
});

/** Releases, and drafts that are published later. */
class ReleasesWorld extends EditedWorld {
  readonly entity = 'gh-releases';

  protected named() {
    const releases = this.github.records(NAME, 'release');
    return releases.map(({ id, updated_at }) => ({ name: Number(id), updatedAt: updated_at }));
  }

  protected insert(random: Random, dates: { created_at: string }) {
    const isDraft = random() < 0.3;
    const state = isDraft ? { draft: true } : { published_at: dates.created_at };
    this.github.publishRelease(NAME, { ...dates, ...state });
  }

  protected update(random: Random, id: number) {
    const draft = this.github.records(NAME, 'release').find((each) => each.id === id)?.draft === true;
    const published = { draft: false, published_at: iso(this.takeTime()) };
    this.github.changeRelease(NAME, id, draft ? published : { name: `Changed ${random()}` });
  }

  protected remove(id: number) {
    this.github.deleteRelease(NAME, id);
  }

  essence(id: string, content: unknown) {
    const fields = release.parse(content);
    return { ...fields, id, at: fields.published_at ?? fields.created_at };
  }

  /** GitHub lists by creation, which may be long before a draft is published. */
  protected async all() {
    const items = await this.list('releases?per_page=100', z.array(listed));
    const releases = items.map((item) => this.essence(String(item.id), item));
    return releases.sort((one, other) => other.created_at.localeCompare(one.created_at));
  }
}

const review = z.object({
  ...{ state: z.string(), body: z.string(), submitted_at: z.string() },
  pull_request: z.object({ number: z.number(), title: z.string(), created_at: z.string() }),
});

/** Reviews, of which GitHub deletes none once they are submitted. */
class ReviewsWorld extends WorkWorld {
  readonly entity = 'gh-reviews';

  #reviews() {
    return this.github.records(NAME, 'review');
  }

  #insert(random: Random) {
    const pulls = this.github.pullNumbers(NAME);
    const created_at = iso(this.takeTime());
    const number = random() < 0.3 ? this.github.insertPull(NAME, { created_at }) : pick(random, pulls);
    const submitted_at = iso(this.takeTime());
    // People see their own pending reviews only, and this one is another's.
    const isPending = random() < 0.1;
    this.github.insertReview(NAME, number, isPending ? { state: 'PENDING' } : { submitted_at });
  }

  begin(random: Random): void {
    const size = randomSize(random);
    for (let rest = this.#reviews(); rest.length > size; rest = this.#reviews())
      this.github.deleteReview(NAME, Number(pick(random, rest).id));
    while (this.#reviews().length < size) this.#insert(random);
  }

  change(random: Random): void {
    const kind = random();
    const of = pick(
      random,
      this.#reviews().filter(({ state }) => state !== 'PENDING'),
    );
    if (kind < 0.4 || !of) this.#insert(random);
    else if (kind < 0.6) this.github.changeReview(NAME, Number(of.id), { body: `Changed ${random()}` });
    else if (kind < 0.8) this.github.changeReview(NAME, Number(of.id), { state: 'DISMISSED' });
    else {
      const number = pick(random, this.github.pullNumbers(NAME));
      this.github.changePull(NAME, number, { title: `Changed ${random()}` });
    }
  }

  override spoil(random: Random): void {
    if (random() < 0.7) super.spoil(random);
    else this.github.failQueries(random() < 0.5 ? 'something-wrong' : 'rate-limit-code');
  }

  essence(id: string, content: unknown) {
    const fields = review.parse(content);
    return { ...fields, id, at: fields.submitted_at };
  }

  /** Reviews are kept by the opening of their pull request. */
  protected async all() {
    const submitted = this.#reviews().filter(({ state }) => state !== 'PENDING');
    const reviews = submitted.map((raw) => {
      const number = Number(String(raw.pull_request_url).split('/').at(-1));
      const pull_request = this.github.pull(NAME, number);
      return this.essence(`pullrequestreview-${raw.id}`, { ...raw, pull_request });
    });
    const opened = (each: (typeof reviews)[number]) => each.pull_request.created_at;
    return reviews.sort((one, other) => opened(other).localeCompare(opened(one)) || newestFirst(one, other));
  }
}

const workflowRun = z.object({
  ...{ run_number: z.number(), run_attempt: z.number(), status: z.string() },
  ...{ conclusion: z.string().nullable(), created_at: z.string(), updated_at: z.string() },
});
const runList = z.object({ workflow_runs: z.array(listed) });
/** Most recent runs at the beginning, so that a run that reads the last days does not exceed the cap. */
const RECENT_COUNT = 3;

/** Workflow runs. A deleted one stays stored until a run reads everything. */
class RunsWorld extends WorkWorld {
  readonly entity = 'gh-runs';

  #runs() {
    return this.github.records(NAME, 'run').map((raw) => ({ id: Number(raw.id), ...workflowRun.parse(raw) }));
  }

  #recent() {
    const days = Date.now() - 2 * DAY_MS;
    return this.#runs().filter(({ created_at }) => Date.parse(created_at) > days);
  }

  #insert(random: Random, fields: { created_at: string }) {
    const isRunning = random() < 0.4;
    const state = isRunning ? { status: 'in_progress', conclusion: null } : {};
    this.github.insertRun(NAME, { ...fields, ...state });
  }

  begin(random: Random): void {
    const size = randomSize(random);
    const remove = ({ id }: { id: number }) => this.github.deleteRun(NAME, id);
    for (let recent = this.#recent(); recent.length > RECENT_COUNT; recent = this.#recent())
      remove(pick(random, recent));
    while (this.#runs().length > size) remove(pick(random, this.#runs()));
    while (this.#runs().length < size) {
      const age = Math.floor((4 + random() * 20) * DAY_MS);
      this.#insert(random, { created_at: iso(this.takeTime() - age) });
    }
  }

  change(random: Random): void {
    const kind = random();
    const runs = this.#runs();
    const recent = this.#recent();
    const running = runs.filter(({ status }) => status !== 'completed');
    if (kind < 0.3 || runs.length < SMALL_COUNT) this.#insert(random, { created_at: iso(this.takeTime()) });
    else if (kind < 0.45) this.github.deleteRun(NAME, pick(random, runs).id);
    else if (kind < 0.75 && running.length > 0)
      this.github.finishRun(NAME, pick(random, running).id, random() < 0.5 ? 'success' : 'failure');
    else if (recent.length > 0) this.github.rerun(NAME, pick(random, recent).id);
  }

  essence(id: string, content: unknown) {
    const fields = workflowRun.parse(content);
    return { ...fields, id, at: fields.created_at };
  }

  protected async all() {
    const { workflow_runs } = await this.list('actions/runs?per_page=100', runList);
    return workflow_runs.map((raw) => this.essence(String(raw.id), raw)).sort(newestFirst);
  }

  override async newest(cap: number, before: readonly Essence[]) {
    const all = await this.all();
    const ids = new Set(all.map(({ id }) => id));
    const deleted = before.filter(({ id }) => !ids.has(id));
    return [...all, ...deleted].sort(newestFirst).slice(0, cap);
  }
}

const commit = z.object({
  sha: z.string(),
  commit: z.object({ message: z.string(), committer: z.object({ date: z.string() }) }),
});
const commitList = z.array(z.looseObject({ node_id: z.string() }));

/** Commits of the default branch, which grows, is rewritten, and merges old branches. */
class CommitsWorld extends WorkWorld {
  readonly entity = 'gh-commits';
  #merges = 0;

  begin(random: Random): void {
    const dropped = this.github.commits(NAME).length - randomSize(random);
    if (dropped > 0) this.github.forcePush(NAME, { dropped, added: 1, date: this.takeTime() });
    while (this.github.commits(NAME).length < SMALL_COUNT) this.#push(random);
  }

  #push(random: Random) {
    const count = 1 + below(random, 4);
    // The commits of a push follow each other second by second.
    for (let each = 1; each < count; each++) this.takeTime();
    this.github.pushCommits(NAME, count, { date: this.takeTime() });
  }

  change(random: Random): void {
    const kind = random();
    if (kind < 0.45) this.#push(random);
    else if (kind < 0.75) {
      const [dropped, added] = [1 + below(random, 4), below(random, 4)];
      for (let each = 1; each < added; each++) this.takeTime();
      this.github.forcePush(NAME, { dropped, added, date: this.takeTime() });
    } else {
      // Parts of days, so that no two commits have the same second.
      const [commits, days] = [1 + below(random, 3), below(random, 20) + 0.2 + 0.0113 * this.#merges++];
      this.github.mergeOldBranch(NAME, { commits, days, date: this.takeTime() });
    }
  }

  essence(id: string, content: unknown) {
    const fields = commit.parse(content);
    return { ...fields, id, at: fields.commit.committer.date };
  }

  protected async all() {
    const commits = await this.list('commits?per_page=100', commitList);
    return commits.map((raw) => this.essence(raw.node_id, raw));
  }
}

/** The worlds of GitHub's records beside pull requests, by entity. */
export const WORK_WORLDS = {
  'gh-issues': IssuesWorld,
  'gh-comments': CommentsWorld,
  'gh-reviews': ReviewsWorld,
  'gh-runs': RunsWorld,
  'gh-commits': CommitsWorld,
  'gh-releases': ReleasesWorld,
};
