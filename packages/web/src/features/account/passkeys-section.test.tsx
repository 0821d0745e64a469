import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { ConfirmationDialog } from '../../ui/confirmation.tsx';
import { signedIn } from '../sign-in/auth-slice.ts';
import { makePasskey } from '../sign-in/passkey-browser.ts';
import { PasskeysSection } from './passkeys-section.tsx';

vi.mock('../sign-in/passkey-browser.ts');

const passkeyOf = (name: string, lastUsedAt: string | null = null) => ({
  _id: `id-${name}`,
  name,
  createdAt: '2026-11-20T10:00:00.000Z',
  lastUsedAt,
  isBackedUp: name === 'Phone',
});
const OPTIONS = {
  challenge: 'x',
  rp: { id: 'localhost', name: 'Datadeck' },
  user: { id: 'x', name: 'ada', displayName: 'Ada' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 120_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
};
const CREDENTIAL = {
  id: 'c',
  rawId: 'c',
  type: 'public-key' as const,
  response: { clientDataJSON: 'x', attestationObject: 'x' },
};

beforeEach(() => {
  vi.mocked(makePasskey).mockResolvedValue({ name: 'Chrome on Linux', credential: CREDENTIAL });
});

interface Shown {
  passkeys?: object[];
  problem?: string;
  origin?: string;
  methods?: number;
  status?: 'demo' | 'standard';
  answer?: (call: Call) => { status?: number; body: unknown };
}

/** Opens the section of a signed-in user. */
function show({ passkeys = [], methods = 1, status = 'standard', answer, ...rest }: Shown = {}) {
  const calls = serve((call) => {
    if (call.url === '/api/accounts/passkeys')
      return { body: { passkeys, origin: location.origin, ...rest } };
    if (call.method === 'GET')
      return {
        body: { _id: 'u', name: 'Ada', email: '', status, signInProvider: 'link', timeZone: 'UTC' },
      };
    return answer?.(call) ?? { body: call.url === '/auth/passkeys/new' ? OPTIONS : passkeyOf('New') };
  });
  const store = createStore();
  store.dispatch(signedIn('t'));
  open(
    '/dashboard/account',
    <>
      <PasskeysSection methods={methods} />
      <ConfirmationDialog />
    </>,
    store,
  );
  return { calls, store };
}

describe('PasskeysSection', () => {
  it('adds the passkey that the browser makes', async () => {
    const { calls } = show();
    fireEvent.click(await screen.findByRole('button', { name: 'Add passkey' }));
    expect(await screen.findByText('The passkey was added')).toBeTruthy();
    expect(makePasskey).toHaveBeenCalledWith(OPTIONS);
    expect(calls.find(({ url }) => url === '/auth/passkeys')).toMatchObject({
      method: 'POST',
      body: { name: 'Chrome on Linux', credential: CREDENTIAL },
    });
  });

  it('shows why the browser made none', async () => {
    vi.mocked(makePasskey).mockRejectedValue(new Error('The question was cancelled. Try again.'));
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Add passkey' }));
    expect((await screen.findByRole('alert')).textContent).toBe('The question was cancelled. Try again.');
    expect(screen.getByRole('button', { name: 'Add passkey' })).toHaveProperty('disabled', false);
  });

  it('leads to a new sign-in, and back, when the last one is too old', async () => {
    window.history.replaceState(null, '', '/dashboard/account');
    const error = { code: 'sign-in-too-old', message: 'Sign in again, then add it.' };
    const { store } = show({
      answer: ({ url }) =>
        url === '/auth/logout' ? { body: { ok: true } } : { status: 403, body: { error } },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Add passkey' }));
    expect((await screen.findByRole('alert')).textContent).toContain(error.message);
    fireEvent.click(screen.getByRole('button', { name: 'Sign in again' }));
    await waitFor(() => expect(store.getState().auth.authToken).toBeNull());
    expect(sessionStorage.getItem('dd-endedAt')).toBe('/dashboard/account');
    window.history.replaceState(null, '', '/');
  });

  it('lists names and last uses, and lets all but the only sign-in method be removed', async () => {
    show({ passkeys: [passkeyOf('Phone', new Date().toISOString())], methods: 0 });
    const row = await screen.findByRole('listitem');
    expect(row.textContent).toMatch(
      /^PhoneLast used just now · since Nov 20, 2026.*backed up by its provider/,
    );
    expect(screen.queryByRole('button', { name: 'Remove Phone' })).toBeNull();
  });

  it('removes a passkey after a confirmation', async () => {
    const { calls } = show({ passkeys: [passkeyOf('Phone'), passkeyOf('Key')], methods: 0 });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove Key' }));
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'all other browsers are signed out',
    );
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'DELETE')?.url).toBe('/api/accounts/passkeys/id-Key'),
    );
  });

  it('renames a passkey to a name of one line', async () => {
    const { calls } = show({ passkeys: [passkeyOf('Phone')] });
    fireEvent.click(await screen.findByRole('button', { name: 'Rename Phone' }));
    const name = await screen.findByLabelText(/^Name/);
    const save = screen.getByRole('button', { name: 'Save' });
    for (const text of ['Phone', ' ', 'x'.repeat(101)]) {
      fireEvent.change(name, { target: { value: text } });
      expect(save, text).toHaveProperty('disabled', true);
    }
    fireEvent.change(name, { target: { value: ' Work phone ' } });
    fireEvent.click(save);
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
        url: '/api/accounts/passkeys/id-Phone',
        body: { name: 'Work phone' },
      }),
    );
  });

  it.each<[string, Shown, RegExp]>([
    ['the address of the server', { problem: 'Passkeys need https.' }, /^Passkeys need https\.$/],
    ['another address', { origin: 'https://data.example.org' }, /work at its public address only/],
    ['a demo user', { status: 'demo' }, /A demo user .* has no account to come back to/],
  ])('says why there is no passkey: %s', async (_name, shown, reason) => {
    show(shown);
    await waitFor(() => expect(screen.getByRole('note').textContent).toMatch(reason));
    expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
  });
});
