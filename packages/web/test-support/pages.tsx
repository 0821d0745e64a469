import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider as ReduxProvider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, vi } from 'vitest';
import { PermissionProvider } from '../src/api/permission.ts';
import { createStore } from '../src/app/state/store.ts';
import { Toasts } from '../src/ui/toast.tsx';
import { serve } from './render.tsx';

export const sync = {
  _id: 's1',
  number: 1,
  providerId: 'google',
  entityLabel: 'gmail-messages',
  account: 'ada@example.org',
  status: 'finished',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  summary: { entitiesSynced: 1, timeElapsed: 1 },
  entitySettings: {},
  progress: null,
  isLast: true,
};
export const provider = {
  _id: 'google',
  key: 'google',
  title: 'Gmail',
  description: '',
  entities: [{ id: 'gmail-messages', title: 'Messages' }],
  isBlocked: true,
  connection: null,
  accounts: [],
};

export const entity = {
  id: 'gmail-messages',
  title: 'Messages',
  description: '',
  providerId: 'google',
  dependsOn: [],
  multi: true,
  settings: [],
  usage: { used: 0, allowed: 50, resetsAt: '2026-12-01T00:00:00.000Z' },
  cap: 500,
  lastSettings: null,
  accounts: [],
  unconverted: 0,
  isMail: true,
};

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="Address">{pathname + search}</output>;
}
export const address = () => screen.getByLabelText('Address').textContent;

export function open(at: string, page: ReactNode, store = createStore()) {
  render(
    <ReduxProvider store={store}>
      <PermissionProvider value>
        <MemoryRouter initialEntries={[at]}>
          {page}
          <Address />
        </MemoryRouter>
        <Toasts />
      </PermissionProvider>
    </ReduxProvider>,
  );
}

/** Serves the providers. Requests whose address contains the part fail until `recover` is called, then return `recovered`. */
export function serveFailing(part: string, recovered: unknown) {
  let fails = true;
  const calls = serve(({ url }) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (!url.includes(part)) return { body: [] };
    return fails ? { status: 500, body: {} } : { body: recovered };
  });
  return { calls, recover: () => (fails = false) };
}
/**
 * Blocks requests whose address contains the part; `bodyOf` returns the bodies, which are empty lists by default.
 * @returns a function that releases them
 */
export function serveBlocked(part: string, bodyOf: (url: string) => unknown = () => []): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes(part)) await released;
    return new Response(JSON.stringify(url.includes('/providers') ? [provider] : bodyOf(url)));
  });
  return release;
}
/** Waits for an enabled 'Try again' button: opening a dialog over a failed load retries it once. */
export async function retryButton(area: HTMLElement = document.body): Promise<HTMLElement> {
  const button = await within(area).findByRole<HTMLButtonElement>('button', { name: 'Try again' });
  await waitFor(() => expect(button.disabled).toBe(false));
  return button;
}
export const tryAgain = async (area?: HTMLElement) => fireEvent.click(await retryButton(area));
