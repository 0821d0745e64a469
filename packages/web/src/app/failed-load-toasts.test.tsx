import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  entity,
  open,
  provider,
  retryButton,
  serveBlocked,
  serveFailing,
  sync,
  tryAgain,
} from '../../test-support/pages.tsx';
import { serve } from '../../test-support/render.tsx';
import { WIRE_VIEW } from '../../test-support/view.ts';
import { QueryPage } from '../features/queries/query-page.tsx';
import { HistoryPage } from '../features/sync/history-page.tsx';
import { SyncsPage } from '../features/sync/syncs-page.tsx';
import { ViewsPage } from '../features/views/views-page.tsx';

// @covers 2.details-past-sync
describe('HistoryPage', () => {
  it('reports failed entities in the details of a past sync, and reloads them', async () => {
    let fails = true;
    serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('page=')) return { body: { results: [sync], count: 1 } };
      return fails ? { status: 500, body: {} } : { body: [entity] };
    });
    open('/history', <HistoryPage />);
    fireEvent.click(await screen.findByRole('button', { name: 'Details of #1' }));
    const details = await screen.findByRole('dialog', { name: /^Overview/ });
    expect(within(details).getByText('The details could not be loaded.')).toBeTruthy();
    await retryButton(details);
    fails = false;
    await tryAgain(details);
    expect(await screen.findByText('Synchronization #1')).toBeTruthy();
  });
});

// @covers 2.schedules-could-loaded
describe('SyncsPage', () => {
  it('reports failed schedules in the details, and reloads them', async () => {
    let fails = true;
    serve(({ url }) => {
      if (url.includes('/schedules')) return fails ? { status: 500, body: {} } : { body: [] };
      if (url.includes('/providers')) return { body: [provider] };
      return { body: url.includes('/entities') ? [entity] : [] };
    });
    open('/syncs?details=gmail-messages', <SyncsPage />);
    const sentence = await screen.findByText('The schedule could not be loaded.');
    const notice = sentence.parentElement as HTMLElement;
    await retryButton(notice);
    fails = false;
    await tryAgain(notice);
    expect(await screen.findByLabelText('Repeat')).toBeTruthy();
  });
});

// @covers 2.categories-could-loaded
describe('ViewsPage', () => {
  const CHOSEN = '/views?provider=google&entity=gmail-messages';

  it('reports failed categories next to the views, and reloads them', async () => {
    let fails = true;
    serve(({ url }) => {
      if (url.includes('/categories'))
        return fails ? { status: 500, body: {} } : { body: [{ _id: 'c', title: 'Weekly' }] };
      if (url.includes('/views?')) return { body: [{ ...WIRE_VIEW, category: 'c' }] };
      return { body: url.includes('/providers') ? [provider] : [] };
    });

    open(CHOSEN, <ViewsPage />);
    expect(
      await screen.findByText('The categories could not be loaded: the views are listed without them.'),
    ).toBeTruthy();
    expect(await screen.findByText('There was an error fetching the data')).toBeTruthy();
    expect(await screen.findByRole('button', { name: /^Mine/ })).toBeTruthy();

    fails = false;
    await tryAgain();
    expect(await screen.findByRole('button', { name: /^Weekly/ })).toBeTruthy();
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
  });

  it('shows Loading instead of an empty list while categories load', async () => {
    const release = serveBlocked('/categories');
    open(CHOSEN, <ViewsPage />);
    await screen.findByText('Loading...');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByText('No views available for selected filters')).toBeNull();
    release();
    expect(await screen.findByText('No views available for selected filters')).toBeTruthy();
  });

  it('shows no view as uncategorised while categories load', async () => {
    const bodyOf = vi.fn((url: string) => {
      if (url.includes('/categories')) return [{ _id: 'c', title: 'Weekly' }];
      return url.includes('/views?') ? [{ ...WIRE_VIEW, category: 'c' }] : [];
    });
    const release = serveBlocked('/categories', bodyOf);

    open(CHOSEN, <ViewsPage />);
    await waitFor(() => expect(bodyOf).toHaveBeenCalledWith(expect.stringContaining('/views?')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByRole('button', { name: /^Mine/ })).toBeNull();

    release();
    const group = (await screen.findByRole('button', { name: /^Weekly/ })).parentElement as HTMLElement;
    expect(within(group).getByRole('button', { name: /^Mine/ })).toBeTruthy();
  });
});

// @covers 2.saved-queries-could
describe('QueryPage', () => {
  it('reports failed saved queries at the dropdown, and reloads them', async () => {
    const saved = { _id: 'q', title: 'Newest', jsonNataQuery: '$[0]', updated_at: sync.updated_at };
    const { recover } = serveFailing('/jnata-queries', [saved]);
    open('/query?step=1', <QueryPage />);
    await screen.findByText('The saved queries could not be loaded.');
    fireEvent.keyDown(screen.getByLabelText('Queries'), { key: 'ArrowDown' });
    expect(screen.queryByText('No options')).toBeNull();
    expect(screen.getAllByText('The saved queries could not be loaded.')).toHaveLength(2);
    recover();
    await tryAgain();
    expect(await screen.findByText('Newest')).toBeTruthy();
  });
});
