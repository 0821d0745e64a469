import { ENDPOINTS } from '@datadeck/contract';
import { configureStore } from '@reduxjs/toolkit';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { describe, expect, it, vi } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { baseApi } from '../../api/base-api.ts';
import { leaveFor } from '../../api/leave.ts';
import { Toasts } from '../../ui/toast.tsx';
import { authSlice } from './auth-slice.ts';
import { LoginPanel } from './login-panel.tsx';
import { provePasskey } from './passkey-browser.ts';
import { PASSKEY_CALLS } from './passkey-sign-in-api.ts';

vi.mock('../../api/leave.ts');
vi.mock('./passkey-browser.ts');

const product = {
  signInProviders: [{ identifier: 'google', title: 'Google' }],
  sandbox: false,
  version: '1',
};

/** Renders the panel. `answers` are the bodies by address; an address in `refusals` responds with 429. */
function show(answers: Record<string, unknown>, hasEnded = false, refusals: Record<string, unknown> = {}) {
  serve(({ url }) => {
    if (url in refusals) return { status: 429, body: refusals[url] };
    return url in answers ? { body: answers[url] } : { status: 500, body: {} };
  });
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer, [authSlice.name]: authSlice.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
  const onSignedIn = vi.fn();
  render(
    <Provider store={store}>
      <LoginPanel hasEnded={hasEnded} onIntent={() => {}} onSignedIn={onSignedIn} />
      <Toasts />
    </Provider>,
  );
  return { auth: () => store.getState().auth, onSignedIn };
}

describe('LoginPanel', () => {
  it('says that the session has ended, but only if it has', async () => {
    show({ '/api/product': product }, true);
    expect(screen.getByText(/^Your session has ended\./)).toBeTruthy();
    cleanup();
    show({ '/api/product': product });
    expect(screen.queryByText(/^Your session has ended/)).toBeNull();
  });

  // @covers 7.sign-button-leaves 8.if-opening-external
  it('opens the external sign-in, and keeps the error when opening it throws', async () => {
    const { auth } = show({ '/api/product': product });
    const button = await screen.findByRole('button', { name: 'Google' });
    fireEvent.click(button);
    expect(leaveFor).toHaveBeenCalledWith('/auth/google?intent=sign-in');
    expect(auth().error).toBeNull();
    vi.mocked(leaveFor).mockImplementationOnce(() => {
      throw new Error('no way out');
    });
    fireEvent.click(button);
    expect(auth().error).toBe('Error: no way out');
    expect(await screen.findByText('Logging in failed')).toBeTruthy();
  });

  // @covers 2.login-demo-login 3.auth-state-user
  it('stores the token of a demo login', async () => {
    const good = show({ '/api/product': product, '/auth/demo': { token: 'abc' } });
    fireEvent.click(screen.getByRole('button', { name: 'Demo User' }));
    await vi.waitFor(() => expect(good.onSignedIn).toHaveBeenCalled(), 20_000);
    expect(good.auth()).toEqual({ error: null, authToken: 'abc' });
  });

  // @covers 2.login-demo-login 8.logging-failed
  it('reports a refused demo login with its reason, and stays', async () => {
    const error = { code: 'rate-limited', message: 'Too many requests. Try again in 5 minutes.' };
    const { auth, onSignedIn } = show({ '/api/product': product }, false, { '/auth/demo': { error } });
    fireEvent.click(screen.getByRole('button', { name: 'Demo User' }));

    expect(await screen.findByText('Logging in failed')).toBeTruthy();
    expect(await screen.findByText(error.message)).toBeTruthy();
    expect(onSignedIn).not.toHaveBeenCalled();
    expect(auth().authToken).toBeNull();
    expect(screen.getByRole('button', { name: 'Demo User' })).toHaveProperty('disabled', false);
  });

  // @covers 8.answer-agreed-error
  it('reports a response that violates the contract', async () => {
    const { auth, onSignedIn } = show({ '/api/product': { signInProviders: 'none' }, '/auth/demo': {} });
    fireEvent.click(screen.getByRole('button', { name: 'Demo User' }));
    expect(await screen.findByText('Logging in failed')).toBeTruthy();
    expect(onSignedIn).not.toHaveBeenCalled();
    expect(auth().authToken).toBeNull();
    expect(screen.queryByRole('button', { name: 'Google' })).toBeNull();
  });

  it('shows a button for each provider, and why one does not work', async () => {
    const problem = 'Keycloak could not be reached. Try again later.';
    const signInProviders = [
      { identifier: 'keycloak', title: 'Keycloak', problem },
      { identifier: 'gitlab', title: 'GitLab' },
    ];
    show({ '/api/product': { ...product, signInProviders } });
    expect(await screen.findByText(problem)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Google' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Keycloak' }));
    expect(leaveFor).toHaveBeenLastCalledWith('/auth/keycloak?intent=sign-in');
    expect(screen.getByRole('button', { name: 'GitLab' })).toHaveProperty('disabled', false);
  });

  it('says how to sign in without a provider', async () => {
    show({ '/api/product': { ...product, signInProviders: [] } });
    expect(await screen.findByText(/can print a sign-in link with ‘datadeck login EMAIL’/)).toBeTruthy();
  });

  it('hides the demo sign-in where there is none', async () => {
    show({ '/api/product': { ...product, demo: false } });
    await screen.findByRole('button', { name: 'Google' });
    expect(screen.queryByRole('button', { name: 'Demo User' })).toBeNull();
    expect(screen.queryByText('or as')).toBeNull();
  });
});

