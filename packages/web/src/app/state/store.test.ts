import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { readToken } from '../../api/auth-token.ts';
import { sessionEnded } from '../../api/session-ended.ts';
import { connectionsEndpoints } from '../../features/connections/connections-api.ts';
import { accountsEndpoints } from '../../features/sign-in/accounts-api.ts';
import { selectToken, signedIn, signedOut } from '../../features/sign-in/auth-slice.ts';
import { endedSessionAddress } from '../../features/sign-in/ended-session.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import { createStore } from './store.ts';

const METHODS = ['log', 'info', 'debug', 'warn', 'error', 'group', 'groupCollapsed', 'table'] as const;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/dashboard/data/views?view=1');
});
afterEach(() => vi.restoreAllMocks());

describe('createStore', () => {
  // @covers 7.nothing-asked-after
  it('signs out after the account is deleted, and refetches none of its data', async () => {
    const calls = serve(({ method }) => ({ body: method === 'DELETE' ? { ok: true } : {} }));
    const store = createStore();
    store.dispatch(signedIn('abc'));
    expect(readToken()).toBe('abc');
    await store.dispatch(accountsEndpoints.profile.initiate());
    calls.length = 0;
    const { data } = await store.dispatch(accountsEndpoints.deleteAccount.initiate());
    expect(data).toEqual({ ok: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/accounts/delete-account',
    ]);
    expect(selectToken(store.getState())).toBeNull();
    expect(readToken()).toBeNull();
  });

  // @covers 4.session-ended-401
  it('signs out on a response of 401', async () => {
    serve(() => ({ status: 401, body: {} }));
    const store = createStore();
    store.dispatch(signedIn('abc'));
    await store.dispatch(accountsEndpoints.profile.initiate());
    expect(selectToken(store.getState())).toBeNull();
    expect(readToken()).toBeNull();
    expect(endedSessionAddress()).toBe('/dashboard/data/views?view=1');
  });

  it('signs out on sessionEnded', () => {
    const store = createStore();
    store.dispatch(signedIn('abc'));
    store.dispatch(sessionEnded());
    expect(selectToken(store.getState())).toBeNull();
    expect(readToken()).toBeNull();
    expect(endedSessionAddress()).toBe('/dashboard/data/views?view=1');
  });

  it('ignores sessionEnded while the user signs out', async () => {
    let answer = () => {};
    const answered = new Promise<Response>((resolve) => {
      answer = () => resolve(new Response('{"ok":true}'));
    });
    vi.stubGlobal('fetch', () => answered);
    const store = createStore();
    store.dispatch(signedIn('abc'));
    const leaving = store.dispatch(accountsEndpoints.logout.initiate());
    store.dispatch(sessionEnded());
    expect(selectToken(store.getState())).toBe('abc');
    answer();
    await leaving;
    store.dispatch(signedOut());
    expect(endedSessionAddress()).toBeNull();
    vi.unstubAllGlobals();
  });

  it('remembers no ended session when the logout itself is answered with 401', async () => {
    serve(() => ({ status: 401, body: {} }));
    const store = createStore();
    store.dispatch(signedIn('abc'));
    await store.dispatch(accountsEndpoints.logout.initiate());
    expect(selectToken(store.getState())).toBe('abc');
    store.dispatch(signedOut());
    expect(endedSessionAddress()).toBeNull();
  });

  it('reloads the providers when a call fails because one needs reconnecting', async () => {
    const calls = serve(({ url }) =>
      url.endsWith('/providers')
        ? { body: [] }
        : { status: 409, body: { error: { code: 'reconnect-needed', message: 'Connect it again.' } } },
    );

    const store = createStore();
    await store.dispatch(connectionsEndpoints.providers.initiate());
    await store.dispatch(
      syncEndpoints.planSync.initiate({
        providerId: 'google',
        entityLabel: 'gmail-labels',
        entitySettings: {},
      }),
    );

    await vi.waitFor(
      () => expect(calls.filter(({ url }) => url.endsWith('/providers'))).toHaveLength(2),
      20_000,
    );
  });

  // @covers 9.client-state-changes
  it('does not log state changes', () => {
    const spies = METHODS.map((method) => vi.spyOn(console, method).mockImplementation(() => {}));
    const store = createStore();
    store.dispatch(signedIn('abc'));
    store.dispatch(signedOut());
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});
