import type { PullFacts } from '../../github/pull-facts.ts';
import type { IssueCommentFacts, ReviewCommentFacts, ReviewFacts } from '../../github/record-facts.ts';
import { SeededRandom } from '../seeded-random.ts';
import { CODE_LINES, LINE_ANSWERS, LINE_REMARKS, REMARKS, REVIEW_TEXTS, VISITORS } from './activity-words.ts';
import type { PullProject } from './pull-project.ts';
import { associationOf, headSha, idBase, isBot, wholeSeconds } from './sample-people.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** What people wrote about a pull request. */
export interface Conversation {
  comments: IssueCommentFacts[];
  reviews: ReviewFacts[];
  reviewComments: ReviewCommentFacts[];
}

/** Generates the comments and reviews of a pull request, as many comments as its size says, before its last update. */
export function sampleConversation(project: PullProject, pull: PullFacts): Conversation {
  return new ConversationWriter(project, pull).write();
}

class ConversationWriter {
  readonly #project: PullProject;
  readonly #pull: PullFacts;
  readonly #random: SeededRandom;
  readonly #firstId: number;
  readonly #end: number;
  readonly #reviewers: string[];
  readonly #reviews: ReviewFacts[] = [];
  readonly #reviewComments: ReviewCommentFacts[] = [];

  constructor(project: PullProject, pull: PullFacts) {
    this.#project = project;
    this.#pull = pull;
    this.#random = new SeededRandom(`${project.repository.name}/conversation/${pull.number}`);
    this.#firstId = idBase(project.repository.id) + pull.number * 1000;
    this.#end = pull.closedAt ?? pull.updatedAt;
    // Requested reviewers have not reviewed yet.
    const able = (logins: readonly string[]) =>
      logins.filter((login) => login !== pull.author && !pull.reviewers.includes(login) && !isBot(login));
    const members = able(project.members);
    this.#reviewers = members.length > 0 ? members : able([...project.contributors, ...VISITORS]);
  }

  write(): Conversation {
    const comments = this.#comments();
    this.#writeReviews();
    this.#writeThreads();
    const byTime = (one: { createdAt: number; id: number }, other: { createdAt: number; id: number }) =>
      one.createdAt - other.createdAt || one.id - other.id;
    return {
      comments,
      reviews: this.#reviews.sort(byTime),
      reviewComments: this.#reviewComments.sort(byTime),
    };
  }

