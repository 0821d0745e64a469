import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW, WIRE_VIEW } from '../../../test-support/view.ts';
import type { View } from '../../api/models.ts';
import { ViewDetail } from './view-detail.tsx';

interface Shown {
  view?: View;
  mayChange?: boolean;
  onDeleted?: () => void;
  alertCount?: number | undefined;
}

function show({ view = VIEW, mayChange = true, onDeleted = vi.fn(), alertCount }: Shown = {}): void {
  renderAs(
    { mayChange },
    <ViewDetail
      view={view}
      views={[]}
      isSearchable={false}
      renderExpression={() => null}
      renderWatch={() => null}
      alertCount={alertCount}
      account={undefined}
      parameterText={() => ''}
      onParameter={() => {}}
      page={1}
      onPage={() => {}}
      sorting={{ sort: '', onSort: () => {} }}
      filter={{ text: '', onFilter: () => {}, onClear: () => {} }}
      asOf={{ run: undefined, onChange: () => {} }}
      isReadable
      preferredColumns={[]}
      onSelect={() => {}}
      onDeleted={onDeleted}
    />,
  );
}
const remove = () => fireEvent.click(screen.getByRole('button', { name: 'Delete' }));

describe('the data of a view', () => {
  // @covers 2.json-shown-results
  it('can be downloaded only when there are results', async () => {
    let rows: object[] = [{ number: 1 }];
    serve(() => ({ body: { results: rows, count: rows.length, isArray: true } }));
    show();
    expect(await screen.findByRole('button', { name: '.JSON' })).toBeTruthy();
    cleanup();
    rows = [];
    show();
    expect(await screen.findByText('The view is empty.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: '.JSON' })).toBeNull();
  });

  it('cannot be downloaded when it fails to load', async () => {
    serve(() => ({ status: 500, body: {} }));
    show();
    expect(await screen.findByText(/^Failed fetching view data\./)).toBeTruthy();
    expect(screen.queryByRole('button', { name: '.JSON' })).toBeNull();
  });
});

describe('deleting a view', () => {
  it.each([
    [0, null],
    [1, 'Its alert is deleted too. Undo does not restore it.'],
    [3, 'Its 3 alerts are deleted too. Undo does not restore them.'],
    [undefined, 'Alerts on it are deleted too. Undo does not restore them.'],
  ])('says what happens to %s alerts', async (alertCount, expected) => {
    serve(() => ({ body: { results: [], count: 0, isArray: true } }));
    show({ alertCount });
    remove();
    expect(await screen.findByText('Are you sure you want to delete this view?')).toBeTruthy();
    expect(screen.queryByText(/deleted too/)?.textContent ?? null).toBe(expected);
  });

  it('says that the history is deleted, too', async () => {
    const curve = { isKept: true, since: null, parameters: null, kind: 'number', problem: null, points: [] };
    serve(({ url }) => ({
      body: url.includes('/curve/') ? { ...curve, count: 12 } : { results: [], count: 0, isArray: true },
    }));
    show({ alertCount: 0 });
    await screen.findByRole('switch', { name: 'Keep history' });
    remove();
    expect(
      await screen.findByText('Its history of 12 points is deleted too. Undo does not restore it.'),
    ).toBeTruthy();
  });

  // @covers 8.failed-deleting-view
  it('reports a failure and keeps the view', async () => {
    serve(({ method }) =>
      method === 'GET' ? { body: { results: [], count: 0, isArray: true } } : { status: 500, body: {} },
    );
    const onDeleted = vi.fn();
    show({ onDeleted });
    remove();
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Failed deleting view')).toBeTruthy();
    expect(onDeleted).not.toHaveBeenCalled();
  });

  // @covers 4.undo-offered-plan
  it.each([true, false])(
    'offers Undo, which restores the view (plan allows changes: %s)',
    async (mayChange) => {
      const calls = serve(({ method, url }) => {
        if (method === 'DELETE') return { body: { ok: true, undo: 'sealed' } };
        if (method === 'POST') return { status: 201, body: WIRE_VIEW };
        return { body: url.includes('/aggregate/') ? { results: [], count: 0, isArray: true } : [] };
      });

      const onDeleted = vi.fn();
      show({ mayChange, onDeleted });

      remove();
      expect(await screen.findByText('Are you sure you want to delete this view?')).toBeTruthy();
      fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
      fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));

      await waitFor(() =>
        expect(calls.at(-1)).toEqual({
          method: 'POST',
          url: '/api/data/views/restore',
          body: { undo: 'sealed' },
        }),
      );
      expect(onDeleted).toHaveBeenCalledOnce();
    },
  );
});

describe('the panel with the query of a view', () => {
  it('is open until it is closed, and then stays closed', async () => {
    serve(() => ({ body: { results: [{ number: 1 }], count: 1, isArray: true } }));
    show({ view: { ...VIEW, search: 'is:open' } });
    const rows = await screen.findByRole('cell', { name: '1' });
    const query = screen.getByRole('region', { name: 'Query' });
    expect(query.textContent).toBe(VIEW.expression);
    expect(screen.getByRole('region', { name: 'Search' }).textContent).toBe('is:open');
    // The result comes first.
    expect(rows.compareDocumentPosition(query)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    fireEvent.click(screen.getByRole('button', { name: 'How it is computed' }));
    expect(screen.queryByRole('region', { name: 'Query' })).toBeNull();
    cleanup();
    show();
    expect(screen.queryByRole('region', { name: 'Query' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'How it is computed' }));
    expect(screen.getByRole('region', { name: 'Query' })).toBeTruthy();
    localStorage.clear();
  });
});
