import type { GithubService } from '../github/github-service.ts';
import { plainPull } from '../github/plain-pull.ts';
import type { PullRepository } from '../github/pull-repository.ts';
import type { PullShape } from '../github/pull-shape.ts';
import { oddFields, type PullOddity } from './pull-oddities.ts';

/** What can be done to GitHub. Repositories are named `owner/name`. */
export interface GithubControl {
  repositories(): string[];
  /** The numbers of all pull requests, oldest first. */
  pullNumbers(repository: string): number[];
  /** A pull request as the list shows it. */
  pull(repository: string, number: number): PullShape | undefined;
  /** Opens a pull request; `fields` in GitHub's shape override what it would have. Returns its number. */
  insertPull(repository: string, fields?: PullShape): number;
  /** Opens a pull request that is odd in a known way; returns its number. */
  insertOddity(repository: string, oddity: PullOddity): number;
  /** Overrides fields; `updated_at` becomes now. False when there is no such pull request. */
  changePull(repository: string, number: number, fields: PullShape): boolean;
  removePull(repository: string, number: number): boolean;
  /** Renames a repository within its owner; the old name answers 301. */
  renameRepository(repository: string, name: string): void;
  deleteRepository(repository: string): void;
  /** Shows a repository to these logins only, or to everybody. */
  setVisibility(repository: string, logins: readonly string[] | 'public'): void;
  /** Whether new tokens expire after eight hours and come with a rotating refresh token, as those of GitHub Apps. */
  setExpiringTokens(isOn: boolean): void;
  /** Every access token handed out so far is refused. */
  expireAccessTokens(): void;
  /** Ends the grant of a token. False when the token is not good. */
  revoke(token: string): boolean;
}

/** The control of GitHub. */
export function githubControl(github: GithubService): GithubControl {
  const open = (fullName: string): PullRepository => {
    const repository = github.repositories.byName(fullName);
    if (!repository) throw new RangeError(`There is no repository ${fullName}`);
    return repository;
  };
  const insert = (fullName: string, fields: PullShape) => {
    const repository = open(fullName);
    const { row, shape } = plainPull(repository, github.links, fields);
    repository.insert(row, shape);
    return row.number;
  };
  return {
    repositories: () => github.repositories.all().map((repository) => repository.fullName),
    pullNumbers: (fullName) =>
      open(fullName)
        .rows()
        .map((row) => row.number),
    pull(fullName, number) {
      const repository = open(fullName);
      const row = repository.row(number);
      return row && repository.shape(row, 'list', github.links);
    },
    insertPull: (fullName, fields = {}) => insert(fullName, fields),
    insertOddity: (fullName, oddity) =>
      insert(fullName, oddFields(oddity, plainPull(open(fullName), github.links, {}).shape)),
    changePull: (fullName, number, fields) => open(fullName).change(number, fields, Date.now()),
    removePull: (fullName, number) => open(fullName).remove(number),
    renameRepository: (fullName, name) => github.repositories.rename(open(fullName), name),
    deleteRepository: (fullName) => github.repositories.remove(open(fullName)),
    setVisibility(fullName, logins) {
      open(fullName).visibleTo = logins === 'public' ? undefined : logins;
    },
    setExpiringTokens(isOn) {
      github.issuesExpiringTokens = isOn;
    },
    expireAccessTokens: () => github.tokens.expireAccessTokens(),
    revoke: (token) => github.tokens.revoke(token),
  };
}
