import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedGithub, connectGithub } from '../../../test-support/connected-github.ts';
import type { ScopeChoice } from '../../sdk/index.ts';
import { repositoryScopes } from './repository-scopes.ts';

const CHOICE: ScopeChoice = {
  name: 'Octo/hello',
  title: 'Octo/hello',
  group: 'Octo',
  isPrivate: false,
  isFork: false,
  isArchived: false,
  isTrash: false,
  count: null,
  changedAt: null,
};

let github: ConnectedGithub;

beforeAll(async () => {
  github = await connectGithub();
});
afterAll(() => github.sandbox.close());
beforeEach(() => github.reset());

async function list(pattern?: string) {
  const { signal } = new AbortController();
  const client = github.client(signal);
  const request = { client, signal, ...(pattern === undefined ? {} : { pattern }) };
  const choices: ScopeChoice[] = [];
  for await (const batch of repositoryScopes.list(request)) choices.push(...batch);
  const selected = pattern ? choices.filter((choice) => repositoryScopes.selects(pattern, choice)) : choices;
  return { names: selected.map(({ name }) => name), choices, requests: client.requests };
}

describe('repositories to choose from', () => {
  it('are those of the account, the last push first', async () => {
    const control = github.sandbox.control.github;
    const members = ['ada-nowak'];
    const added = control.addRepositories({ owner: 'bench', count: 205, pulls: 1, members });
    const { names, choices, requests } = await list();
    expect(names.filter((name) => name.startsWith('bench/'))).toEqual(added);
    expect(names).toHaveLength(209);
    expect(requests).toBe(3);
    expect(choices.find(({ name }) => name === 'aurora-labs/vault')).toMatchObject({
      group: 'aurora-labs',
      isPrivate: true,
      isArchived: false,
      changedAt: expect.stringMatching(/Z$/),
    });
  });

  it('include public ones of an owner whose pattern is asked for', async () => {
    const control = github.sandbox.control.github;
    control.addRepositories({ owner: 'elsewhere', count: 3, pulls: 1, members: [] });
    control.addRepositories({
      owner: 'elsewhere',
      count: 1,
      pulls: 1,
      members: [],
      prefix: 'f',
      isFork: true,
    });
    control.archiveRepository('elsewhere/repo-2');
    expect((await list()).names).toHaveLength(4);
    const all = await list('Elsewhere/*');
    expect(all.names.sort()).toEqual([
      'elsewhere/f-1',
      'elsewhere/repo-1',
      'elsewhere/repo-2',
      'elsewhere/repo-3',
    ]);
    expect(all.requests).toBe(2);
    expect((await list('elsewhere/* -forks -archived')).names.sort()).toEqual([
      'elsewhere/repo-1',
      'elsewhere/repo-3',
    ]);
    expect((await list('nobody/*')).names).toEqual([]);
    expect((await list('aurora-labs/*')).names.sort()).toEqual([
      'aurora-labs/harbor',
      'aurora-labs/lantern',
      'aurora-labs/vault',
    ]);
  });
});

describe('patterns of repositories', () => {
  it('are offered for each owner and select as they say', () => {
    const offered = repositoryScopes.patterns(['Octo']);
    expect(offered.map(({ pattern }) => pattern)).toEqual([
      'Octo/*',
      'Octo/* -forks',
      'Octo/* -archived',
      'Octo/* -forks -archived',
    ]);
    const selectedBy = (change: Partial<ScopeChoice>) =>
      offered.map(({ pattern }) => repositoryScopes.selects(pattern, { ...CHOICE, ...change }));
    expect(selectedBy({})).toEqual([true, true, true, true]);
    expect(selectedBy({ isFork: true })).toEqual([true, false, true, false]);
    expect(selectedBy({ isArchived: true })).toEqual([true, true, false, false]);
    expect(selectedBy({ group: 'octo' })).toEqual([true, true, true, true]);
    expect(selectedBy({ group: 'octopus' })).toEqual([false, false, false, false]);
  });

  it.each([
    'octo/*/x',
    'octo/* -archived -forks',
    'octo/*  -forks',
    '*/*',
    '*',
    'octo/h*',
    'octo',
    'octo/',
    '/a',
    'octo/..',
  ])('refuses %j', (text) => {
    expect(repositoryScopes.problemOf(text)).toMatch(/^A repository is written as owner\/name/);
    expect(repositoryScopes.isPattern(text)).toBe(false);
  });

  it('takes names in any case, and dots', () => {
    for (const name of ['Octo/Hello', 'a_b/.github', 'octo/a..b']) {
      expect(repositoryScopes.problemOf(name)).toBeUndefined();
      expect(repositoryScopes.nameOf(repositoryScopes.settingsOf(name))).toBe(name);
    }
  });
});
