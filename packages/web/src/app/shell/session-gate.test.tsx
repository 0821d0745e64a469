import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '../../api/auth-token.ts';
import { endedSessionAddress, isInvited } from '../../features/sign-in/ended-session.ts';
import { DashboardIndex } from '../dashboard-index.tsx';
import { createStore } from '../state/store.ts';
import { SessionGate } from './session-gate.tsx';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(cleanup);

function Invitation() {
  return <SessionGate>{`The invitation ${useLocation().hash}`}</SessionGate>;
}

function open(at: string) {
  render(
    <Provider store={createStore()}>
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          <Route path="/" element="The login" />
          <Route path="/dashboard" element={<DashboardIndex />} />
          <Route path="/dashboard/integrations/providers" element="The providers" />
          <Route path="/dashboard/shared/invitation" element={<Invitation />} />
          <Route path="/dashboard/data/views" element={<SessionGate>The views</SessionGate>} />
        </Routes>
      </MemoryRouter>
    </Provider>,
  );
}

describe('SessionGate', () => {
  it('remembers the address of an expired session, and returns there once', async () => {
    storeToken('abc', 0);
    open('/dashboard/data/views?view=1');
    expect(await screen.findByText('The login')).toBeTruthy();
    expect(endedSessionAddress()).toBe('/dashboard/data/views?view=1');
    cleanup();
    storeToken('def');
    open('/dashboard');
    expect(await screen.findByText('The views')).toBeTruthy();
    expect(endedSessionAddress()).toBeNull();
    cleanup();
    open('/dashboard');
    expect(await screen.findByText('The providers')).toBeTruthy();
  });

  it('remembers no ended session when nobody was signed in', async () => {
    open('/dashboard/data/views');
    expect(await screen.findByText('The login')).toBeTruthy();
    expect(endedSessionAddress()).toBeNull();
  });
});

describe('the link of an invitation', () => {
  it('is opened after the sign-in, with its fragment, also when nobody was signed in', async () => {
    open('/dashboard/shared/invitation#abc.def');
    expect(await screen.findByText('The login')).toBeTruthy();
    expect(isInvited()).toBe(true);
    cleanup();
    storeToken('abc');
    open('/dashboard');
    expect(await screen.findByText('The invitation #abc.def')).toBeTruthy();
    expect(isInvited()).toBe(false);
  });
});

describe('endedSessionAddress', () => {
  it('ignores stored addresses outside the dashboard', () => {
    for (const address of ['https://elsewhere.example/', '//elsewhere.example', '/', '/dashboard']) {
      sessionStorage.setItem('dd-endedAt', address);
      expect(endedSessionAddress()).toBeNull();
    }
  });
});
