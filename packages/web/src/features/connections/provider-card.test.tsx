import type { Account } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ACCOUNT, PROVIDER } from '../../../test-support/objects.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { leaveFor } from '../../api/leave.ts';
import type { Provider } from '../../api/models.ts';
import { ProviderCard, SocialProviderCard } from './provider-card.tsx';

vi.mock('../../api/leave.ts');

const free: Provider = { ...PROVIDER, consent: { access: [] } };
/** Returns the provider with these connected accounts. */
const connected = (...accounts: Account[]): Provider => {
  const [first] = accounts;
  const connection = first && first.status !== 'disconnected' ? { ...first, status: first.status } : null;
  return { ...free, isConnected: true, connection, accounts };
};
const used = connected(ACCOUNT);

function show(provider: Provider, { mayChange = true, isSignInProvider = false } = {}) {
  renderAs({ mayChange }, <ProviderCard provider={provider} isSignInProvider={isSignInProvider} />);
}
const openMenu = () =>
  fireEvent.keyDown(screen.getByRole('button', { name: 'Manage GitHub' }), { key: 'Enter' });

describe('ProviderCard', () => {
  // @covers 2.cards-offer-connect
  it('offers Connect when the provider is not connected', () => {
    show(free);
    expect(screen.getByRole('button', { name: 'Connect GitHub' })).toHaveProperty('disabled', false);
  });

  // @covers 4.blocked-provider-shows 6.blocked-providers-show
  it('shows a disabled In use button when the provider is connected', () => {
    show(used);
    expect(screen.getByRole('button', { name: 'In use' })).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: /Connect/ })).toBeNull();
  });

  // @covers 8.connecting-github-failed
  it('opens the consent page of its provider, and reports a failed navigation', async () => {
    show(free);
    fireEvent.click(screen.getByRole('button', { name: 'Connect GitHub' }));
    expect(leaveFor).toHaveBeenCalledWith('/auth/github');
    expect(screen.queryByText('Connecting to GitHub failed')).toBeNull();
    vi.mocked(leaveFor).mockImplementationOnce(() => {
      throw new Error('no way out');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Connect GitHub' }));
    expect(await screen.findByText('Connecting to GitHub failed')).toBeTruthy();
  });

  // @covers 8.connect-navigation-failed
  it('names the provider whose consent page could not be opened', async () => {
    show({ ...free, id: 'google', key: 'google', title: 'Gmail' });
    vi.mocked(leaveFor).mockImplementationOnce(() => {
      throw new Error('no way out');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Connect Gmail' }));
    expect(await screen.findByText('Connecting to Gmail failed')).toBeTruthy();
  });

  // @covers 2.disconnect-delete-data-show
  it.each([
    ['Disconnect', 'Disconnected. The synchronized data was kept.'],
    ['Delete data', 'All data of this provider was deleted.'],
  ])('says on the card that %s succeeded', async (name, sentence) => {
    serve(() => ({ body: { ok: true } }));
    show(used);
    const [status] = screen.getAllByRole('status');
    expect(status?.textContent).toBe('');
    openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name }));
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect((await screen.findByText(sentence)).closest('[role="status"]')).toBe(status);
  });

  // @covers 6.connect-needs-pro
  it('disables Connect on a plan that does not allow changes', () => {
    show(free, { mayChange: false });
    expect(screen.getByRole('button', { name: 'Connect GitHub' })).toHaveProperty('disabled', true);
  });

  // @covers 6.disconnect-sign-provider
  it('offers no Disconnect for the sign-in provider', () => {
    show(used, { isSignInProvider: true });
    openMenu();
    expect(screen.queryByRole('menuitem', { name: 'Disconnect' })).toBeNull();
    expect(screen.getByRole('menuitem', { name: 'Delete data' })).toBeTruthy();
  });

  // @covers 6.disconnect-delete-data
  it('disables Disconnect and Delete data on a plan that does not allow changes', () => {
    show(used, { mayChange: false });
    openMenu();
    for (const name of ['Disconnect', 'Delete data'])
      expect(screen.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true');
  });

  // @covers 2.disconnect-delete-data 4.disconnect-delete-data 7.disconnect-provider-query
  // @covers 8.failed-disconnecting-provider 8.confirmation-disconnect
  it('disconnects after a confirmation, and reports a failure', async () => {
    const calls = serve(() => ({ status: 500, body: {} }));
    show(used);

    openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Disconnect' }));
    expect(
      await screen.findByText(
        "Associated data won't be deleted, you will be able to reconnect to synchronized data. Confirm to continue.",
      ),
    ).toBeTruthy();

    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Failed disconnecting the provider')).toBeTruthy();

    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: '/api/integrations/providers/disconnect?provider=github',
      body: undefined,
    });
  });

  // @covers 8.failed-deleting-data 8.confirmation-delete-data
  it('deletes the data after a confirmation, and reports a failure', async () => {
    serve(() => ({ status: 500, body: {} }));
    show(used);
    openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete data' }));
    await screen.findByText('All associated data for this provider will be deleted. Confirm to continue.');
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Failed deleting the data for this provider')).toBeTruthy();
  });

  // @covers 2.cancel-does-nothing
  it('sends nothing on Cancel', async () => {
    const calls = serve(() => ({ body: { ok: true } }));
    show(used);
    openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete data' }));
    await screen.findByText('All associated data for this provider will be deleted. Confirm to continue.');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(calls).toEqual([]);
  });
});