describe('the sign-in with a passkey', () => {
  const { startPasskeySignIn, signInWithPasskey } = PASSKEY_CALLS;
  const challenge = { challenge: 'x', rpId: 'localhost', timeout: 120_000, userVerification: 'required' };
  const answers = { '/api/product': { ...product, passkeys: true }, [startPasskeySignIn.url]: challenge };
  const press = async () =>
    fireEvent.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));

  it('uses the methods and paths of the contract', () => {
    for (const name of ['startPasskeySignIn', 'signInWithPasskey'] as const) {
      const { method, path } = ENDPOINTS[name];
      expect(PASSKEY_CALLS[name]).toEqual({ url: path, method });
    }
  });

  it('is offered only when some account has a passkey', async () => {
    show({ '/api/product': product });
    await screen.findByRole('button', { name: 'Google' });
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });

  it('stores the token of the session', async () => {
    const { auth, onSignedIn } = show({ ...answers, [signInWithPasskey.url]: { token: 'session' } });
    await press();
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalled());
    expect(provePasskey).toHaveBeenLastCalledWith(challenge);
    expect(auth()).toEqual({ error: null, authToken: 'session' });
  });

  it('shows why the server refuses it, and stays', async () => {
    const error = { code: 'unauthenticated', message: 'This passkey was not accepted.' };
    const { auth, onSignedIn } = show(answers, false, { [signInWithPasskey.url]: { error } });
    await press();
    expect(await screen.findByText(error.message)).toBeTruthy();
    expect(await screen.findByText('Logging in failed')).toBeTruthy();
    expect(onSignedIn).not.toHaveBeenCalled();
    expect(auth().authToken).toBeNull();
  });

  it('shows why the browser gave no proof, and can be tried again', async () => {
    vi.mocked(provePasskey).mockRejectedValueOnce(new Error('The question was cancelled. Try again.'));
    const { onSignedIn } = show({ ...answers, [signInWithPasskey.url]: { token: 'session' } });
    await press();
    expect(await screen.findByText('The question was cancelled. Try again.')).toBeTruthy();
    await press();
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalled());
    expect(screen.queryByText('The question was cancelled. Try again.')).toBeNull();
  });
});
