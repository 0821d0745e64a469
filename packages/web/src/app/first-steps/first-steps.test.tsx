import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../../test-support/objects.ts';
import { address, open, provider, sync } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { signedIn } from '../../features/sign-in/auth-slice.ts';
import { createStore } from '../state/store.ts';
import { FirstSteps } from './first-steps.tsx';
import { ProvidersScreen } from './providers-screen.tsx';

const PROFILE = {
  _id: 'u',
  name: 'Ada',
  email: 'ada@example.org',
  status: 'standard',
  signInProvider: null,
  timeZone: 'UTC',
};
const TITLE = 'Three steps to your first view';
const connected = { ...provider, connection: ACCOUNT, accounts: [ACCOUNT] };
const { inputs: _, ...listedView } = WIRE_VIEW;

/** Opens the Providers screen, or a part of it, of a user with these providers, syncs and views. */
function show(
  providers: readonly unknown[],
  [syncs, views]: readonly (readonly unknown[])[] = [[], []],
  part = <ProvidersScreen />,
) {
  serve(({ url }) => {
    if (url.endsWith('/accounts')) return { body: PROFILE };
    if (url.includes('/providers')) return { body: providers };
    if (url.includes('/views')) return { body: { results: views, count: views?.length } };
    return { body: syncs };
  });
  const store = createStore();
  store.dispatch(signedIn('t'));
  open('/providers', part, store);
}
const steps = async () => within(await screen.findByRole('region', { name: TITLE }));
const current = async () =>
  within((await steps()).getAllByRole('listitem').find(({ ariaCurrent }) => ariaCurrent) as HTMLElement);

beforeEach(() => localStorage.clear());

describe('FirstSteps', () => {
  it('begins with the connection of a provider', async () => {
    show([{ ...provider, isBlocked: false }]);
    expect((await current()).getByRole('button', { name: 'Choose a provider' })).toBeTruthy();
    expect((await steps()).queryByRole('img', { name: 'Done' })).toBeNull();
  });

  it('continues with the first entity that was never synchronized, as the card does', async () => {
    show([connected]);
    await waitFor(async () =>
      expect((await current()).getByRole('button', { name: 'Synchronize' })).toBeTruthy(),
    );
    expect((await steps()).getAllByRole('img', { name: 'Done' })).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Synchronize Gmail' }));
    expect(address()).toBe('/dashboard/integrations/synchronizations?details=gmail-messages');
  });

  it('ends with a view of what was synchronized', async () => {
    show([connected], [[sync], []], <FirstSteps />);
    fireEvent.click(await screen.findByRole('button', { name: 'Make a view' }));
    expect(address()).toBe('/dashboard/data/query?provider=google&entity=gmail-messages&open=view');
  });

  it('is not shown to a person who has a view', async () => {
    show([connected], [[sync], [listedView]]);
    await waitFor(() => expect(localStorage.getItem('dd-firstSteps')).toBe('{"u":"closed"}'));
    expect(screen.queryByText(TITLE)).toBeNull();
  });

  it('stays away once dismissed', async () => {
    show([connected]);
    fireEvent.click((await steps()).getByRole('button', { name: 'Dismiss the first steps' }));
    expect(screen.queryByText(TITLE)).toBeNull();
    expect(localStorage.getItem('dd-firstSteps')).toBe('{"u":"closed"}');
  });
});
