import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { DataLoading } from './data-loading.tsx';

const provider = (isBlocked: boolean) => ({
  _id: 'github',
  key: 'github',
  title: 'GitHub',
  description: '',
  entities: [],
  isBlocked,
  connection: null,
  accounts: [],
});

describe('DataLoading', () => {
  // @covers 2.loading-providers-synchronizations
  it("shows 'Loading...' while the providers load", () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    renderAs({ mayChange: true }, <DataLoading>The screen</DataLoading>);
    expect(screen.getByText('Loading...')).toBeTruthy();
    expect(screen.queryByText('The screen')).toBeNull();
  });

  // @covers 7.synchronizations-asked-connected
  it('requests the synchronizations of connected providers, and none without one', async () => {
    const calls = serve(({ url }) => ({ body: url.endsWith('/providers') ? [provider(true)] : [] }));
    const { unmount } = renderAs({ mayChange: true }, <DataLoading>The screen</DataLoading>);
    expect(await screen.findByText('The screen')).toBeTruthy();
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/integrations/providers',
      '/api/integrations/synchronizations?providers=github',
    ]);
    unmount();
    const fewer = serve(() => ({ body: [provider(false)] }));
    renderAs({ mayChange: true }, <DataLoading>The screen</DataLoading>);
    expect(await screen.findByText('The screen')).toBeTruthy();
    expect(fewer.map(({ url }) => url)).toEqual(['/api/integrations/providers']);
  });

  // @covers 2.loading-failure-reload
  it('reports a failed load, and loads everything again on Reload', async () => {
    let fails = true;
    serve(({ url }) => {
      if (fails) return { status: 500, body: {} };
      return { body: url.endsWith('/providers') ? [provider(false)] : [] };
    });
    renderAs({ mayChange: true }, <DataLoading>The screen</DataLoading>);
    expect(
      await screen.findByText('An error occurred while loading the data. Please try again later.'),
    ).toBeTruthy();
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('The screen')).toBeTruthy();
  });
});
