import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../test-support/objects.ts';
import {
  address,
  entity,
  open,
  provider,
  retryButton,
  serveBlocked,
  serveFailing,
  sync,
  tryAgain,
} from '../../test-support/pages.tsx';
import { type Call, serve } from '../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../test-support/template.ts';
import { WIRE_VIEW } from '../../test-support/view.ts';
import { baseApi } from '../api/base-api.ts';
import { AccountPage } from '../features/account/account-page.tsx';
import { QueryPage } from '../features/queries/query-page.tsx';
import { HistoryPage } from '../features/sync/history-page.tsx';
import { SyncsPage } from '../features/sync/syncs-page.tsx';
import { ViewsPage } from '../features/views/views-page.tsx';
import { createStore } from './state/store.ts';

describe('HistoryPage', () => {
  const answer = ({ url }: Call) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (!url.includes('page=')) return { body: [] };
    return { body: { results: url.includes('page=2') ? [sync] : [], count: 9 } };
  };

  // @covers 2.history-collapsible-filters
  it("filters by 'Started', and removes the sync when it has ended", async () => {
    const running = { ...sync, status: 'started', summary: {}, isLast: false };
    let isRunning = true;
    const calls = serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (!url.includes('/history')) return { body: [] };
      const isAsked = url.includes('status=started');
      const results = isAsked && isRunning ? [running] : isAsked ? [] : [sync];
      return { body: { results, count: results.length } };
    });

    const store = createStore();
    open('/history', <HistoryPage />, store);
    expect(await screen.findByText('#1')).toBeTruthy();

    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Status' }), { key: 'ArrowDown' });
    fireEvent.click(screen.getByRole('option', { name: 'Started' }));
    expect(await screen.findByRole('img', { name: 'Running' })).toBeTruthy();
    expect(address()).toBe('/history?status=started');
    expect(calls.some(({ url }) => url.includes('/history?status=started'))).toBe(true);

    isRunning = false;
    store.dispatch(baseApi.util.invalidateTags(['Synchronizations']));
    expect(await screen.findByText('No synchronizations for this entity yet')).toBeTruthy();
  });

  it('goes to the last page from one beyond it', async () => {
    serve(answer);
    open('/history?page=99', <HistoryPage />);
    expect(await screen.findByText('#1')).toBeTruthy();
    expect(address()).toBe('/history?page=2');
    expect(screen.queryByText('No synchronizations for this entity yet')).toBeNull();
  });

  it('says that there are no synchronizations', async () => {
    serve(({ url }) => (url.includes('page=') ? { body: { results: [], count: 0 } } : { body: [] }));
    open('/history', <HistoryPage />);
    expect(await screen.findByText('No synchronizations for this entity yet')).toBeTruthy();
  });

  it('reloads a failed list on Try again', async () => {
    const { recover } = serveFailing('page=', { results: [sync], count: 1 });
    open('/history', <HistoryPage />);
    await screen.findByRole('alert');
    recover();
    await tryAgain();
    expect(await screen.findByText('#1')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('SyncsPage', () => {
  it('reloads failed entities on Try again', async () => {
    const { recover } = serveFailing('/entities', []);
    open('/syncs', <SyncsPage />);
    await screen.findByRole('alert');
    recover();
    await tryAgain();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  // @covers 2.details-open-although
  it('reports failed entities in the details too, and reloads them on Try again', async () => {
    const { recover } = serveFailing('/entities', [entity]);
    const store = createStore();
    open('/syncs', <SyncsPage />, store);
    await screen.findByRole('alert');
    fireEvent.click(screen.getByRole('button', { name: 'Details of Messages' }));
    const details = await screen.findByRole('dialog', { name: /^Overview/ });
    expect(within(details).getByText('The details could not be loaded.')).toBeTruthy();
    await retryButton(details);
    recover();
    await tryAgain(details);
    expect(await screen.findByRole('button', { name: 'Sync' })).toBeTruthy();
    expect(screen.queryByText('The details could not be loaded.')).toBeNull();
  });
});

describe('a provider that needs reconnecting', () => {
  it('is reported next to its entities and in their details, with a link', async () => {
    const connection = { ...ACCOUNT, status: 'reconnect-needed' };
    const refused = { ...provider, connection, accounts: [connection] };
    serve(({ url }) => ({
      body: url.includes('/providers') ? [refused] : url.includes('/entities') ? [entity] : [],
    }));
    const store = createStore();

    open('/syncs', <SyncsPage />, store);
    expect(await screen.findByText(/Gmail rejected the stored credentials/)).toBeTruthy();
    expect(screen.getByText('Reconnect needed')).toBeTruthy();

    fireEvent.click(screen.getByRole('button', { name: 'Details of Messages' }));
    const details = await screen.findByRole('dialog', { name: /^Overview/ });
    expect(within(details).getByRole('button', { name: 'Sync' })).toHaveProperty('disabled', true);
    fireEvent.click(within(details).getByRole('button', { name: 'Go to Providers' }));
    expect(address()).toBe('/dashboard/integrations/providers');
  });
});

describe('a provider that is not connected', () => {
  const unconnected = { ...provider, isBlocked: false };
  const answer = ({ url }: Call) => {
    if (url.includes('/providers')) return { body: [unconnected] };
    if (url.includes('/aggregation')) return { body: { results: [], count: 0 } };
    return { body: url.includes('/templates') ? [WIRE_TEMPLATE] : [] };
  };
  const CHOSEN = 'provider=google&entity=gmail-messages';

  it.each([
    ['Query', <QueryPage key="query" />, `/query?${CHOSEN}`, /^Gmail is not connected, so no new data/],
    ['Views', <ViewsPage key="views" />, `/views?${CHOSEN}`, /^Gmail is not connected, so no new data/],
    [
      'the results of Query',
      <QueryPage key="results" />,
      `/query?${CHOSEN}&template=by-sender&step=1&page=1`,
      'Gmail is not connected. Connect it, then synchronize its data.',
    ],
  ])('is reported on %s, with a link to Providers', async (_name, page, at, sentence) => {
    serve(answer);
    open(at, page);
    expect(await screen.findByText(sentence)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Go to Providers' }));
    expect(address()).toBe('/dashboard/integrations/providers');
  });
});

describe('QueryPage', () => {
  it.each(['provider=nonsense&entity=gmail-messages', 'provider=google&entity=nonsense', 'provider=google'])(
    'treats %s as no selection',
    async (search) => {
      const calls = serve(({ url }) => ({ body: url.includes('/providers') ? [provider] : [] }));
      open(`/query?${search}`, <QueryPage />);
      await waitFor(() => expect(calls.some(({ url }) => url.includes('/providers'))).toBe(true));
      expect(await screen.findByText('No Entity')).toBeTruthy();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(calls.some(({ url }) => url.includes('nonsense') || url.includes('/aggregation'))).toBe(false);
    },
  );

  it('offers the templates of all entities, and chooses one with its entity', async () => {
    serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/aggregation')) return { body: { results: [{ sender: 'Amy' }], count: 7 } };
      return { body: url.includes('/templates/') ? [WIRE_TEMPLATE] : [] };
    });
    open('/query', <QueryPage />);
    const group = await screen.findByRole('region', { name: 'Gmail, Messages' });
    expect(screen.getByText('No Entity')).toBeTruthy();
    fireEvent.click(await within(group).findByRole('button'));
    expect(address()).toBe('/query?provider=google&entity=gmail-messages&template=by-sender');
    const preview = await screen.findByRole('region', { name: 'Preview' });
    expect(await within(preview).findByText('Amy')).toBeTruthy();
    expect(within(preview).getByText('First 1 of 7 rows')).toBeTruthy();
  });

  it.each([
    [{ status: 200, body: { results: [], count: 0 } }, 'No rows yet. Synchronize the entity to fill it.'],
    [{ status: 500, body: { error: { code: 'unexpected', message: 'It broke.' } } }, /It broke|Try again/],
  ])('shows the description and Run also without a preview', async (answer, sentence) => {
    serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      return url.includes('/aggregation')
        ? answer
        : { body: url.includes('/templates/') ? [WIRE_TEMPLATE] : [] };
    });
    open('/query?provider=google&entity=gmail-messages&template=by-sender', <QueryPage />);
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'Run' })).toBeTruthy();
  });

  it('reloads failed templates on Try again', async () => {
    const { recover } = serveFailing('/templates', []);
    open('/query?provider=google&entity=gmail-messages', <QueryPage />);
    await screen.findByRole('alert');
    recover();
    await tryAgain();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  const NAMED = '/query?provider=google&entity=gmail-messages&template=by-sender';

  it('shows an alert instead of empty results when the templates fail to load', async () => {
    const { recover } = serveFailing('/templates', []);
    open(`${NAMED}&step=1&page=1`, <QueryPage />);
    await screen.findByRole('alert');
    expect(screen.queryByText(/^No results/)).toBeNull();
    recover();
    await tryAgain();
    expect(await screen.findByText('No results. Please select a template and run the query.')).toBeTruthy();
  });

  it("shows Loading instead of 'no template selected' while templates load", async () => {
    const release = serveBlocked('/templates');
    open(NAMED, <QueryPage />);
    await waitFor(() => expect(screen.getAllByText('Loading...')).toHaveLength(2));
    expect(screen.queryByText('Template has not been selected.')).toBeNull();
    release();
    expect(await screen.findByText('Template has not been selected.')).toBeTruthy();
  });
});

describe('ViewsPage', () => {
  it("shows Loading instead of 'no view selected' while views load", async () => {
    const release = serveBlocked('/views?');
    open('/views?provider=google&entity=gmail-messages&view=v', <ViewsPage />);
    await waitFor(() => expect(screen.getAllByText('Loading...')).toHaveLength(2));
    expect(screen.queryByText('View has not been selected.')).toBeNull();
    release();
    expect(await screen.findByText('View has not been selected.')).toBeTruthy();
  });

  it.each<[string, string[]]>([
    ['', ['Mine', 'Pulls', 'Other']],
    ['?provider=google', ['Mine', 'Other']],
  ])('lists the views of all entities by category with %j', async (filters, expected) => {
    const github = {
      ...provider,
      key: 'github',
      title: 'GitHub',
      entities: [{ id: 'gh-pulls', title: 'Pulls' }],
    };
    const { inputs: _, ...listed } = WIRE_VIEW;
    const pulls = { providerId: 'github', entityLabel: 'gh-pulls' };
    const pages = [
      [
        { ...listed, category: 'c1' },
        { ...listed, ...pulls, _id: 'p', title: 'Pulls', category: 'c1' },
      ],
      [{ ...listed, _id: 'o', title: 'Other' }],
    ];
    const calls = serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider, github] };
      if (url.includes('/views/all'))
        return { body: { results: pages[url.endsWith('page=2') ? 1 : 0], count: 3 } };
      if (url.includes('/categories')) return { body: [{ _id: 'c1', title: 'Reports' }] };
      return { body: url.includes('/aggregate/') ? { results: [1], count: 1, isArray: true } : [] };
    });
    open(`/views${filters}`, <ViewsPage />);
    expect(await screen.findByText('Reports')).toBeTruthy();
    const entries = screen.getAllByRole('button', { pressed: false });
    expect(entries.map((entry) => entry.querySelector('[title]')?.textContent)).toEqual(expected);
    expect(entries.at(-1)?.textContent).toContain('Messages');
    fireEvent.click(entries[0] as HTMLElement);
    expect(await screen.findByRole('heading', { name: 'Mine' })).toBeTruthy();
    expect(newView().disabled).toBe(true);
    // The specified call needs both filters.
    expect(calls.some(({ url }) => url.includes('/views?'))).toBe(false);
    expect(calls.some(({ url }) => url.endsWith('/templates/google/gmail-messages'))).toBe(true);
  });

  const newView = () => screen.getByRole<HTMLButtonElement>('button', { name: 'New View' });

  it('enables New View when a known provider and entity are chosen', async () => {
    const { recover } = serveFailing('/views?', []);
    recover();
    open('/views?provider=google&entity=gmail-messages', <ViewsPage />);
    await waitFor(() => expect(newView().disabled).toBe(false));
  });

  it.each(['provider=bogus&entity=bogus', 'provider=google&entity=bogus', 'provider=google'])(
    'keeps New View disabled with %s',
    async (search) => {
      const calls = serve(({ url }) => ({
        body: url.includes('/providers') ? [provider] : url.includes('/all') ? { results: [], count: 0 } : [],
      }));
      open(`/views?${search}`, <ViewsPage />);
      await waitFor(() => expect(calls.some(({ url }) => url.includes('/providers'))).toBe(true));
      expect(await screen.findByText('No views available for selected filters')).toBeTruthy();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(newView().disabled).toBe(true);
    },
  );

  // @covers 2.views-empty-views
  it('reloads a failed list on Try again', async () => {
    const { recover } = serveFailing('/views?', []);
    open('/views?provider=google&entity=gmail-messages', <ViewsPage />);
    await screen.findByRole('alert');
    recover();
    await tryAgain();
    expect(await screen.findByText('No views available for selected filters')).toBeTruthy();
  });
});

describe('AccountPage', () => {
  it('reports a failed profile load, and reloads it on Try again', async () => {
    const profile = {
      _id: 'u1',
      name: 'Jonas',
      email: 'jonas@example.org',
      status: 'pro',
      signInProvider: null,
      timeZone: 'UTC',
    };
    let fails = true;
    const calls = serve(({ url }) => {
      if (url.includes('/views')) return { body: { results: [], count: 0 } };
      if (/sign-in-methods|tokens/.test(url)) return { body: [] };
      if (url.includes('/passkeys')) return { body: { passkeys: [], origin: 'http://localhost:3000' } };
      if (url.includes('/disk-use')) return { body: { entities: [], isDiskLow: false } };
      return fails ? { status: 500, body: {} } : { body: profile };
    });
    open('/account', <AccountPage />);
    expect(await screen.findByText('There was an error fetching the data')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Loading...')).toBeNull());
    fails = false;
    await tryAgain();
    await waitFor(() => expect(calls.filter(({ url }) => url.endsWith('/api/accounts'))).toHaveLength(2));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
