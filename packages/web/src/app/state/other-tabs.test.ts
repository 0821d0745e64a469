import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readToken } from '../../api/auth-token.ts';
import { DRAFT_KEY } from '../../features/queries/draft-key.ts';
import { accountsApi, accountsEndpoints } from '../../features/sign-in/accounts-api.ts';
import { selectToken, signedIn, signedOut } from '../../features/sign-in/auth-slice.ts';
import { endedSessionAddress } from '../../features/sign-in/ended-session.ts';
import { followOtherTabs } from './other-tabs.ts';
import { type AppStore, createStore } from './store.ts';

const JONAS = {
  _id: 'u1',
  name: 'Jonas',
  email: 'jonas@example.org',
  status: 'pro' as const,
  signInProvider: null,
  timeZone: 'UTC',
};
const ends: (() => void)[] = [];
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.unstubAllGlobals();
});

/** Renders a page on which Jonas is signed in and which follows other tabs. */
function pageOfJonas() {
  const store = createStore();
  const reload = vi.fn();
  ends.push(followOtherTabs(store, reload));
  store.dispatch(signedIn('jonas'));
  store.dispatch(
    accountsApi.util.upsertQueryEntries([{ endpointName: 'profile', arg: undefined, value: JONAS }]),
  );
  return { store, reload };
}

/** Changes the storage as another tab does when it signs in. */
function storeElsewhere(token: string): void {
  localStorage.setItem('dd-authToken', JSON.stringify(token));
  localStorage.setItem('dd-session', JSON.stringify({ value: token, expires: Date.now() + 1e6 }));
}
/** Returns the cached profile. */
const profileIn = (store: AppStore) => accountsEndpoints.profile.select()(store.getState()).data;
const hear = (key: string | null = 'dd-authToken') =>
  window.dispatchEvent(new StorageEvent('storage', { key }));

function recordTokens(status = 200): (string | null)[] {
  const sent: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('authorization'));
    return new Response('{}', { status });
  });
  return sent;
}

describe('followOtherTabs', () => {
  it('sends its own token although another tab has stored a different one', async () => {
    const { store } = pageOfJonas();
    const sent = recordTokens();
    storeElsewhere('mei');
    await store.dispatch(accountsEndpoints.deleteAllData.initiate());
    expect(sent).toEqual(['Bearer jonas']);
  });

  it('sends no token after signing out', async () => {
    const { store } = pageOfJonas();
    const sent = recordTokens();
    store.dispatch(signedOut());
    storeElsewhere('mei');
    await store.dispatch(accountsEndpoints.deleteAllData.initiate());
    expect(sent).toEqual([null]);
  });

  it("keeps another account's stored token and draft when its own is refused", async () => {
    const { store } = pageOfJonas();
    recordTokens(401);
    storeElsewhere('mei');
    localStorage.setItem(DRAFT_KEY, '"$count($)"');
    await store.dispatch(accountsEndpoints.profile.initiate(undefined, { forceRefetch: true }));
    expect(selectToken(store.getState())).toBeNull();
    expect(readToken()).toBe('mei');
    expect(localStorage.getItem(DRAFT_KEY)).toBe('"$count($)"');
  });

  it.each(['dd-authToken', null])('signs out when the stored token is removed (key %s)', (key) => {
    const { store, reload } = pageOfJonas();
    localStorage.clear();
    hear(key);
    expect(selectToken(store.getState())).toBeNull();
    expect(profileIn(store)).toBeUndefined();
    expect(reload).not.toHaveBeenCalled();
  });

  it.each([true, false])('remembers its address only if the session ended by itself (%s)', (byItself) => {
    window.history.replaceState(null, '', '/dashboard/data/views?view=1');
    const { store } = pageOfJonas();
    localStorage.clear();
    if (byItself) localStorage.setItem('dd-sessionEnded', 'true');
    hear();
    expect(selectToken(store.getState())).toBeNull();
    expect(endedSessionAddress()).toBe(byItself ? '/dashboard/data/views?view=1' : null);
    store.dispatch(signedIn('next'));
    expect(localStorage.getItem('dd-sessionEnded')).toBeNull();
  });

  it('forgets the account and reloads when another one signs in', () => {
    const { store, reload } = pageOfJonas();
    storeElsewhere('mei');
    hear();
    expect(profileIn(store)).toBeUndefined();
    expect(store.getState().api.queries).toEqual({});
    expect(readToken()).toBe('mei');
    expect(reload).toHaveBeenCalledOnce();
  });

  it('checks the token when restored from the back/forward cache', () => {
    const { store } = pageOfJonas();
    localStorage.clear();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect(selectToken(store.getState())).toBeNull();
  });

  it('ignores its own token, other keys, and every key when signed out', () => {
    const { store, reload } = pageOfJonas();
    hear();
    expect(selectToken(store.getState())).toBe('jonas');
    storeElsewhere('mei');
    hear('dd-theme');
    expect(selectToken(store.getState())).toBe('jonas');
    store.dispatch(signedOut());
    hear();
    expect(reload).not.toHaveBeenCalled();
  });
});
