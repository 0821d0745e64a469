import type { GithubService, PersonalTokenGrant, PullRepository, PullShape } from '@datadeck/sandbox/parts';
import { plainPull } from './plain-pull.ts';
import { oddFields, type PullOddity } from './pull-oddities.ts';

/** Actions on GitHub's data. Repositories are named `owner/name`. */
export interface GithubControl {
  repositories(): string[];
  /** Returns the numbers of all pull requests, oldest first. */
  pullNumbers(repository: string): number[];
  /** Returns a pull request in the format of the list. */
  pull(repository: string, number: number): PullShape | undefined;
  /** Creates a pull request; `fields` in GitHub's format override its defaults. Returns its number. */
  insertPull(repository: string, fields?: PullShape): number;
  /** Creates a pull request with a named oddity; returns its number. */
  insertOddity(repository: string, oddity: PullOddity): number;
  /** Changes fields and sets `updated_at` to now. Returns false if there is no such pull request. */
  changePull(repository: string, number: number, fields: PullShape): boolean;
  removePull(repository: string, number: number): boolean;
  /** Renames a repository within its owner; the old name then responds with 301. */
  renameRepository(repository: string, name: string): void;
  deleteRepository(repository: string): void;
  /** Makes a repository visible to these logins only, or to everyone. */
  setVisibility(repository: string, logins: readonly string[] | 'public'): void;
  /** Sets whether new tokens expire after eight hours and have a rotating refresh token, like those of GitHub Apps. */
  setExpiringTokens(isOn: boolean): void;
  /** Expires all access tokens issued so far. */
  expireAccessTokens(): void;
  /** Creates a personal access token of a login; by default fine-grained, with all permissions, without expiry. */
  createToken(login: string, grant?: Partial<Omit<PersonalTokenGrant, 'account'>>): string;
  /** Deletes a personal access token. */
  deleteToken(token: string): void;
  /** Revokes the grant of a token. Returns false for an invalid token. */
  revoke(token: string): boolean;
}

/** Creates the control of GitHub. */
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
    createToken: (login, grant = {}) =>
      github.personalTokens.issue({
        account: github.accounts.findIndex((account) => account.login === login),
        ...{ kind: 'fine-grained', privateRepositories: true, pullRequests: true, expiresAt: 0 },
        ...grant,
      }),
    deleteToken: (token) => github.personalTokens.delete(token),
    revoke: (token) => github.tokens.revoke(token),
  };
}
