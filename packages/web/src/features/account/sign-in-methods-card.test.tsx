import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { address, open } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { leaveFor } from '../../api/leave.ts';
import { ConfirmationDialog } from '../../ui/confirmation.tsx';
import { SignInMethodsCard } from './sign-in-methods-card.tsx';

vi.mock('../../api/leave.ts');

const methodOf = (provider: string, title: string) => ({
  _id: `id-${provider}`,
  provider,
  title,
  email: `ada@${provider}.example`,
  createdAt: '2026-11-20T10:00:00.000Z',
});
const google = methodOf('google', 'Google');
const work = methodOf('work', 'Work');
const signInProviders = [
  { identifier: 'google', title: 'Google' },
  { identifier: 'work', title: 'Work' },
];

/** Opens the card. `answer` may respond to calls other than those of the lists. */
function show(
  methods: object[],
  { search = '', passkeys = [] as object[], answer = (_call: Call) => ({ body: {} as unknown }) } = {},
) {
  const calls = serve((call) => {
    if (call.url === '/api/product') return { body: { signInProviders, sandbox: false, version: '1' } };
    if (call.url === '/api/accounts/passkeys') return { body: { passkeys, origin: location.origin } };
    if (call.method === 'GET') return { body: methods };
    return answer(call);
  });
  open(
    `/account${search}`,
    <>
      <SignInMethodsCard />
      <ConfirmationDialog />
    </>,
  );
  return calls;
}

describe('SignInMethodsCard', () => {
  it('offers the providers that the account does not have, and opens their page', async () => {
    const calls = show([google], { answer: () => ({ body: { url: 'https://issuer.example/auth?x' } }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Add Work' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://issuer.example/auth?x'));
    expect(calls.at(-1)).toMatchObject({ method: 'POST', url: '/auth/sign-in-methods/work' });
    expect(screen.getByText(/ada@google\.example/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add Google' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add Off' })).toBeNull();
  });

  it('shows why a provider could not be opened', async () => {
    vi.mocked(leaveFor).mockClear();
    const error = { code: 'provider-unavailable', message: 'Work could not be reached. Try again later.' };
    show([google], { answer: () => ({ status: 502, body: { error } }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Add Work' }));
    expect((await screen.findByRole('alert')).textContent).toBe(error.message);
    expect(leaveFor).not.toHaveBeenCalled();
  });

  it('has no Remove button for the only method', async () => {
    show([google]);
    await screen.findByRole('button', { name: 'Add Work' });
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });

  it('lets the only method be removed beside a passkey', async () => {
    const passkey = {
      _id: 'p',
      name: 'Phone',
      createdAt: google.createdAt,
      lastUsedAt: null,
      isBackedUp: false,
    };
    show([google], { passkeys: [passkey] });
    expect(await screen.findByRole('button', { name: 'Remove Phone' })).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Remove Google' })).toBeTruthy();
  });

  it('removes one of two methods after a confirmation', async () => {
    const methods = [google, work];
    const calls = show(methods, {
      answer: () => {
        methods.pop();
        return { body: { ok: true } };
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove Work' }));
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'all other browsers are signed out',
    );
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Work was removed')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'DELETE')?.url).toBe(
      '/api/accounts/sign-in-methods/id-work',
    );
    expect(await screen.findByRole('button', { name: 'Add Work' })).toBeTruthy();
  });

  it.each([
    ['linked', 'note', /was added/],
    ['taken', 'alert', /has an account of its own/],
    ['failed', 'alert', /was not added/],
  ])('reports the outcome %s once, and cleans the address', async (outcome, role, text) => {
    show([google], { search: `?link=${outcome}` });
    expect((await screen.findByRole(role)).textContent).toMatch(text);
    await waitFor(() => expect(address()).toBe('/account'));
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('ignores an unknown outcome', async () => {
    show([google], { search: '?link=x' });
    await screen.findByRole('button', { name: 'Add Work' });
    expect(screen.queryByRole('note')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
