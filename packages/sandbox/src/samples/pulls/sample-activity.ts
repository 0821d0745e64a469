import type { History } from '../../github/commit-history.ts';
import type { PullFacts } from '../../github/pull-facts.ts';
import type {
  IssueCommentFacts,
  IssueFacts,
  ReleaseFacts,
  ReviewCommentFacts,
  ReviewFacts,
  RunFacts,
} from '../../github/record-facts.ts';
import type { ActivitySource } from '../../github/repository-activity.ts';
import type { PullProject } from './pull-project.ts';
import { type Conversation, sampleConversation } from './sample-conversations.ts';
import { sampleHistory } from './sample-history.ts';
import { type Discussion, sampleDiscussions } from './sample-issues.ts';
import { sampleReleases } from './sample-releases.ts';
import { sampleRuns } from './sample-runs.ts';

/** Generates the issues, comments, reviews, runs, commits and releases of a sample repository from its pull requests, always the same. */
export class SampleActivity implements ActivitySource {
  readonly #project: PullProject;
  readonly #anchor: number;
  readonly #readPulls: () => readonly PullFacts[];
  #pulls: readonly PullFacts[] | undefined;
  #conversations: Conversation[] | undefined;
  #discussions: Discussion[] | undefined;

  /** @param readPulls returns the pull requests, the oldest first */
  constructor(project: PullProject, anchor: number, readPulls: () => readonly PullFacts[]) {
    this.#project = project;
    this.#anchor = anchor;
    this.#readPulls = readPulls;
  }

  issues(): IssueFacts[] {
    return this.#talk().map(({ issue }) => issue);
  }

  issueComments(): IssueCommentFacts[] {
    return [
      ...this.#talk().flatMap(({ comments }) => comments),
      ...this.#reviewing().flatMap(({ comments }) => comments),
    ];
  }

  reviewComments(): ReviewCommentFacts[] {
    return this.#reviewing().flatMap(({ reviewComments }) => reviewComments);
  }

  reviews(): ReviewFacts[] {
    return this.#reviewing().flatMap(({ reviews }) => reviews);
  }

  runs(): RunFacts[] {
    return sampleRuns(this.#project, this.#allPulls, this.#anchor);
  }

  releases(): ReleaseFacts[] {
    return sampleReleases(this.#project, this.#allPulls, this.#anchor);
  }

  history(): History {
    const start = this.#anchor - (this.#project.days + 80) * 86_400_000;
    return sampleHistory(this.#project, this.#allPulls, this.releases(), start);
  }

  get #allPulls(): readonly PullFacts[] {
    this.#pulls ??= this.#readPulls();
    return this.#pulls;
  }

  #talk(): Discussion[] {
    this.#discussions ??= sampleDiscussions(this.#project, this.#allPulls, this.#anchor);
    return this.#discussions;
  }

  #reviewing(): Conversation[] {
    this.#conversations ??= this.#allPulls.map((pull) => sampleConversation(this.#project, pull));
    return this.#conversations;
  }
}
