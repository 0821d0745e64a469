import { SEARCH_LIMITS, type SearchFacets } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { toProvider } from '../../api/models.ts';
import { QueryPage } from '../queries/query-page.tsx';
import { SearchActions } from './search-actions.tsx';

const RECORDS = { ...WIRE_TEMPLATE, title: 'All', templateKey: 'all', isOfRecords: true, isSearchable: true };
const github = { ...provider, _id: 'github', key: 'github', title: 'GitHub', entities: [{ id: 'gh-pulls' }] };
const providers = [provider, github].map((one) =>
  toProvider(one as unknown as Parameters<typeof toProvider>[0]),
);
/** The providers as the server describes them: labels are not searched. */
const searched = [
  {
    ...provider,
    entities: [
      { id: 'gmail-labels', title: 'Labels' },
      { id: 'gmail-messages', title: 'Messages' },
    ],
    searchable: ['gmail-messages'],
  },
  { ...github, entities: [{ id: 'gh-pulls', title: 'Pulls' }], searchable: ['gh-pulls'] },
  { ...github, key: 'other', isBlocked: false, entities: [{ id: 'o', title: 'Other' }], searchable: ['o'] },
].map((one) => toProvider(one as unknown as Parameters<typeof toProvider>[0]));
const facetsOf = (...values: [value: string, title: string, count: number][]): SearchFacets => ({
  count: 1,
  isLimited: false,
  facets: [{ name: 'entity', values: values.map(([value, title, count]) => ({ value, title, count })) }],
});
const MAILS = ['gmail-messages', 'Gmail · Messages', 1200] as const;
const PULLS = ['gh-pulls', 'GitHub · Pull Requests', 3] as const;

function actions(facets: SearchFacets, q = 'invoice') {
  const request = { q, order: 'relevance', isTyping: 'false', page: 1, facets: 'true' } as const;
  return <SearchActions request={request} q={q} facets={facets} providers={providers} />;
}

/** Serves the templates of both entities, and the saved view. */
function serveTemplates(templates: readonly object[] = [WIRE_TEMPLATE, RECORDS]): Call[] {
  return serve(({ url, method }) => {
    if (url.includes('/templates/')) return { body: templates };
    return method === 'POST'
      ? { status: 201, body: WIRE_VIEW }
      : { body: { results: [], emailAddress: null } };
  });
}

function choose(name: string) {
  const button = screen.getByRole('button', { name: 'Refine or save' });
  fireEvent.keyDown(button, { key: 'Enter' });
  fireEvent.click(screen.getByRole('menuitem', { name }));
}