  /** Returns a time after `from` and before the end; most follow soon. */
  #later(from: number, most: number): number {
    const span = Math.max(0, this.#end - from);
    return wholeSeconds(from + Math.min(span, this.#random.next() ** 2 * Math.min(span, most)));
  }

  #comments(): IssueCommentFacts[] {
    const { number, author, createdAt, size } = this.#pull;
    const random = this.#random;
    return Array.from({ length: size.comments }, (_, index) => {
      const isReport = index === 0 && random.chance(0.4);
      const from = isReport
        ? 'github-actions[bot]'
        : random.chance(0.4)
          ? (author ?? 'ghost')
          : random.pick(this.#reviewers);
      const time = isReport ? this.#later(createdAt, 20 * MINUTE) : this.#later(createdAt, 30 * DAY);
      return {
        id: this.#firstId + index,
        number,
        isPull: true,
        body: isReport
          ? `**Coverage** ${random.between(71, 96)}.${random.between(0, 9)} %, changed by +0.${random.between(0, 9)} %.`
          : random.pick(REMARKS),
        author: from,
        association: associationOf(this.#project, from),
        thumbs: Math.floor(random.next() ** 4 * 5),
        createdAt: time,
        updatedAt: random.chance(0.08) ? this.#later(time, DAY) : time,
      };
    }).sort((one, other) => one.createdAt - other.createdAt || one.id - other.id);
  }

  #writeReviews(): void {
    const { mergedAt, closedAt, isDraft, author } = this.#pull;
    const random = this.#random;
    if (isDraft && random.chance(0.7)) return;
    const isMerged = mergedAt !== null;
    const rounds = isMerged
      ? isBot(author ?? '')
        ? random.between(0, 1)
        : random.between(1, 3)
      : random.between(0, closedAt === null ? 2 : 1);
    let from = this.#pull.createdAt;
    for (let round = 0; round < rounds; round++) {
      const isLast = round === rounds - 1;
      const time = this.#later(from + (this.#end - from > 30 * MINUTE ? 10 * MINUTE : 0), 9 * DAY);
      from = time;
      const state =
        isMerged && isLast
          ? 'APPROVED'
          : random.pick(['COMMENTED', 'COMMENTED', 'CHANGES_REQUESTED', 'APPROVED', 'DISMISSED'] as const);
      this.#review(random.pick(this.#reviewers), state, time);
    }
  }

  #review(author: string, state: keyof typeof REVIEW_TEXTS, time: number, body?: string): ReviewFacts {
    const review: ReviewFacts = {
      id: this.#firstId + this.#reviews.length,
      number: this.#pull.number,
      state,
      body: body ?? this.#random.pick(REVIEW_TEXTS[state]),
      author,
      association: associationOf(this.#project, author),
      createdAt: time,
      updatedAt: time,
      submittedAt: time,
      sha: headSha(this.#project, this.#pull),
    };
    this.#reviews.push(review);
    return review;
  }

  /** Writes threads of comments on lines. An answer is a review of its own, without text. */
  #writeThreads(): void {
    const random = this.#random;
    const { size, author, createdAt } = this.#pull;
    if (size.reviewComments > 0 && this.#reviews.length === 0)
      this.#review(random.pick(this.#reviewers), 'COMMENTED', this.#later(createdAt, 5 * DAY));
    const opening = [...this.#reviews];
    let left = size.reviewComments;
    while (left > 0) {
      const review = random.pick(opening);
      const first = this.#reviewComment(review, random.pick(LINE_REMARKS), null);
      left--;
      let previous = first;
      for (let answers = random.between(0, 2); answers > 0 && left > 0; answers--, left--) {
        const by = previous.author === author ? (review.author ?? 'ghost') : (author ?? 'ghost');
        const answer = this.#review(by, 'COMMENTED', this.#later(previous.createdAt, 3 * DAY), '');
        previous = this.#reviewComment(answer, random.pick(LINE_ANSWERS), first);
      }
    }
  }

  #reviewComment(review: ReviewFacts, body: string, first: ReviewCommentFacts | null): ReviewCommentFacts {
    const random = this.#random;
    const line = random.between(4, 400);
    const comment: ReviewCommentFacts = {
      id: this.#firstId + this.#reviewComments.length,
      number: this.#pull.number,
      reviewId: review.id,
      inReplyTo: first?.id ?? null,
      path: first?.path ?? pathOf(random, this.#project),
      line: first?.line ?? line,
      hunk: first?.hunk ?? hunkAt(random, line),
      isOutdated: first?.isOutdated ?? random.chance(0.3),
      sha: review.sha,
      body,
      author: review.author,
      association: review.association,
      thumbs: Math.floor(random.next() ** 5 * 4),
      createdAt: review.createdAt,
      updatedAt: random.chance(0.05) ? this.#later(review.createdAt, DAY) : review.createdAt,
    };
    this.#reviewComments.push(comment);
    return comment;
  }
}

function pathOf(random: SeededRandom, { parts, repository }: PullProject): string {
  const words = random
    .pick(parts)
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['part'];
  const name = words.filter((word) => word !== 'the').join('_');
  const ending = { Go: 'go', TypeScript: 'tsx', Shell: 'sh', HCL: 'tf' }[repository.language ?? ''] ?? 'txt';
  return `${random.pick(['internal', 'src', 'cmd'])}/${name}.${ending}`;
}

function hunkAt(random: SeededRandom, line: number): string {
  const before = Array.from({ length: 3 }, () => ` ${random.pick(CODE_LINES)}`);
  return [`@@ -${line - 3},6 +${line - 3},9 @@`, ...before, `+${random.pick(CODE_LINES)}`].join('\n');
}
