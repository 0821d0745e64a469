import { type GithubLinks, isoSeconds } from './links.ts';
import type { PullLabel, PullMilestone } from './pull-facts.ts';
import { labelShape, milestoneShape, type PartOwner } from './pull-part-shapes.ts';
import { type UserShape, type UserType, userShape } from './user-shape.ts';

/** A record in GitHub's format. */
export type Shape = Record<string, unknown>;

/** What the records of a repository link to, under the repository's present name. Users and labels are built once. */
export class RepositoryScene {
  readonly links: GithubLinks;
  readonly facts: PartOwner;
  readonly isPrivate: boolean;
  /** Address of the repository in the API. */
  readonly api: string;
  /** Address of the repository's page. */
  readonly web: string;
  readonly #users = new Map<string, UserShape>();
  readonly #labels = new Map<string, Shape>();

  readonly #repository: Shape;

  /** @param repository the repository in GitHub's format */
  constructor(links: GithubLinks, facts: PartOwner, repository: Shape) {
    this.links = links;
    this.facts = facts;
    this.isPrivate = repository.private === true;
    this.#repository = minimal(repository);
    this.api = `${links.api}/repos/${facts.owner}/${facts.name}`;
    this.web = `${links.web}/${facts.owner}/${facts.name}`;
  }

  /** Returns the user of a login, or null for a deleted account. */
  user(login: string, type?: UserType): UserShape;
  user(login: string | null): UserShape | null;
  user(login: string | null, type?: UserType): UserShape | null {
    if (login === null) return null;
    const found = this.#users.get(login) ?? userShape(this.links, login, type);
    this.#users.set(login, found);
    return found;
  }

  /** Returns the repository as runs have it (schema minimal-repository). */
  minimalRepository(): Shape {
    return this.#repository;
  }

  label(label: PullLabel): Shape {
    const found = this.#labels.get(label.name) ?? labelShape(this.links, this.facts, label);
    this.#labels.set(label.name, found);
    return found;
  }

  milestone(milestone: PullMilestone | null): Shape | null {
    return milestone && milestoneShape(this.links, this.facts, milestone);
  }
}

const MINIMAL = new Set('id node_id name full_name private owner html_url description fork url'.split(' '));

/** Keeps the fields up to `deployments_url`. Those of git have no place in it. */
function minimal(repository: Shape): Shape {
  const isKept = (name: string) =>
    MINIMAL.has(name) || (name.endsWith('_url') && !/^(git|ssh|clone|svn|mirror)_url$/.test(name));
  return Object.fromEntries(Object.entries(repository).filter(([name]) => isKept(name)));
}

/** Returns the summary of reactions to a record, `thumbs` of them 👍 and one in three ❤️. */
export function reactionsShape(address: string, thumbs: number): Shape {
  const hearts = Math.floor(thumbs / 3);
  return {
    url: `${address}/reactions`,
    total_count: thumbs + hearts,
    '+1': thumbs,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: hearts,
    rocket: 0,
    eyes: 0,
  };
}

/** Formats a time like GitHub; null stays null. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoSeconds(time);
}
