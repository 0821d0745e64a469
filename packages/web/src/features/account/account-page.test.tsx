import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { ConfirmationDialog } from '../../ui/confirmation.tsx';
import { accountsApi } from '../sign-in/accounts-api.ts';
import { signedIn } from '../sign-in/auth-slice.ts';
import { AccountPage } from './account-page.tsx';

const profile = {
  _id: 'u1',
  name: 'Ada Nowak',
  email: 'ada@example.org',
  status: 'standard' as const,
  signInProvider: null,
  timeZone: 'UTC',
};

/** Opens the page of a user whose deletions fail. */
function show(): void {
  serve(({ method, url }) => {
    if (method !== 'GET') return { status: 500, body: {} };
    if (url.includes('/disk-use')) return { body: { entities: [], isDiskLow: false } };
    return { body: url.endsWith('/api/accounts') ? profile : [] };
  });
  const store = createStore();
  store.dispatch(signedIn('t'));
  store.dispatch(
    accountsApi.util.upsertQueryEntries([{ endpointName: 'profile', arg: undefined, value: profile }]),
  );
  open(
    '/account',
    <>
      <AccountPage />
      <ConfirmationDialog />
    </>,
    store,
  );
}

describe('AccountPage', () => {
  // @covers 2.account-status-badge
  it('shows the badge of the plan, read-only name and e-mail, and what each deletion does', () => {
    show();
    expect(screen.getByText('Profile Info')).toBeTruthy();
    expect(screen.getByText('Standard')).toBeTruthy();
    for (const [label, value] of [
      ['Name', 'Ada Nowak'],
      ['Email', 'ada@example.org'],
    ] as const) {
      const field = screen.getByLabelText(label);
      expect(field).toHaveProperty('value', value);
      expect(field).toHaveProperty('readOnly', true);
    }
    expect(screen.getByText('You can delete all your data. Account will be untouched.')).toBeTruthy();
    expect(screen.getByText('Delete your account and data all together.')).toBeTruthy();
  });

  // @covers 8.account-deletion-unsuccessful 8.account-data-deletion
  it.each([
    ['Delete all data', 'Account data deletion was unsuccessful'],
    ['Delete Account', 'Account deletion was unsuccessful'],
  ])('reports a failure of %s', async (name, sentence) => {
    show();
    fireEvent.click(screen.getByRole('button', { name }));
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(sentence)).toBeTruthy();
  });
});
