import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { PermissionProvider } from '../../api/permission.ts';
import { AccountCard, DataCard } from '../../features/account/profile-cards.tsx';
import { signedIn } from '../../features/sign-in/auth-slice.ts';
import { createStore } from '../state/store.ts';
import { usePermission } from './use-permission.ts';

const PROFILE = {
  _id: 'u',
  name: 'Ada',
  email: 'ada@example.org',
  status: 'demo',
  signInProvider: null,
  timeZone: 'UTC',
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

function Permitted({ children }: { children: ReactNode }) {
  return <PermissionProvider value={usePermission()}>{children}</PermissionProvider>;
}

function open(answer: { status?: number; body: unknown }) {
  serve(() => answer);
  const store = createStore();
  store.dispatch(signedIn('abc'));
  render(
    <Provider store={store}>
      <Permitted>
        <DataCard />
        <AccountCard onDeleted={() => {}} />
      </Permitted>
    </Provider>,
  );
}

// @covers 6.profile-could-loaded
describe('usePermission', () => {
  it('names the failed profile load as the reason, not the demo plan', async () => {
    open({ status: 500, body: {} });
    expect(await screen.findAllByTitle(/^Your profile could not be loaded\./)).toHaveLength(2);
    expect(screen.queryByTitle(/demo plan/)).toBeNull();
  });

  it('names the demo plan as the reason once the profile is loaded', async () => {
    open({ body: PROFILE });
    expect(screen.getAllByTitle('Your profile is loading')).toHaveLength(2);
    expect(await screen.findAllByTitle('Not available on the demo plan')).toHaveLength(2);
  });

  it('names no reason on a plan that allows changes', async () => {
    open({ body: { ...PROFILE, status: 'pro' } });
    expect(await screen.findByRole('button', { name: 'Delete Account' })).toBeTruthy();
    await screen.findAllByRole('button', { name: /^Delete/ });
    await expect.poll(() => screen.queryAllByTitle(/./)).toEqual([]);
  });
});