const tokenForm: Provider['form'] = {
  action: 'Use a token',
  replaceAction: 'Replace token',
  intro: ['It needs two permissions.'],
  links: [{ label: 'Create a token', url: 'https://github.example/new' }],
  presetLabel: '',
  presets: [],
  fields: [],
  leftBehind: {
    text: 'GitHub accepts the token until you delete it there.',
    link: { label: 'Your tokens', url: 'https://github.example/tokens' },
  },
};
const byToken: Provider = {
  ...used,
  form: tokenForm,
  connection: {
    status: 'connected',
    account: 'ada',
    connectedAt: '2026-11-01T00:00:00.000Z',
    method: 'form',
    access: 'Repositories of a fine-grained token',
    expiresAt: '2126-12-01T08:00:00.000Z',
  },
};
const wider = { value: 'private', label: 'Also private repositories', tip: 'Grants repo.', isGranted: false };

describe('ProviderCard with two ways to connect', () => {
  it('offers the form beside the consent page, with the pages that create a token', async () => {
    show({ ...free, form: tokenForm });
    fireEvent.click(screen.getByRole('button', { name: 'Use a token' }));
    expect(await screen.findByText('It needs two permissions.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create a token' }).getAttribute('href')).toBe(
      'https://github.example/new',
    );
  });

  it('opens the form at once without a consent page', async () => {
    const { consent, ...rest } = free;
    show({ ...rest, form: tokenForm });
    expect(consent, 'the consent page is left out').toBeDefined();
    expect(screen.queryByRole('button', { name: 'Use a token' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Connect GitHub' }));
    expect(await screen.findByText('It needs two permissions.')).toBeTruthy();
  });

  it('asks for more access only when it is chosen, or from the menu', () => {
    show({ ...free, consent: { access: [wider] } });
    fireEvent.click(screen.getByRole('switch', { name: 'Also private repositories' }));
    fireEvent.click(screen.getByRole('button', { name: 'Connect GitHub' }));
    expect(leaveFor).toHaveBeenLastCalledWith('/auth/github?access=private');
  });

  it('adds access to a connection from the menu', async () => {
    show({ ...used, consent: { access: [wider] } });
    openMenu();
    vi.mocked(leaveFor).mockClear();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Also private repositories' }));
    await waitFor(() => expect(leaveFor).toHaveBeenLastCalledWith('/auth/github?access=private&account=ada'));
  });

  it('shows the access and the expiry of a token', () => {
    show(byToken);
    expect(screen.getByText('Access: Repositories of a fine-grained token')).toBeTruthy();
    expect(screen.getByText(/^Token expires on/)).toBeTruthy();
  });

  it('asks for a new token after the expiry', () => {
    const { connection, ...rest } = byToken;
    if (!connection) throw new Error('not connected');
    const expiresAt = '2020-12-01T08:00:00.000Z';
    show({ ...rest, connection: { ...connection, status: 'reconnect-needed', expiresAt } });
    expect(screen.getByText(/^Token expired on/)).toBeTruthy();
    expect(screen.getByText(/rejected the stored token or password. Reconnect with a new one/)).toBeTruthy();
  });

  it('says after the disconnect where to delete the token', async () => {
    serve(() => ({ body: { ok: true } }));
    show(byToken);
    openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Disconnect' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(/GitHub accepts the token until you delete it there/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Your tokens' }).getAttribute('href')).toBe(
      'https://github.example/tokens',
    );
  });
});

