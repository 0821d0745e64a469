import { hash } from 'node:crypto';
import { type GithubLinks, isoSeconds, nodeId } from './links.ts';
import type { PullFacts, PullLabel } from './pull-facts.ts';
import { labelShape, milestoneShape, teamShape } from './pull-part-shapes.ts';
import { type RepositoryFacts, repositoryShape } from './repository-shape.ts';
import { userId, userShape } from './user-shape.ts';

/** A pull request in GitHub's format. */
export type PullShape = Record<string, unknown>;

const CLOSING = Buffer.from('}');

/**
 * Builds the pull requests of one repository; shared parts are built once. The private methods that return a `PullShape`
 * build consecutive fields in GitHub's order.
 */
export class PullShaper {
  readonly #links: GithubLinks;
  readonly #facts: RepositoryFacts;
  readonly #repository: Record<string, unknown>;
  readonly #users = new Map<string, Record<string, unknown>>();
  readonly #forks = new Map<string, Record<string, unknown>>();
  readonly #texts = new WeakMap<object, Buffer>();
  readonly #labels = new Map<string, Record<string, unknown>>();

  constructor(links: GithubLinks, facts: RepositoryFacts) {
    this.#links = links;
    this.#facts = facts;
    this.#repository = repositoryShape(links, facts);
  }

  /** Returns the list form (schema pull-request-simple), or the single form with additional fields (schema pull-request). */
  shape(pull: PullFacts, form: 'list' | 'single'): PullShape {
    const list = {
      ...this.#identity(pull),
      ...this.#content(pull),
      ...this.#branches(pull),
      ...this.#relations(pull),
    };
    return form === 'list' ? list : { ...list, ...this.#details(pull) };
  }

  /** Returns the list form as JSON, `head` and `base` last. Repositories, two thirds of it, are serialised only once. */
  text(pull: PullFacts): Buffer {
    const { head, base, ...rest } = this.shape(pull, 'list');
    const parts: Buffer[] = [Buffer.from(JSON.stringify(rest).slice(0, -1))];
    for (const [name, branch] of Object.entries({ head, base })) {
      const { repo, ...own } = branch as { repo: object | null };
      parts.push(
        Buffer.from(`,"${name}":${JSON.stringify(own).slice(0, -1)},"repo":`),
        this.#repositoryText(repo),
        CLOSING,
      );
    }
    return Buffer.concat([...parts, CLOSING]);
  }

  /** Returns ids, hashes, times and number as in the JSON; pull requests that `PullTemplate` fills differ only in these. */
  identityTexts(pull: PullFacts): string[] {
    const id = this.pullId(pull.number);
    const closed = pull.closedAt === null ? 'never' : isoSeconds(pull.closedAt);
    const hashes = ['head', 'merge', 'base'].map((what) => this.#sha(pull, what));
    return [
      String(id),
      nodeId('PR', id),
      ...hashes,
      isoSeconds(pull.createdAt),
      isoSeconds(pull.updatedAt),
      closed,
      String(pull.number),
    ];
  }

  #repositoryText(repository: object | null): Buffer {
    if (repository === null) return Buffer.from('null');
    const text = this.#texts.get(repository) ?? Buffer.from(JSON.stringify(repository));
    this.#texts.set(repository, text);
    return text;
  }

  #identity(pull: PullFacts): PullShape {
    const id = this.pullId(pull.number);
    const web = `${this.#links.web}/${this.#fullName}/pull/${pull.number}`;
    return {
      url: `${this.#api}/pulls/${pull.number}`,
      id,
      node_id: nodeId('PR', id),
      html_url: web,
      diff_url: `${web}.diff`,
      patch_url: `${web}.patch`,
      issue_url: `${this.#api}/issues/${pull.number}`,
      number: pull.number,
      state: pull.state,
      locked: pull.isLocked,
      title: pull.title,
    };
  }

