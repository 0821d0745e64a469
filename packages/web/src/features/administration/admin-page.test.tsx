import type { AdminAccount, AdminHealth, AuditEntry, Profile } from '@datadeck/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { accountsApi } from '../sign-in/accounts-api.ts';
import { signedIn } from '../sign-in/auth-slice.ts';
import { AdminPage } from './admin-page.tsx';
import { queueTitle } from './queue-words.ts';

const root: Profile = {
  _id: 'u1',
  name: 'Root',
  email: 'root@example.org',
  status: 'standard',
  isAdministrator: true,
  signInProvider: null,
  timeZone: 'UTC',
};
const account: AdminAccount = {
  _id: '0b1f6a52-7c1d-4c55-9a3e-5f2f8f1f0a01',
  name: 'Ada',
  email: '',
  status: 'pro',
  isAdministrator: true,
  signInMethods: ['Sign-in link', 'Passkey'],
  providers: ['Gmail'],
  createdAt: '2026-03-01T08:00:00.000Z',
  lastSeenAt: '2026-11-25T10:00:00.000Z',
};

const health: AdminHealth = {
  checks: [{ state: 'ok', text: 'The database answers and can be written.' }],
  version: '1.2.3',
  node: '24.0.0',
  startedAt: account.createdAt,
  database: { version: '18', bytes: 1_000_000 },
  disk: null,
  tables: [],
  jobs: [{ queue: 'sync', waiting: 3, running: 1, failed: 2, oldestSeconds: 75 }],
};
const entry: AuditEntry = {
  _id: '1',
  at: account.createdAt,
  actor: 'shell',
  by: null,
  action: 'account-deleted',
  account: { _id: account._id },
  detail: '',
};

/** Opens the screen. @param answers bodies by the end of the path, which the test may change; calls of other paths fail */
function show(path: string, answers: Record<string, unknown>, profile = root): { calls: string[] } {
  const calls: string[] = [];
  serve(({ url }) => {
    const { pathname, search } = new URL(url, 'http://localhost');
    calls.push(pathname + search);
    const [, body] = Object.entries(answers).find(([end]) => (pathname + search).endsWith(end)) ?? [];
    return body === undefined ? { status: 500, body: {} } : { body };
  });
  const store = createStore();
  store.dispatch(signedIn('t'));
  store.dispatch(
    accountsApi.util.upsertQueryEntries([{ endpointName: 'profile', arg: undefined, value: profile }]),
  );
  open(path, <AdminPage />, store);
  return { calls };
}