describe('ProviderCard with several accounts', () => {
  const work: Account = { ...ACCOUNT, account: 'ada-work', title: 'Work', access: 'Public repositories' };
  const rowOf = (name: string) => within(screen.getByRole('listitem', { name }));
  const manage = (name: string) =>
    fireEvent.keyDown(rowOf(name).getByRole('button', { name: `Manage account ${name}` }), { key: 'Enter' });
  const choose = (name: string) => fireEvent.click(screen.getByRole('menuitem', { name }));
  const confirmIt = async () => fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));

  it('lists each account with its name, status and access', () => {
    show(connected(ACCOUNT, work, { ...ACCOUNT, account: 'old', status: 'disconnected', isShown: false }));
    expect(screen.getByText('2 accounts')).toBeTruthy();
    expect(rowOf('ada').getByText('Connected')).toBeTruthy();
    expect(rowOf('Work').getByText('ada-work')).toBeTruthy();
    expect(rowOf('Work').getByText('Access: Public repositories')).toBeTruthy();
    expect(rowOf('old').getByText('Disconnected')).toBeTruthy();
    expect(rowOf('old').getByText('Its records are hidden until it is reconnected.')).toBeTruthy();
  });

  it('lists no account while there is one without a name', () => {
    show(used);
    expect(screen.queryByRole('list', { name: 'Accounts' })).toBeNull();
    openMenu();
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Name…',
      'Add another account',
      'Disconnect',
      'Delete data',
    ]);
  });

  it('adds an account on the consent page or by the form', async () => {
    show({ ...connected(ACCOUNT, work), form: tokenForm });
    openMenu();
    choose('Add another account');
    await waitFor(() => expect(leaveFor).toHaveBeenLastCalledWith('/auth/github?add=1'));
    openMenu();
    choose('Add another account: Use a token');
    expect(await screen.findByRole('dialog', { name: 'Connect another account of GitHub' })).toBeTruthy();
  });

  it('reconnects, disconnects and deletes the data of one account alone', async () => {
    const calls = serve(() => ({ body: { ok: true } }));
    show(connected(ACCOUNT, work));
    manage('Work');
    choose('Reconnect');
    await waitFor(() => expect(leaveFor).toHaveBeenLastCalledWith('/auth/github?account=ada-work'));
    manage('Work');
    choose('Disconnect');
    expect(await screen.findByText(/^Its records are hidden until you reconnect it/)).toBeTruthy();
    await confirmIt();
    expect(await screen.findByText('Work was disconnected. Its data was kept.')).toBeTruthy();
    manage('Work');
    choose('Delete data');
    await confirmIt();
    expect(await screen.findByText('All data of Work was deleted.')).toBeTruthy();
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/integrations/providers/disconnect?provider=github&account=ada-work',
      '/api/integrations/entities/delete-all-data?provider=github&account=ada-work',
    ]);
  });

  it('adds access to one account', async () => {
    show({ ...connected(ACCOUNT, work), consent: { access: [wider] } });
    manage('Work');
    choose('Also private repositories');
    await waitFor(() =>
      expect(leaveFor).toHaveBeenLastCalledWith('/auth/github?access=private&account=ada-work'),
    );
  });

  it('says how many accounts Disconnect and Delete data of the provider mean', async () => {
    show(connected(ACCOUNT, work));
    openMenu();
    choose('Disconnect');
    expect(await screen.findByText('This disconnects all 2 accounts.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    openMenu();
    choose('Delete data');
    expect(await screen.findByText('This deletes the data of all 2 accounts.')).toBeTruthy();
  });

  it('cannot disconnect the account of the sign-in, and says why', () => {
    show(connected({ ...ACCOUNT, signsIn: true }, work));
    expect(rowOf('ada').getByText(/^You sign in with this account/)).toBeTruthy();
    manage('ada');
    expect(screen.getByRole('menuitem', { name: 'Disconnect' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('offers a disconnected account to be reconnected or deleted', () => {
    show({ ...free, accounts: [{ ...ACCOUNT, status: 'disconnected' }] });
    vi.mocked(leaveFor).mockClear();
    fireEvent.click(rowOf('ada').getByRole('button', { name: 'Reconnect ada' }));
    expect(leaveFor).toHaveBeenLastCalledWith('/auth/github?account=ada');
    manage('ada');
    expect(screen.queryByRole('menuitem', { name: 'Disconnect' })).toBeNull();
    expect(screen.getByRole('menuitem', { name: 'Delete data' })).toBeTruthy();
  });

  it('names an account, and refuses a name that is too long', async () => {
    const calls = serve(() => ({ body: { ok: true } }));
    show(connected(ACCOUNT, work));
    manage('ada');
    choose('Name…');
    const field = await screen.findByLabelText('Name');
    fireEvent.change(field, { target: { value: 'x'.repeat(51) } });
    expect(screen.getByText('Must be 50 characters or less')).toBeTruthy();
    fireEvent.change(field, { target: { value: ' Private ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toEqual([
      {
        method: 'PUT',
        url: '/api/integrations/accounts/github',
        body: { account: 'ada', title: 'Private' },
      },
    ]);
  });
});

describe('SocialProviderCard', () => {
  // @covers 1.social-provider-card
  it('says that it is under construction, and offers no actions', () => {
    renderAs({ mayChange: true }, <SocialProviderCard />);
    expect(screen.getByText('Under construction...')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
