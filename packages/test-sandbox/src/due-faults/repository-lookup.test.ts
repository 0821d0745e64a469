import { accountsFor, createServices, requestedRepository, resolveSettings } from '@datadeck/sandbox/parts';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { CallCounters } from '../control/call-counters.ts';
import { FaultInjector } from '../faults/fault-injector.ts';
import { faultHooks } from './fault-hooks.ts';
import { addTransportFaults } from './transport-faults.ts';

const LOOKUP = '/repos/ada-nowak/dotfiles/lookup';

it.each(['repo-renamed', 'repo-deleted', 'repo-private'] as const)(
  'finds a repository without applying a due fault (%s)',
  async (name) => {
    const settings = resolveSettings({ baseUrl: 'http://sandbox.example' });
    const faults = new FaultInjector();
    const counters = new CallCounters();
    const { github } = createServices(settings, accountsFor(settings), (services) =>
      faultHooks(services, faults, counters),
    );
    const app = Fastify();
    const api = { api: 'github', identify: () => undefined, errorBody: () => ({}) } as const;
    await app.register(async (scope) => {
      addTransportFaults(scope, api, { faults, counters });
      scope.get('/repos/:owner/:repo/lookup', async (request) => ({
        name: requestedRepository(github, request)?.fullName,
      }));
    });
    const fault = faults.add({ name });

    for (let round = 0; round < 2; round += 1)
      expect((await app.inject(LOOKUP)).json()).toEqual({ name: 'ada-nowak/dotfiles' });
    expect(fault.hits).toBe(0);
    await app.close();
  },
);
