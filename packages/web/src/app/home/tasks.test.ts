import { describe, expect, it } from 'vitest';
import type { Provider, Sync } from '../../api/models.ts';
import { accountTasks, alertTasks, syncTasks, tokenTasks } from './tasks.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const account = (more: object) => ({ account: 'octocat', status: 'connected', expiresAt: null, ...more });
const providerWith = (...accounts: object[]) =>
  [{ key: 'github', title: 'GitHub', accounts }] as unknown as Provider[];
const sync = (more: object) =>
  ({
    id: 's1',
    number: 1,
    entityLabel: 'gh-pulls',
    account: 'octocat',
    status: 'finished',
    summary: {},
    ...more,
  }) as Sync;
const titles = new Map([['gh-pulls', 'Pull Requests']]);

describe('accountTasks', () => {
  it('lists accounts to reconnect, and those whose token expires soon', () => {
    const providers = providerWith(
      account({ status: 'reconnect-needed' }),
      account({ account: 'soon', expiresAt: '2026-12-05T00:00:00.000Z' }),
      account({ account: 'later', expiresAt: '2027-06-01T00:00:00.000Z' }),
      account({ account: 'gone', status: 'disconnected', expiresAt: '2026-12-01T00:00:00.000Z' }),
      account({ account: 'fine' }),
    );
    expect(accountTasks(providers, NOW).map(({ title, label }) => [title, label])).toEqual([
      ['GitHub · octocat', 'Reconnect'],
      ['GitHub · soon', 'Expires soon'],
    ]);
  });
});

describe('syncTasks', () => {
  it('lists the newest sync of each entity and account if it failed or runs', () => {
    const syncs = [
      sync({ id: 'old', number: 1, status: 'failed', summary: { reason: 'Too old' } }),
      sync({ id: 'new', number: 2, status: 'finished' }),
      sync({ id: 'failed', number: 3, account: 'work', status: 'failed', summary: { reason: 'No access.' } }),
      sync({ id: 'cancelled', number: 4, account: 'home', status: 'failed', failure: 'cancelled' }),
      sync({ id: 'running', number: 5, account: 'lab', status: 'started' }),
    ];
    expect(syncTasks(syncs, titles).map(({ title, hint }) => [title, hint])).toEqual([
      ['Pull Requests · work', 'No access.'],
      ['Pull Requests · lab', 'Is being synchronized'],
    ]);
  });
});

describe('alertTasks', () => {
  it('lists alerts that fail, but none that are paused', () => {
    const alert = { _id: 'a1', viewTitle: 'Open ones', problem: 'The view was deleted.', isPaused: false };
    const alerts = [alert, { ...alert, problem: null }, { ...alert, isPaused: true }];
    expect(alertTasks(alerts as unknown as Parameters<typeof alertTasks>[0]).map(({ hint }) => hint)).toEqual(
      ['The view was deleted.'],
    );
  });
});

describe('tokenTasks', () => {
  it('lists tokens that expire within two weeks, but none that have expired', () => {
    const tokens = ['2026-12-10', '2026-11-27', '2027-01-01'].map((day) => ({
      _id: day,
      name: day,
      expiresAt: `${day}T00:00:00.000Z`,
    }));
    expect(
      tokenTasks(tokens as unknown as Parameters<typeof tokenTasks>[0], NOW).map(({ title }) => title),
    ).toEqual(['API token 2026-12-10']);
  });
});
