import type { AdminAccount, AdminHealth, AuditEntry, Profile } from '@datadeck/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { accountsApi } from '../sign-in/accounts-api.ts';
import { signedIn } from '../sign-in/auth-slice.ts';
import { AdminPage } from './admin-page.tsx';
import { actorName } from './audit-words.ts';
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

/** Opens the screen. @param answers bodies by the end of the path; calls of other paths fail */
function show(path: string, answers: Record<string, unknown>, profile = root): { calls: string[] } {
  const calls: string[] = [];
  serve(({ url }) => {
    const { pathname, search } = new URL(url, 'http://localhost');
    calls.push(pathname + search);
    const [, body] = Object.entries(answers).find(([end]) => pathname.endsWith(end)) ?? [];
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
    show('/admin', { '/admin/accounts': { results: [account], count: 1 } });
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
    show('/admin?section=health', { '/admin/health': health });
    const row = await screen.findByRole('row', { name: /Synchronizations/ });
    expect(row.textContent).toBe('Synchronizationswaits for 1 min 15 s312');
    expect(screen.getByText('Unknown')).toBeTruthy();
    expect(screen.getByText('No records are stored yet.')).toBeTruthy();
  });

  it('names deleted accounts by their ids, and the shell', async () => {
    const entry: AuditEntry = {
      _id: '1',
      at: account.createdAt,
      actor: 'shell',
      by: null,
      action: 'account-deleted',
      account: { _id: account._id },
      detail: '',
    };
    show('/admin?section=audit', { '/admin/audit': { results: [entry], count: 1 } });
    const list = await screen.findByRole('list', { name: 'Audit log' });
    expect(within(list).getByRole('listitem').textContent).toContain('The shell deleted account 0b1f6a52');
    expect(actorName({ ...entry, actor: 'server' })).toBe('Datadeck');
    expect(actorName({ ...entry, actor: 'account', by: { _id: account._id } })).toBe('account 0b1f6a52');
  });
});

describe('queueTitle', () => {
  it('keeps the name of an unknown queue', () => {
    expect([queueTitle('backup'), queueTitle('new-queue')]).toEqual(['Backups', 'new-queue']);
  });
});
