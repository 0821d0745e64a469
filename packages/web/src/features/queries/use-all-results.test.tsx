import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { useAllResults } from './use-all-results.ts';

function Probe({ expression }: { expression: string }) {
  const { answer, failure, page, setPage, sorting } = useAllResults({
    isOn: true,
    expression,
    entity: 'gh-pulls',
    templateKey: 'all',
    search: '',
    account: '',
  });
  return (
    <>
      <p>{answer ? `rows ${answer.rows}, page ${page}` : (failure?.message ?? 'none')}</p>
      <button type="button" onClick={() => setPage(2)}>
        Second
      </button>
      <button type="button" onClick={() => sorting.onSort('-size')}>
        Largest
      </button>
    </>
  );
}

/** Keeps one store when the component renders again. */
const store = createStore();
const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;

const answer = { results: [1], count: 30, isArray: true, rows: 160, elapsedMs: 3 };

describe('useAllResults', () => {
  it('requests an expression once and each page once', async () => {
    const calls = serve(() => ({ body: answer }));
    renderAs({ mayChange: true }, <Probe expression="$" />);
    expect(await screen.findByText('rows 160, page 1')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Second' }));
    expect(await screen.findByText('rows 160, page 2')).toBeTruthy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls.map(({ url, body }) => [url, body])).toEqual([
      ['/api/data/query', { entryCollection: 'gh-pulls', templateKey: 'all', jsonNataQuery: '$', page: 1 }],
      ['/api/data/query', { entryCollection: 'gh-pulls', templateKey: 'all', jsonNataQuery: '$', page: 2 }],
    ]);
  });

  it('sorts all results from the first page on, until the expression changes', async () => {
    const calls = serve(() => ({ body: answer }));
    const { rerender } = render(<Probe expression="$" />, { wrapper });
    fireEvent.click(screen.getByRole('button', { name: 'Second' }));
    fireEvent.click(screen.getByRole('button', { name: 'Largest' }));
    await waitFor(() => expect(calls.at(-1)?.body).toMatchObject({ page: 1, sort: '-size' }));
    rerender(<Probe expression="$.size" />);
    await waitFor(() => expect(calls.at(-1)?.body).toMatchObject({ jsonNataQuery: '$.size' }));
    expect(calls.at(-1)?.body).not.toHaveProperty('sort');
  });

  it('ends a sort that the server refuses, and says why', async () => {
    const fields = { sort: 'Some of the values are lists.' };
    serve(({ body }) =>
      JSON.stringify(body).includes('"sort"')
        ? { status: 422, body: { error: { code: 'validation-failed', message: fields.sort, fields } } }
        : { body: answer },
    );
    renderAs({ mayChange: true }, <Probe expression="$" />);
    fireEvent.click(screen.getByRole('button', { name: 'Largest' }));
    expect(await screen.findByText(fields.sort)).toBeTruthy();
    expect(await screen.findByText('rows 160, page 1')).toBeTruthy();
  });

  it('returns the message of a server error', async () => {
    const error = { code: 'query-too-complex', message: 'Too complex.' };
    serve(() => ({ status: 422, body: { error } }));
    renderAs({ mayChange: true }, <Probe expression="$" />);
    expect(await screen.findByText('Too complex.')).toBeTruthy();
  });

  it('requests nothing for an empty expression', async () => {
    const calls = serve(() => ({ body: answer }));
    renderAs({ mayChange: true }, <Probe expression=" " />);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toEqual([]);
  });
});