describe('AdminPage', () => {
  it('asks the server for nothing when the user is no administrator', () => {
    const { isAdministrator: _none, ...user } = root;
    const { calls } = show('/admin', {}, user);
    expect(screen.getByText('This screen is for administrators')).toBeTruthy();
    expect(calls.filter((path) => path.includes('/admin'))).toEqual([]);
  });

  it('shows an account with its methods, providers, plan and rights', async () => {
    show('/admin', { '/admin/accounts?search=&page=1': { results: [account], count: 1 } });
    const list = await screen.findByRole('list', { name: 'Accounts' });
    for (const text of ['Ada', 'No address', 'Pro', 'Administrator', 'Gmail'])
      expect(within(list).getByText(text)).toBeTruthy();
    expect(within(list).getByText('Signs in with a printed link, a passkey')).toBeTruthy();
  });

  it('says why accounts could not be loaded, and tries again', async () => {
    const { calls } = show('/admin', {});
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByRole('button', { name: 'Try again' });
    expect(calls.filter((path) => path.includes('/admin/accounts'))).toHaveLength(2);
  });

  it('runs the doctor on demand, and shows problems first', async () => {
    const findings = [
      { state: 'ok', text: 'The settings are valid.' },
      { state: 'warning', text: 'Slow.', advice: 'Wait.' },
      { state: 'problem', text: 'Broken.', advice: 'Mend it.' },
    ];
    const { calls } = show('/admin?section=doctor', {
      '/admin/doctor': { checkedAt: account.createdAt, findings },
    });
    expect(calls).not.toContain('/api/admin/doctor');
    fireEvent.click(screen.getByRole('button', { name: 'Run the checks' }));
    const list = await screen.findByRole('list', { name: 'Findings' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Broken.Mend it.', 'Slow.Wait.', 'The settings are valid.']);
  });

  it('shows waiting and failed work with the time that it waits', async () => {
    show('/admin?section=health', { '/admin/health': health });
    const row = await screen.findByRole('row', { name: /Synchronizations/ });
    expect(row.textContent).toBe('Synchronizationsoldest has waited 1 min 15 s312');
    expect(screen.getByText('Unknown')).toBeTruthy();
    expect(screen.getByText('No records are stored yet.')).toBeTruthy();
  });

  it('shows why a refresh failed above the former figures', async () => {
    const answers: Record<string, unknown> = { '/admin/health': health };
    show('/admin?section=health', answers);
    await screen.findByText('1.2.3');
    delete answers['/admin/health'];
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'What you see below was loaded earlier.',
    );
    expect(screen.getByText('1.2.3')).toBeTruthy();
    answers['/admin/health'] = { ...health, version: '1.2.4' };
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('1.2.4');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that the database does not answer, without its figures', async () => {
    const checks = [{ state: 'problem', text: 'Not ready: the database does not answer.' }];
    show('/admin?section=health', { '/admin/health': { ...health, checks, database: null, jobs: [] } });
    await screen.findByText('Not ready: the database does not answer.');
    expect(screen.getByText('Does not answer')).toBeTruthy();
    expect(screen.queryByText('No records are stored yet.')).toBeNull();
  });

  it('shows no accounts of the former search when the next one fails', async () => {
    show('/admin', { '/admin/accounts?search=&page=1': { results: [account], count: 41 } });
    await screen.findByRole('list', { name: 'Accounts' });
    expect(screen.getByRole('navigation', { name: 'Pages of accounts' })).toBeTruthy();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'bob' } });
    await screen.findByRole('alert');
    expect(screen.queryByRole('list', { name: 'Accounts' })).toBeNull();
    expect(screen.queryByText('41 accounts')).toBeNull();
    expect(screen.queryByRole('navigation', { name: 'Pages of accounts' })).toBeNull();
  });

  it('shows no entries of another page when a page fails, and leads back', async () => {
    show('/admin?section=audit', { '/admin/audit?page=1': { results: [entry], count: 41 } });
    await screen.findByRole('list', { name: 'Audit log' });
    fireEvent.click(screen.getByRole('button', { name: /next/i }));
    await screen.findByRole('alert');
    expect(screen.queryByRole('list', { name: 'Audit log' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /previous/i }));
    await screen.findByRole('list', { name: 'Audit log' });
  });

  it('says as text why an administrator cannot be deleted', async () => {
    show('/admin', {
      '/admin/accounts?search=&page=1': { results: [account], count: 1 },
      [account._id]: { ...account, sessions: 0, tokens: 0, entities: [], runs: [] },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Details of Ada' }));
    const button = await screen.findByRole('button', { name: 'Delete account' });
    expect(button).toHaveProperty('disabled', true);
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(reason?.textContent).toBe('To delete this account, remove its administrator rights first.');
  });

  it('asks for the id of an account without an address before it is deleted', async () => {
    show('/admin', {
      '/admin/accounts?search=&page=1': { results: [account], count: 1 },
      [account._id]: {
        ...{ ...account, isAdministrator: false },
        ...{ sessions: 0, tokens: 0, entities: [], runs: [] },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Details of Ada' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Delete account' }));
    expect(await screen.findByLabelText('Type the id of the account')).toBeTruthy();
  });

  it('names deleted accounts by their ids, and distinguishes accounts, the shell and Datadeck', async () => {
    const named = { _id: account._id, name: 'Shell', email: 'ada@example.org' };
    const results: AuditEntry[] = [
      entry,
      { ...entry, _id: '2', actor: 'account', by: named, action: 'administrator-revoked', account: named },
      {
        ...{ ...entry, _id: '3', actor: 'server', action: 'administrator-granted' },
        account: { ...named, email: '' },
      },
      { ...entry, _id: '4', actor: 'account', by: { _id: root._id }, action: 'token-created' },
      {
        ...{ ...entry, _id: '5', actor: 'account', by: named, action: 'connector-published' },
        ...{ account: null, detail: 'helpdesk, version 3' },
      },
    ];
    show('/admin?section=audit', { '/admin/audit?page=1': { results, count: results.length } });
    const list = await screen.findByRole('list', { name: 'Audit log' });
    const lines = within(list).getAllByRole('paragraph');
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'Shell deleted account 0b1f6a52',
      'Account Shell (ada@example.org) removed administrator rights from Shell (ada@example.org)',
      'Datadeck gave administrator rights to Shell (0b1f6a52)',
      'Account account u1 created an API token for account 0b1f6a52',
      'Account Shell (ada@example.org) published the connector helpdesk, version 3',
    ]);
  });
});

describe('queueTitle', () => {
  it('keeps the name of an unknown queue', () => {
    expect([queueTitle('backup'), queueTitle('new-queue')]).toEqual(['Backups', 'new-queue']);
  });
});
