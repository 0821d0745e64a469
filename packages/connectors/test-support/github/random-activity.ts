/** Random documents of GitHub, most of them complete, for tests of templates against values computed from them. */
type Random = () => number;

const DAY_MS = 86_400_000;
const PEOPLE = [
  { login: 'ada', type: 'User' },
  { login: 'ben', type: 'User' },
  { login: 'cy', type: 'User' },
  { login: 'renovate[bot]', type: 'Bot' },
  { login: 'helper', type: 'Bot' },
  null,
] as const;
const REPOSITORIES = ['acme/box', 'acme/lid', 'other/box'];
/** Text of an instant with whole seconds in UTC, as GitHub writes it. */
const textOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d{3}/, '');

/** Creates random documents. The same seed and time create the same ones. */
export class RandomActivity {
  readonly #random: Random;
  readonly #now: number;

  /** @param now ms since 1970; ages are half days before it, so that no day ends while a test runs */
  constructor(random: Random, now: number) {
    this.#random = random;
    this.#now = now;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #count(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #person() {
    const person = this.#pick(PEOPLE);
    return person && { ...person };
  }

  /** Returns a time up to so many days ago, ms since 1970. */
  #past(days: number): number {
    return this.#now - (this.#count(days) + 0.5) * DAY_MS;
  }

  issue(id: number) {
    const created = this.#past(500);
    const isClosed = this.#random() < 0.4;
    const updated = created + this.#random() ** 3 * Math.max(0, this.#now - created - DAY_MS);
    // Half days before now, too.
    const touched = created + Math.floor((updated - created) / DAY_MS) * DAY_MS;
    return {
      id,
      number: id,
      title: this.#random() < 0.02 ? 'x'.repeat(2500) : `Issue ${id}`,
      state: isClosed ? 'closed' : 'open',
      state_reason: isClosed
        ? this.#pick(['completed', 'not_planned', null])
        : this.#pick([null, 'reopened']),
      user: this.#person(),
      labels: ['bug', 'docs', 'ui'].filter(() => this.#random() < 0.3).map((name) => ({ name })),
      assignees: PEOPLE.filter((person) => person && this.#random() < 0.2),
      milestone: this.#random() < 0.3 ? { title: 'v1' } : null,
      comments: this.#count(9),
      created_at: textOf(created),
      updated_at: textOf(touched),
      closed_at: isClosed ? textOf(touched) : null,
      repository_url: `https://api.github.com/repos/${this.#pick(REPOSITORIES)}`,
    };
  }

  comment(id: number) {
    const repository = this.#pick(REPOSITORIES);
    const created = textOf(this.#past(200));
    return {
      id,
      html_url: `https://github.com/${repository}/${this.#pick(['issues', 'pull'])}/7#issuecomment-${id}`,
      issue_url: `https://api.github.com/repos/${repository}/issues/7`,
      body: `Comment ${id}`,
      user: this.#person(),
      created_at: created,
      updated_at: created,
      reactions: this.#random() < 0.8 ? { total_count: this.#count(5) } : null,
    };
  }

  /** Returns the reviews of one pull request, and the pull request, as GitHub's GraphQL API answers them. */
  reviews(number: number, firstId: number) {
    const opened = this.#past(200);
    const authorOf = () => {
      const person = this.#person();
      return person && { __typename: person.type, login: person.login };
    };
    const pull = {
      number,
      title: `Pull ${number}`,
      url: `https://github.com/${this.#pick(REPOSITORIES)}/pull/${number}`,
      createdAt: textOf(opened),
      state: this.#pick(['OPEN', 'CLOSED', 'MERGED']),
      mergedAt: null,
      author: authorOf(),
    };
    const nodes = Array.from({ length: this.#count(5) }, (_, index) => {
      const submitted = Math.min(this.#now - DAY_MS / 4, opened + this.#count(9 * 24) * 3_600_000);
      const isPending = this.#random() < 0.1;
      return {
        id: `PRR_${firstId + index}`,
        fullDatabaseId: String(firstId + index),
        state: isPending
          ? 'PENDING'
          : this.#pick(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED', 'DISMISSED']),
        submittedAt: isPending ? null : textOf(submitted),
        createdAt: textOf(submitted),
        updatedAt: textOf(submitted),
        author: authorOf(),
      };
    });
    return { pull, nodes };
  }

  run(id: number) {
    const created = this.#past(120);
    const attempt = this.#random() < 0.2 ? 2 : 1;
    const started = created + (attempt - 1) * 3_600_000;
    const isCompleted = this.#random() < 0.9;
    return {
      id,
      name: this.#pick(['Build', 'Test', 'Lint']),
      workflow_id: 1,
      run_number: id,
      display_title: `Run ${id}`,
      head_sha: `sha${this.#count(40)}`,
      status: isCompleted ? 'completed' : 'in_progress',
      conclusion: isCompleted
        ? this.#pick(['success', 'success', 'failure', 'timed_out', 'cancelled', 'skipped'])
        : null,
      run_attempt: attempt,
      actor: this.#person(),
      run_started_at: textOf(started),
      created_at: textOf(created),
      updated_at: textOf(started + this.#count(3000) * 1000),
      repository: { full_name: this.#pick(REPOSITORIES.slice(0, 2)) },
    };
  }

  commit(id: number) {
    const date = textOf(this.#past(200));
    const author = this.#person();
    return {
      node_id: `C_${id}`,
      sha: `sha${id}`,
      url: `https://api.github.com/repos/${this.#pick(REPOSITORIES)}/commits/sha${id}`,
      author,
      commit: {
        author: { name: this.#pick(['Ada', 'Zoe', 'release[bot]']), email: 'a@example.org', date },
        committer: { name: 'GitHub', email: 'noreply@github.com', date },
        message: `Commit ${id}`,
      },
      parents: Array.from({ length: 1 + this.#count(2) }, () => ({ sha: 'x' })),
    };
  }

  release(id: number) {
    const created = this.#past(700);
    const isDraft = this.#random() < 0.1;
    return {
      id,
      url: `https://api.github.com/repos/${this.#pick(REPOSITORIES)}/releases/${id}`,
      name: this.#random() < 0.5 ? `Release ${id}` : '',
      tag_name: `v${id}`,
      author: this.#person(),
      draft: isDraft,
      prerelease: this.#random() < 0.2,
      created_at: textOf(created),
      published_at: isDraft ? null : textOf(created),
      assets: Array.from({ length: this.#count(3) }, () => ({ download_count: this.#count(50) })),
    };
  }

  repository(id: number) {
    const pushed = this.#past(500);
    return {
      id,
      name: `box${id}`,
      full_name: `acme/box${id}`,
      owner: this.#person(),
      language: this.#pick(['TypeScript', 'Go', null]),
      topics: ['lid', 'box'].filter(() => this.#random() < 0.5),
      stargazers_count: this.#count(4),
      forks_count: this.#count(4),
      open_issues_count: this.#count(9),
      archived: this.#random() < 0.2,
      private: this.#random() < 0.5,
      fork: this.#random() < 0.3,
      pushed_at: this.#random() < 0.1 ? null : textOf(pushed),
      created_at: textOf(pushed - DAY_MS),
      updated_at: textOf(pushed),
    };
  }
}