  /** Builds `user` to `draft`. */
  #content(pull: PullFacts): PullShape {
    const milestone = pull.milestone && milestoneShape(this.#links, this.#facts, { ...pull.milestone });
    return {
      user: pull.author === null ? null : this.#user(pull.author),
      body: pull.body,
      created_at: isoSeconds(pull.createdAt),
      updated_at: isoSeconds(pull.updatedAt),
      closed_at: pull.closedAt === null ? null : isoSeconds(pull.closedAt),
      merged_at: pull.mergedAt === null ? null : isoSeconds(pull.mergedAt),
      merge_commit_sha: pull.state === 'closed' && pull.mergedAt === null ? null : this.#sha(pull, 'merge'),
      assignee: pull.assignees[0] === undefined ? null : this.#user(pull.assignees[0]),
      assignees: pull.assignees.map((login) => this.#user(login)),
      requested_reviewers: pull.reviewers.map((login) => this.#user(login)),
      requested_teams: pull.teams.map((team) => teamShape(this.#links, this.#facts.owner, team)),
      labels: pull.labels.map((label) => this.#label(label)),
      milestone,
      draft: pull.isDraft,
    };
  }

  /** Builds `commits_url` to `base`. */
  #branches(pull: PullFacts): PullShape {
    const api = `${this.#api}/pulls/${pull.number}`;
    const comments = `${this.#api}/issues/${pull.number}/comments`;
    const statuses = `${this.#api}/statuses/${this.#sha(pull, 'head')}`;
    return {
      commits_url: `${api}/commits`,
      review_comments_url: `${api}/comments`,
      review_comment_url: `${this.#api}/pulls/comments{/number}`,
      comments_url: comments,
      statuses_url: statuses,
      head: {
        label: pull.headOwner === null ? null : `${pull.headOwner}:${pull.headRef}`,
        ref: pull.headRef,
        sha: this.#sha(pull, 'head'),
        user: pull.headOwner === null ? null : this.#user(pull.headOwner),
        repo: this.#headRepository(pull),
      },
      base: {
        label: `${this.#facts.owner}:${pull.baseRef}`,
        ref: pull.baseRef,
        sha: this.#sha(pull, 'base'),
        user: this.#repository.owner,
        repo: this.#repository,
      },
    };
  }

  /** Builds `_links` to `active_lock_reason`. */
  #relations(pull: PullFacts): PullShape {
    const api = `${this.#api}/pulls/${pull.number}`;
    const href = (address: string) => ({ href: address });
    return {
      _links: {
        self: href(api),
        html: href(`${this.#links.web}/${this.#fullName}/pull/${pull.number}`),
        issue: href(`${this.#api}/issues/${pull.number}`),
        comments: href(`${this.#api}/issues/${pull.number}/comments`),
        review_comments: href(`${api}/comments`),
        review_comment: href(`${this.#api}/pulls/comments{/number}`),
        commits: href(`${api}/commits`),
        statuses: href(`${this.#api}/statuses/${this.#sha(pull, 'head')}`),
      },
      author_association: pull.association,
      auto_merge: null,
      active_lock_reason: pull.isLocked ? 'resolved' : null,
    };
  }

  /** Builds the additional fields of the single form. */
  #details(pull: PullFacts): PullShape {
    const isOpen = pull.state === 'open';
    return {
      merged: pull.mergedAt !== null,
      mergeable: isOpen ? true : null,
      rebaseable: isOpen ? pull.number % 5 !== 0 : null,
      mergeable_state: isOpen ? (pull.isDraft ? 'draft' : 'clean') : 'unknown',
      merged_by: pull.mergedBy === null ? null : this.#user(pull.mergedBy),
      comments: pull.size.comments,
      review_comments: pull.size.reviewComments,
      maintainer_can_modify: isOpen && pull.headRepo === 'fork',
      commits: pull.size.commits,
      additions: pull.size.additions,
      deletions: pull.size.deletions,
      changed_files: pull.size.changedFiles,
    };
  }

  /** Returns the permanent id of a pull request; repositories whose ids are equal modulo 9,000 share ids. */
  pullId(number: number): number {
    return (this.#facts.id % 9_000) * 1_000_000 + 100_000_000 + number;
  }

  get #fullName(): string {
    return `${this.#facts.owner}/${this.#facts.name}`;
  }

  get #api(): string {
    return `${this.#links.api}/repos/${this.#fullName}`;
  }

  #headRepository(pull: PullFacts): Record<string, unknown> | null {
    if (pull.headRepo === 'base') return this.#repository;
    if (pull.headRepo === null || pull.headOwner === null) return null;
    const found = this.#forks.get(pull.headOwner);
    if (found) return found;
    const id = this.#facts.id + (userId(pull.headOwner) % 100_000_000);
    const fork = {
      ...this.#facts,
      id,
      owner: pull.headOwner,
      ownerType: 'User',
      isFork: true,
      stars: 0,
      openIssues: 0,
    } as const;
    const shape = repositoryShape(this.#links, fork);
    this.#forks.set(pull.headOwner, shape);
    return shape;
  }

  #label(label: PullLabel): Record<string, unknown> {
    const found = this.#labels.get(label.name) ?? labelShape(this.#links, this.#facts, label);
    this.#labels.set(label.name, found);
    return found;
  }

  #user(login: string): Record<string, unknown> {
    const found = this.#users.get(login) ?? userShape(this.#links, login);
    this.#users.set(login, found);
    return found;
  }

  /** Returns a permanent SHA-1, hex; `base` is the same for all pull requests created at the same time. */
  #sha(pull: PullFacts, what: string): string {
    const changes = what === 'base' ? pull.createdAt : pull.number;
    return hash('sha1', `${this.#facts.id}/${what}/${changes}`);
  }
}
