import { hash } from 'node:crypto';
import {
  type ActivitySource,
  type CommitFacts,
  type History,
  harbor,
  type IssueCommentFacts,
  type IssueFacts,
  idBase,
  person,
  type ReleaseFacts,
  type ReviewCommentFacts,
  type ReviewFacts,
  type RunFacts,
  SeededRandom,
  workflowOf,
} from '@datadeck/sandbox/parts';

/** Numbers of records beside the pull requests, of each repository. Issues have the numbers after the pull requests. */
export interface SyntheticRecords {
  issues?: number;
  /** Comments in the conversations of issues and pull requests, in turn. */
  comments?: number;
  /** Comments on lines, two of each review as far as there are reviews. */
  reviewComments?: number;
  reviews?: number;
  runs?: number;
  commits?: number;
  releases?: number;
}

const STEP = 20 * 60_000;
const HOUR = 3_600_000;
const STATES = ['APPROVED', 'COMMENTED', 'CHANGES_REQUESTED', 'COMMENTED'] as const;

/** Any number of records, computed from their position. They differ in ids, times, people and texts. */
export class SyntheticActivity implements ActivitySource {
  readonly #id: number;
  readonly #pulls: number;
  readonly #end: number;
  readonly #records: SyntheticRecords;
  readonly #texts: readonly string[];

  constructor(id: number, pulls: number, anchor: number, records: SyntheticRecords) {
    this.#id = id;
    this.#pulls = pulls;
    this.#end = anchor;
    this.#records = records;
    const random = new SeededRandom(`synthetic/${id}`);
    this.#texts = Array.from({ length: 97 }, () =>
      Array.from({ length: random.between(1, 6) }, () => random.pick(harbor.reasons)).join('\n\n'),
    );
  }

  issues(): IssueFacts[] {
    const { issues = 0, comments = 0 } = this.#records;
    const talks = this.#pulls + issues;
    return this.#make(issues, (index) => {
      const number = this.#pulls + index + 1;
      const isClosed = index % 3 !== 0;
      const common = this.#common(index, issues);
      const closedAt = isClosed ? Math.min(this.#end, common.createdAt + 30 * HOUR) : null;
      return {
        ...common,
        id: 20_100_000_000 + (this.#id % 9000) * 1_000_000 + number,
        number,
        title: harbor.titles[index % harbor.titles.length] ?? '',
        state: isClosed ? 'closed' : 'open',
        stateReason: isClosed ? 'completed' : null,
        isLocked: false,
        closedAt,
        closedBy: isClosed ? common.author : null,
        labels: harbor.labels.slice(index % 5, (index % 5) + 2),
        assignees: index % 4 === 0 ? [common.author] : [],
        milestone: null,
        comments: Math.floor(comments / talks) + (number - 1 < comments % talks ? 1 : 0),
        updatedAt: closedAt ?? common.updatedAt,
      };
    });
  }

  issueComments(): IssueCommentFacts[] {
    const { issues = 0, comments = 0 } = this.#records;
    const talks = this.#pulls + issues;
    return this.#make(comments, (index) => {
      const number = (index % talks) + 1;
      return { ...this.#common(index, comments), number, isPull: number <= this.#pulls };
    });
  }

  reviews(): ReviewFacts[] {
    const { reviews = 0 } = this.#records;
    return this.#make(reviews, (index) => {
      const key = index % this.#pulls;
      const opened = this.#end - (this.#pulls - key) * STEP;
      const time = Math.min(this.#end, opened + (1 + Math.floor(index / this.#pulls)) * HOUR);
      return {
        ...this.#common(index, reviews),
        number: key + 1,
        state: STATES[index % STATES.length] ?? 'COMMENTED',
        submittedAt: time,
        createdAt: time,
        updatedAt: time,
        sha: this.#sha('head', key),
      };
    });
  }

  reviewComments(): ReviewCommentFacts[] {
    const { reviewComments = 0, reviews = 0 } = this.#records;
    return this.#make(reviewComments, (index) => {
      const review = Math.floor(index / 2) % Math.max(1, reviews);
      const isAnswer = index % 2 === 1;
      return {
        ...this.#common(index, reviewComments),
        number: (review % this.#pulls) + 1,
        reviewId: idBase(this.#id) + review + 1,
        inReplyTo: isAnswer ? idBase(this.#id) + index : null,
        path: `internal/part_${review % 40}.go`,
        line: 10 + (review % 300),
        hunk: '@@ -9,3 +9,4 @@\n one\n two\n three\n+four',
        isOutdated: review % 5 === 0,
        sha: this.#sha('head', review),
      };
    });
  }

  runs(): RunFacts[] {
    const { runs = 0 } = this.#records;
    return this.#make(runs, (index) => {
      const { id, createdAt, author } = this.#common(index, runs);
      const isFailed = index % 9 === 0;
      const isAgain = index % 13 === 0;
      const startedAt = createdAt + (isAgain ? HOUR : 0);
      return {
        id,
        createdAt,
        startedAt,
        updatedAt: startedAt + (240 + (index % 600)) * 1000,
        workflow: workflowOf(this.#id, index % 2 === 0 ? 0 : 1),
        runNumber: Math.floor(index / 2) + 1,
        attempt: isAgain ? 2 : 1,
        event: index % 4 === 0 ? 'push' : 'pull_request',
        status: 'completed',
        conclusion: isFailed ? 'failure' : 'success',
        branch: index % 4 === 0 ? 'main' : `change-${index}`,
        sha: this.#sha('head', index >> 1),
        title: harbor.titles[index % harbor.titles.length] ?? '',
        actor: author,
        triggeredBy: author,
        pull: null,
      };
    });
  }

  releases(): ReleaseFacts[] {
    const { releases = 0 } = this.#records;
    return this.#make(releases, (index) => {
      const common = this.#common(index, releases);
      const publishedAt = common.createdAt + 600_000;
      const tag = `v1.${index}.0`;
      return {
        ...common,
        ...{ tag, name: tag, isDraft: false, isPrerelease: index % 5 === 0, publishedAt, assets: [] },
        updatedAt: publishedAt,
      };
    });
  }

  history(): History {
    const { commits = 0 } = this.#records;
    let parent: string | undefined;
    const made = this.#make(commits, (index): CommitFacts => {
      const { createdAt, author, body } = this.#common(index, commits);
      const sha = this.#sha('commit', index);
      const parents = parent === undefined ? [] : [parent];
      parent = sha;
      const by = person(author, createdAt);
      return { sha, parents, message: body, author: by, committer: by, isVerified: false };
    });
    return { commits: made, head: parent };
  }

  #make<Facts>(count: number, make: (index: number) => Facts): Facts[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  /** Returns what most records have. Their times are spread over those of the pull requests. */
  #common(index: number, count: number) {
    const span = this.#pulls * STEP;
    const createdAt = Math.floor((this.#end - span + (span * index) / Math.max(1, count)) / 1000) * 1000;
    const people = [...harbor.members, ...harbor.contributors];
    return {
      id: idBase(this.#id) + index + 1,
      createdAt,
      updatedAt: createdAt,
      author: people[index % people.length] ?? 'ada-nowak',
      association: 'MEMBER' as const,
      body: this.#texts[index % this.#texts.length] ?? '',
      thumbs: index % 3,
    };
  }

  #sha(what: string, index: number): string {
    return hash('sha1', `${this.#id}/${what}/${index}`);
  }
}
