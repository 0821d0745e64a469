import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { ResultsView } from '../../ui/results/results-view.tsx';
import { useQueryDownloadItems } from './use-query-download-items.ts';

const RUN = { entity: 'gh-pulls', templateKey: 'all', expression: '$[open]', search: 'is:open' };

function Probe() {
  return (
    <ResultsView
      mode="tree"
      onMode={() => {}}
      value={[1, 2]}
      label="Output"
      fileName="page"
      wholeDownloads={useQueryDownloadItems(RUN)}
    />
  );
}

const open = () =>
  fireEvent.keyDown(screen.getByRole('button', { name: 'Download all results' }), { key: 'Enter' });

describe('useQueryDownloadItems', () => {
  it('saves the whole result in the chosen format instead of the page', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
    const calls = serve(() => ({ body: [] }));
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    renderAs({ mayChange: true }, <Probe />);
    expect(screen.queryByRole('button', { name: 'Download this page' })).toBeNull();
    open();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Parquet' }));
    await waitFor(() => expect(click).toHaveBeenCalledOnce());

    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('query_gh-pulls.parquet');
    expect(calls.map(({ url, body }) => [url, body])).toEqual([
      [
        '/api/data/query/download',
        {
          entryCollection: 'gh-pulls',
          templateKey: 'all',
          jsonNataQuery: '$[open]',
          search: 'is:open',
          format: 'parquet',
        },
      ],
    ]);
    click.mockRestore();
  });

  it('saves CSV for programs', async () => {
    const calls = serve(() => ({ body: [] }));
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    renderAs({ mayChange: true }, <Probe />);
    open();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'CSV for programs' }));
    await waitFor(() => expect(click).toHaveBeenCalledOnce());
    expect(calls[0]?.body).toMatchObject({ format: 'csv', exact: true });
    click.mockRestore();
  });

  it('reports a failure', async () => {
    serve(() => ({ status: 422, body: {} }));
    renderAs({ mayChange: true }, <Probe />);
    open();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    expect(await screen.findByText('There was an error fetching the data')).toBeTruthy();
  });
});
