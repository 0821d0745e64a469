import { renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { useDownload } from '../../api/download.ts';
import { createStore } from '../../app/state/store.ts';
import { selectToken, signedIn } from './auth-slice.ts';
import { endedSessionAddress } from './ended-session.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/dashboard/data/views?view=1');
});
afterEach(() => vi.unstubAllGlobals());

/** Downloads a file as a signed-in user. */
async function downloadAs(token: string) {
  const store = createStore();
  store.dispatch(signedIn(token));
  const { result } = renderHook(() => useDownload(), {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  const file = await result.current({ url: '/file', method: 'GET', params: { format: 'csv' } });
  return { file, token: selectToken(store.getState()) };
}

describe('useDownload', () => {
  it('returns the file', async () => {
    const calls = serve(() => ({ body: [1] }));
    const { file, token } = await downloadAs('abc');
    expect(await file?.text()).toBe('[1]');
    expect(calls[0]?.url).toBe('/file?format=csv');
    expect(token).toBe('abc');
  });

  // @covers 4.same-download-stream
  it('signs out when the session has ended', async () => {
    serve(() => ({ status: 401, body: {} }));
    expect(await downloadAs('abc')).toEqual({ file: null, token: null });
    expect(endedSessionAddress()).toBe('/dashboard/data/views?view=1');
  });

  it('returns null when the request fails', async () => {
    serve(() => ({ status: 500, body: {} }));
    expect(await downloadAs('abc')).toEqual({ file: null, token: 'abc' });
  });
});
