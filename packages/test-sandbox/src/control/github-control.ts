import type { GithubService, PersonalTokenGrant, PullRepository, PullShape } from '@datadeck/sandbox/parts';
import type { SyntheticRecords } from '../synthetic/synthetic-activity.ts';
import { syntheticRepository } from '../synthetic/synthetic-repository.ts';
import { type GithubRecordsControl, githubRecordsControl } from './github-records-control.ts';
import { plainPull } from './plain-pull.ts';
import { oddFields, type PullOddity } from './pull-oddities.ts';

/** Repositories to add: `{ owner: 'bench', count: 60, pulls: 200, members: ['ada-nowak'] }` adds bench/repo-1 to bench/repo-60. */
export interface RepositoriesOrder {
  owner: string;
  count: number;
  /** Pull requests of each. */
  pulls: number;
  /** Numbers of other records of each; default none. */
  records?: SyntheticRecords;
  /** Logins that find them in GET /user/repos. */
  members: readonly string[];
  /** Start of their names; default `repo`. */
  prefix?: string;
  /** Whether only the members can see them. */
  isPrivate?: boolean;
  isFork?: boolean;
}

/** Actions on GitHub's data. Repositories are named `owner/name`. */
export interface GithubControl extends GithubRecordsControl {
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
  /** Transfers a repository to another owner, by default an organisation; the old name then responds with 301. */
  transferRepository(repository: string, owner: string, type?: 'User' | 'Organization'): void;
  deleteRepository(repository: string): void;
  /** Sets whether a repository is archived, by default true. */
  archiveRepository(repository: string, isArchived?: boolean): void;
  /** Adds repositories with generated pull requests. Returns their full names. */
  addRepositories(order: RepositoriesOrder): string[];
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

const ALL_PERMISSIONS: Omit<PersonalTokenGrant, 'account'> = {
  kind: 'fine-grained',
  privateRepositories: true,
  pullRequests: true,
  issues: true,
  actions: true,
  contents: true,
  expiresAt: 0,
};

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
    ...githubRecordsControl(github, open),
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
    transferRepository: (fullName, owner, type = 'Organization') =>
      github.repositories.transfer(open(fullName), owner, type),
    archiveRepository(fullName, isArchived = true) {
      open(fullName).isArchived = isArchived;
    },
    addRepositories: (order) => addRepositories(github, order),
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
        ...ALL_PERMISSIONS,
        ...grant,
      }),
    deleteToken: (token) => github.personalTokens.delete(token),
    revoke: (token) => github.tokens.revoke(token),
  };
}

/** Id of the first added repository. */
const FIRST_ID = 890_000_001;

function addRepositories(github: GithubService, order: RepositoriesOrder): string[] {
  const { owner, count, pulls, members, prefix = 'repo', isPrivate = false, isFork = false } = order;
  const { repositories } = github;
  const { anchor } = github.context.settings;
  return Array.from({ length: count }, (_, index) => {
    let id = FIRST_ID;
    while (repositories.byId(id)) id++;
    const place = { id, owner, name: `${prefix}-${index + 1}`, members };
    const repository = syntheticRepository(
      isPrivate ? { ...place, visibleTo: members } : place,
      pulls,
      anchor,
      order.records,
    );
    repository.isFork = isFork;
    // The first one was pushed to last.
    repository.pushedAt = anchor - index * 60_000;
    repositories.add(repository);
    return repository.fullName;
  });
}
