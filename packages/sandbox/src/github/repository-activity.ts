import { issueCommentShape, reviewCommentShape, reviewShape } from './comment-shapes.ts';
import { CommitHistory, type History } from './commit-history.ts';
import { issueShape } from './issue-shape.ts';
import type {
  IssueCommentFacts,
  IssueFacts,
  ReleaseFacts,
  ReviewCommentFacts,
  ReviewFacts,
  RunFacts,
} from './record-facts.ts';
import { RecordTable } from './record-table.ts';
import { releaseShape } from './release-shape.ts';
import type { RepositoryScene } from './repository-scene.ts';
import { runShape } from './run-shape.ts';

/** Generates the records of a repository beside its pull requests, each kind once and on first use. */
export interface ActivitySource {
  issues(): IssueFacts[];
  issueComments(): IssueCommentFacts[];
  reviewComments(): ReviewCommentFacts[];
  reviews(): ReviewFacts[];
  runs(): RunFacts[];
  releases(): ReleaseFacts[];
  history(): History;
}

/** The issues of a repository, and what people and workflows do about its pull requests. */
export class RepositoryActivity {
  readonly issues: RecordTable<IssueFacts>;
  readonly issueComments: RecordTable<IssueCommentFacts>;
  readonly reviewComments: RecordTable<ReviewCommentFacts>;
  readonly reviews: RecordTable<ReviewFacts>;
  readonly runs: RecordTable<RunFacts>;
  readonly releases: RecordTable<ReleaseFacts>;
  readonly history: CommitHistory;
  /** Comments that were added to pull requests since the start, by number. */
  readonly #addedComments = new Map<number, number>();
  #byNumber: { rows: readonly ReviewFacts[]; reviews: Map<number, ReviewFacts[]> } | undefined;
  #newestIssue: { rows: readonly IssueFacts[]; number: number } | undefined;

  constructor(source?: ActivitySource) {
    this.issues = new RecordTable(() => source?.issues() ?? [], issueShape);
    this.issueComments = new RecordTable(() => source?.issueComments() ?? [], issueCommentShape);
    this.reviewComments = new RecordTable(() => source?.reviewComments() ?? [], reviewCommentShape);
    this.reviews = new RecordTable(() => source?.reviews() ?? [], reviewShape);
    this.runs = new RecordTable(() => source?.runs() ?? [], runShape);
    this.releases = new RecordTable(() => source?.releases() ?? [], releaseShape);
    this.history = new CommitHistory(() => source?.history() ?? { commits: [], head: undefined });
  }

  /** Fills caches in advance, so that the first requests are not slower than later ones. */
  prepare(scene: RepositoryScene): void {
    for (const table of [this.issues, this.issueComments, this.reviewComments]) table.prepare(scene);
    this.reviewsOf(0);
  }

  /** Returns the highest number of an issue; 0 without issues. */
  newestNumber(): number {
    const rows = this.issues.rows();
    if (this.#newestIssue?.rows !== rows)
      this.#newestIssue = { rows, number: rows.reduce((most, { number }) => Math.max(most, number), 0) };
    return this.#newestIssue.number;
  }

  issue(number: number): IssueFacts | undefined {
    return this.issues.rows().find((issue) => issue.number === number);
  }

  /** Returns the reviews of a pull request, the oldest first. */
  reviewsOf(number: number): readonly ReviewFacts[] {
    const rows = this.reviews.rows();
    if (this.#byNumber?.rows !== rows) {
      const reviews = Map.groupBy(rows, (review) => review.number);
      for (const list of reviews.values())
        list.sort((one, other) => one.createdAt - other.createdAt || one.id - other.id);
      this.#byNumber = { rows, reviews };
    }
    return this.#byNumber.reviews.get(number) ?? [];
  }

  /** Returns how many comments were added to a pull request since the start; negative if more were deleted. */
  addedComments(number: number): number {
    return this.#addedComments.get(number) ?? 0;
  }

  /** Counts comments that are added to a pull request, or deleted. */
  countComments(number: number, added: number): void {
    this.#addedComments.set(number, this.addedComments(number) + added);
  }
}
