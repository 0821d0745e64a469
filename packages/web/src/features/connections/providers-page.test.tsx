import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../../test-support/objects.ts';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { accountsApi } from '../sign-in/accounts-api.ts';
import { signedIn } from '../sign-in/auth-slice.ts';
import { connectionsEndpoints } from './connections-api.ts';
import { ProvidersPage } from './providers-page.tsx';

const FAILED = 'Failed connecting with provider';

/** Opens the page of a user with Gmail. */
function show(search: string): void {
  serve(({ url }) => ({ body: url.includes('/providers') ? [provider] : [] }));
  open(`/providers${search}`, <ProvidersPage />);
}

describe('ProvidersPage', () => {
  // @covers 2.card-per-provider 2.social-card-blocked
  it('shows a card for each provider, and the social card without actions', async () => {
    show('');
    expect(await screen.findByRole('article', { name: 'Gmail' })).toBeTruthy();
    const social = screen.getByRole('article', { name: 'Facebook' });
    expect(social.textContent).toContain('Under construction...');
    expect(social.querySelector('button')).toBeNull();
    expect(screen.getAllByRole('article')).toHaveLength(2);
  });

  it('offers Disconnect for each provider but that of the sign-in', async () => {
    const github = { ...provider, _id: 'github', key: 'github', title: 'GitHub' };
    serve(({ url }) => ({ body: url.includes('/providers') ? [provider, github] : [] }));
    const store = createStore();
    const profile = {
      _id: 'u',
      name: 'Ada',
      email: 'ada@example.org',
      signInProvider: 'google',
      timeZone: 'UTC',
    };
    store.dispatch(signedIn('t'));
    store.dispatch(
      accountsApi.util.upsertQueryEntries([
        { endpointName: 'profile', arg: undefined, value: { ...profile, status: 'standard' } },
      ]),
    );
    open('/providers', <ProvidersPage />, store);
    for (const [title, offered] of [
      ['Gmail', ['Delete data']],
      ['GitHub', ['Disconnect', 'Delete data']],
    ] as const) {
      const card = await screen.findByRole('article', { name: title });
      expect(within(card).getByRole('button', { name: 'In use' })).toHaveProperty('disabled', true);
      fireEvent.keyDown(within(card).getByRole('button', { name: `Manage ${title}` }), { key: 'Enter' });
      expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(offered);
      fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
    }
  });

  // @covers 2.parameter-provider-value 8.failed-connecting-provider
  it('reports a failed connection for an empty provider in the address, and cleans it', async () => {
    show('?provider=');
    expect(await screen.findByText(FAILED)).toBeTruthy();
    expect(address()).toBe('/providers');
  });

  it('says why a connection failed if the server reported it to this browser, and only once', async () => {
    const reason = 'Ask an administrator; "Need approval" = AADSTS90094.';
    // biome-ignore lint/suspicious/noDocumentCookie: as the server's answer sets it
    document.cookie = `dd-failure=${encodeURIComponent(reason)}; path=/`;
    show('?provider=');
    expect((await screen.findByRole('alert')).textContent).toBe(reason);
    expect(screen.getByText(FAILED)).toBeTruthy();
    expect(document.cookie).not.toContain('dd-failure');
  });

  it.each(['?provider=&failure=Pay+here', '?provider=google&failure=Pay+here'])(
    'shows no sentence of the address: %s',
    async (search) => {
      show(search);
      expect(await screen.findByRole('article', { name: 'Gmail' })).toBeTruthy();
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  it('loads the providers again after a connection, and reports no failure', async () => {
    const calls = serve(({ url }) => ({ body: url.includes('/providers') ? [provider] : [] }));
    const store = createStore();
    // As the shell does before it shows the page.
    await store.dispatch(connectionsEndpoints.providers.initiate());
    open('/providers?provider=google', <ProvidersPage />, store);
    await waitFor(() =>
      expect(calls.filter(({ url }) => url.endsWith('/api/integrations/providers'))).toHaveLength(2),
    );
    await waitFor(() => expect(address()).toBe('/providers'));
    expect(screen.queryByText(FAILED)).toBeNull();
  });

  const ada = { ...ACCOUNT, account: 'ada@example.org', title: 'Work' };
  it.each([
    ['&account=ada@example.org', 'Work is connected.'],
    ['&account=ada@example.org&known=1', 'Work is connected already. Its access was renewed.'],
  ])('announces the account that was added, and cleans the address: %s', async (added, sentence) => {
    serve(({ url }) => ({ body: url.includes('/providers') ? [{ ...provider, accounts: [ada] }] : [] }));
    open(`/providers?provider=google${added}`, <ProvidersPage />);
    expect(await screen.findByText(sentence)).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/providers'));
  });

  it('announces no account that the user does not have', async () => {
    show('?provider=google&account=Call%20us');
    await waitFor(() => expect(address()).toBe('/providers'));
    expect(screen.queryByText(/is connected/)).toBeNull();
  });
});