describe('SearchActions', () => {
  it('offers the found kinds of records with their counts', () => {
    open('/search', actions(facetsOf([...MAILS], [...PULLS])));
    fireEvent.keyDown(screen.getByRole('button', { name: 'Refine or save' }), { key: 'Enter' });
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Gmail · Messages (1,200)',
      'GitHub · Pull Requests (3)',
    ]);
    expect(screen.getAllByRole('menuitem')).toHaveLength(7);
  });

  it.each<[string, object, string[] | null]>([
    ['all searched entities', {}, ['Gmail · Messages', 'GitHub · Pulls']],
    ['those of the chosen provider', { providerId: 'github' }, null],
    ['the chosen entity', { providerId: 'github', entityLabel: 'gh-pulls' }, null],
  ])('saves and watches a search without results, for %s', async (_, choice, groups) => {
    const calls = serveTemplates();
    const request = {
      q: 'invoice',
      order: 'relevance',
      isTyping: 'false',
      page: 1,
      facets: 'true',
      ...choice,
    } as const;
    const found = { count: 0, isLimited: false, facets: [] };
    open('/search', <SearchActions request={request} q="invoice" facets={found} providers={searched} />);
    fireEvent.keyDown(screen.getByRole('button', { name: 'Refine or save' }), { key: 'Enter' });
    const labels = screen.queryAllByRole('group').map((group) => group.getAttribute('aria-label'));
    expect(labels).toEqual(groups ?? []);
    expect(screen.getAllByRole('menuitem')).toHaveLength(groups ? 7 : 4);
    fireEvent.click(screen.getAllByRole('menuitem', { name: 'Alert me' }).at(-1) as HTMLElement);
    fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('dialog', { name: 'Watch "Mine"' })).toBeTruthy();
    expect(calls[0]?.url).toBe('/api/integrations/entities/templates/github/gh-pulls');
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ search: 'invoice' });
  });

  it('opens the searchable template with the search', async () => {
    const calls = serveTemplates();
    open('/search', actions(facetsOf([...MAILS])));
    choose('Refine with JSONata');
    await waitFor(() =>
      expect(address()).toBe(
        '/dashboard/data/query?provider=google&entity=gmail-messages&template=all&q=invoice&step=1&page=1',
      ),
    );
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/integrations/entities/templates/google/gmail-messages',
    ]);
  });

  it('says that the templates could not be loaded', async () => {
    serveTemplates([]);
    open('/search', actions(facetsOf([...MAILS])));
    choose('Refine with JSONata');
    expect(await screen.findByText('The templates could not be loaded')).toBeTruthy();
    expect(address()).toBe('/search');
  });

  it('saves the longest search as a view with valid texts, then opens its alert', async () => {
    const calls = serveTemplates();
    const q = '😀 '.repeat(SEARCH_LIMITS.text / 3).trim();
    open('/search', actions(facetsOf([...MAILS]), q));
    choose('Alert me');
    fireEvent.click(await screen.findByRole('button', { name: 'Save' }));

    expect(await screen.findByRole('dialog', { name: 'Watch "Mine"' })).toBeTruthy();
    const saved = calls.find(({ method }) => method === 'POST');
    expect(saved?.body).toMatchObject({ search: q, jsonNataQuery: '$', templateKey: 'all' });
    expect(screen.queryByRole('dialog', { name: 'Save as View' })).toBeNull();
  });

  it('lets users of the demo plan refine alone', () => {
    renderAs({ mayChange: false }, <MemoryRouter>{actions(facetsOf([...MAILS]))}</MemoryRouter>);
    fireEvent.keyDown(screen.getByRole('button', { name: 'Refine or save' }), { key: 'Enter' });
    const isDisabled = (name: string) =>
      screen.getByRole('menuitem', { name }).getAttribute('aria-disabled') === 'true';
    expect(['Refine with JSONata', 'Save as View', 'Alert me'].map(isDisabled)).toEqual([false, true, true]);
  });
});

describe('the query page with a search', () => {
  const AT = '/query?provider=google&entity=gmail-messages&step=1&page=1';
  const rowsOf = (calls: readonly Call[]) =>
    calls.flatMap(({ url }) => (url.includes('/aggregation/') ? [url.split('/').at(-1)] : []));

  function serveRows(): Call[] {
    return serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/templates/')) return { body: [WIRE_TEMPLATE, RECORDS] };
      return { body: url.includes('/aggregation/') ? { results: [], count: 0 } : [] };
    });
  }
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Only records that match' });

  it('loads the rows of a search that can run, and explains any other', async () => {
    const calls = serveRows();
    open(`${AT}&template=all&q=invoice`, <QueryPage />);
    expect(await screen.findByText('No record matches this search')).toBeTruthy();
    fireEvent.change(await field(), { target: { value: 'form:amy' } });
    fireEvent.blur(await field());
    expect(await screen.findByText(/There is no operator form:/)).toBeTruthy();
    fireEvent.change(await field(), { target: { value: 'from:amy' } });
    fireEvent.blur(await field());
    await waitFor(() =>
      expect(rowsOf(calls)).toEqual(['all?page=1&search=invoice', 'all?page=1&search=from%3Aamy']),
    );
    expect(screen.queryByText(/There is no operator form:/)).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: 'Show all records' }));
    await waitFor(() => expect(rowsOf(calls)).toContain('all?page=1'));
    expect((await field()).value).toBe('');
  });

  it('has no field for a template whose rows are no records', async () => {
    const calls = serveRows();
    open(`${AT}&template=by-sender&q=invoice`, <QueryPage />);
    expect(await screen.findByText('The template returned no rows')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Only records that match' })).toBeNull();
    expect(rowsOf(calls)).toEqual(['by-sender?page=1']);
  });
});
