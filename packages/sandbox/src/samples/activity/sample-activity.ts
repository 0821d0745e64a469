import type {
  IssueCommentFacts,
  IssueFacts,
  ReviewCommentFacts,
  ReviewFacts,
} from '../../github/activity/facts.ts';
import type { ActivitySource } from '../../github/activity/repository-activity.ts';
import type { PullFacts } from '../../github/pull-facts.ts';
import type { PullProject } from '../pulls/pull-project.ts';
import { type Conversation, sampleConversation } from './sample-conversations.ts';
import { type Discussion, sampleDiscussions } from './sample-issues.ts';

/** Generates the issues, comments and reviews of a sample repository from its pull requests, always the same. */
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
