import fastify from 'fastify';
import { expect, it } from 'vitest';
import { accountsFor } from '../accounts.ts';
import { FaultInjector } from '../faults/fault-injector.ts';
import { CallCounters } from '../requests/call-counters.ts';
import { resolveSettings } from '../settings/sandbox-options.ts';
import { registerGithubApi } from './github-routes.ts';
import { GithubService } from './github-service.ts';
import { findRepository } from './repository-lookup.ts';

const LOOKUP = '/repos/ada-nowak/dotfiles/lookup';

it.each(['repo-renamed', 'repo-deleted', 'repo-private'] as const)(
  'finds a repository without applying a due fault (%s)',
  async (name) => {
    const settings = resolveSettings({ baseUrl: 'http://sandbox.example' });
    const faults = new FaultInjector();
    const accounts = accountsFor(settings);
    const context = { settings, faults, counters: new CallCounters() };
    const github = new GithubService(context, accounts.githubAccounts, () => accounts.repositories());
    const app = fastify();
    await app.register(async (scope) => {
      await registerGithubApi(scope, github);
      scope.get('/repos/:owner/:repo/lookup', async (request) => ({
        name: findRepository(github, request, undefined).fullName,
      }));
    });
    const fault = faults.add({ name });

    for (let round = 0; round < 2; round += 1)
      expect((await app.inject(LOOKUP)).json()).toEqual({ name: 'ada-nowak/dotfiles' });
    expect(fault.hits).toBe(0);
    await app.close();
  },
);
