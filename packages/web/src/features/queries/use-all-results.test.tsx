import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { useAllResults } from './use-all-results.ts';

function Probe({ expression }: { expression: string }) {
  const { answer, failure, page, setPage } = useAllResults({
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
    </>
  );
}

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
