import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { withCondition } from '../../ui/results/value-filter.ts';
import { ViewResults } from './view-results.tsx';

/** The results with the order that the address of the page keeps. */
function Shown() {
  const [sort, onSort] = useState('');
  const [filter, setFilter] = useState('');
  return (
    <ViewResults
      view={VIEW}
      parameters={undefined}
      account={undefined}
      page={1}
      onPage={() => {}}
      sorting={{ sort, onSort }}
      filter={{
        text: filter,
        onFilter: (condition) => setFilter(withCondition(filter, condition)),
        onClear: () => setFilter(''),
      }}
      asOf={undefined}
      isReadable
      preferredColumns={[]}
    />
  );
}
const show = () => renderAs({ mayChange: true }, <Shown />);
const texts = async () => {
  const sentence = await screen.findByText('Failed fetching view data. Query might be too complex.');
  return sentence.nextElementSibling?.textContent;
};

// @covers 8.failed-fetching-view 2.view-failure-failed
describe('ViewResults after a failed load', () => {
  it('names an unreachable server as the reason, not the query', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    show();
    const sentence = await screen.findByText('Failed fetching view data.');
    expect(sentence.nextElementSibling?.textContent).toBe(
      'Reason: The server could not be reached. Check the connection.',
    );
  });

  it("names the server's reason directly below the sentence", async () => {
    const error = { code: 'internal', message: 'Something went wrong in Datadeck itself. Try again.' };
    serve(() => ({ status: 500, body: { error } }));
    show();
    expect(await texts()).toBe('Reason: Something went wrong in Datadeck itself.');
  });

  it('shows the error of an expression that fails', async () => {
    const error = { code: 'expression-failed', message: 'no such luck' };
    serve(() => ({ status: 422, body: { error } }));
    show();
    expect(await texts()).toBe('Error: no such luck');
  });
});

describe('ViewResults', () => {
  const rows = [{ title: 'One', additions: 3, labels: [{ name: 'bug' }] }];

  it('shows a table until the reader chooses another one, and remembers the choice', async () => {
    serve(() => ({ body: { results: rows, count: 1, isArray: true } }));
    const { unmount } = show();
    expect((await screen.findByRole('radio', { name: 'Table' })).dataset.state).toBe('on');
    fireEvent.click(screen.getByRole('radio', { name: 'Tree' }));
    unmount();
    show();
    expect((await screen.findByRole('radio', { name: 'Tree' })).dataset.state).toBe('on');
    localStorage.clear();
  });

  it('sorts all results by a header, and back', async () => {
    const calls = serve(() => ({ body: { results: rows, count: 1, isArray: true } }));
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Sort by additions' }));
    await vi.waitFor(() => expect(calls.at(-1)?.url).toContain('sort=additions'));
    fireEvent.click(await screen.findByRole('button', { name: 'Sort by additions, descending' }));
    await vi.waitFor(() => expect(calls.at(-1)?.url).toContain('sort=-additions'));
    expect(screen.getByRole('columnheader', { name: /additions/ }).ariaSort).toBe('descending');
    fireEvent.click(screen.getByRole('button', { name: 'Undo the sorting by additions' }));
    await screen.findByRole('button', { name: 'Sort by additions' });
    expect(screen.queryByRole('button', { name: /by labels/ })).toBeNull();
  });

  it('remembers hidden columns of the view', async () => {
    serve(() => ({ body: { results: rows, count: 1, isArray: true } }));
    const { unmount } = show();
    fireEvent.click(await screen.findByRole('button', { name: 'Columns' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'additions' }));
    unmount();
    show();
    expect(await screen.findByRole('columnheader', { name: 'title' })).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: 'additions' })).toBeNull();
    localStorage.clear();
  });

  it('filters the whole result by the values of cells', async () => {
    const calls = serve(({ method, body }) => {
      const isNone = JSON.stringify(body ?? '').includes('additions');
      return { body: { results: isNone ? [] : rows, count: isNone ? 0 : 1, isArray: method === 'GET' } };
    });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Filter by title: One' }));
    await vi.waitFor(() =>
      expect(calls.at(-1)).toMatchObject({
        url: '/api/data/views/query/v',
        body: { jsonNataQuery: '$[title = "One"]', page: 1 },
      }),
    );
    fireEvent.pointerOver(await screen.findByRole('cell', { name: '3' }));
    fireEvent.click(screen.getByRole('button', { name: 'Filter by additions: 3' }));
    await vi.waitFor(() =>
      expect(calls.at(-1)?.body).toMatchObject({ jsonNataQuery: '$[title = "One"][additions = 3]' }),
    );
    expect(await screen.findByText('No row matches the filter.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show all rows' }));
    expect(await screen.findByRole('cell', { name: 'One' })).toBeTruthy();
  });

  it('opens a row that is a record, by a click and by its button', async () => {
    const record = { account: 'ada', accounts: ['ada'], id: 'r1', subject: 'Hello' };
    const calls = serve(({ url }) => {
      if (url.includes('/aggregate/'))
        return { body: { results: [record, { id: 'x' }], count: 2, isArray: true } };
      return url.includes('/providers') ? { body: [] } : { status: 404, body: {} };
    });
    show();
    fireEvent.click(await screen.findByRole('cell', { name: 'Hello' }));
    expect(await screen.findByRole('dialog', { name: 'Hello' })).toBeTruthy();
    expect(calls.some(({ url }) => url.includes('record=r1&account=ada'))).toBe(true);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('cell', { name: 'x' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Read x' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Read Hello' }));
    expect(await screen.findByRole('dialog', { name: 'Hello' })).toBeTruthy();
  });

  it('ends a sort that the server refuses, and says why', async () => {
    const fields = { sort: 'Some of the values are lists.' };
    serve(({ url }) =>
      url.includes('sort=')
        ? { status: 422, body: { error: { code: 'validation-failed', message: fields.sort, fields } } }
        : { body: { results: rows, count: 1, isArray: true } },
    );
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Sort by title' }));
    expect(await screen.findByText(fields.sort)).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Sort by title' })).toBeTruthy();
  });
});
