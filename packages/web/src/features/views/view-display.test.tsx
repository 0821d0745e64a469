import type { Chart, ViewDisplay } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { open, provider } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { ViewsPage } from './views-page.tsx';

afterEach(() => localStorage.clear());

const AT = '/views?provider=google&entity=gmail-messages&view=v';
const ROWS = [{ a: 1, b: 'x', c: 2 }];
const STORED: ViewDisplay = {
  mode: 'table',
  columns: [
    { name: 'c', width: 120 },
    { name: 'b', isHidden: true },
  ],
  sort: '-c',
};

/** Serves a view that is updated; as the database does, a stored layout has its members in another order. */
function serveView(display: ViewDisplay | null) {
  const view = { ...WIRE_VIEW, display };
  return serve(({ method, url, body }) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/templates/')) return { body: [WIRE_TEMPLATE] };
    if (url.includes('/views/chart/')) {
      const { chart = CHART_DATA.proposed } = body as { chart?: Chart };
      const problem = chart.x === 'gone' ? 'no-field' : null;
      return { body: { ...CHART_DATA, chart, problem } };
    }
    if (url.includes('/aggregate/')) return { body: { results: ROWS, count: 1, isArray: true } };
    if (method === 'PUT') {
      const { display: saved } = body as { display: ViewDisplay };
      view.display = {
        ...saved,
        columns: saved.columns.map((column) => Object.fromEntries(Object.entries(column).reverse())),
      } as ViewDisplay;
      return { body: view };
    }
    return { body: url.includes('/data/views?') ? [view] : [] };
  });
}
const headers = async () => {
  await screen.findByRole('table');
  return screen.getAllByRole('columnheader').map(({ ariaLabel }) => ariaLabel);
};
const saveButton = () => screen.queryByRole('button', { name: 'Save display' });
const lastRows = (calls: Call[]) => calls.findLast(({ url }) => url.includes('/aggregate/'))?.url;

describe('the display of a view', () => {
  it('is how the view opens, also after another choice of this browser', async () => {
    localStorage.setItem('dd-resultMode-views', '"tree"');
    const calls = serveView(STORED);
    open(AT, <ViewsPage />);
    expect(await headers()).toEqual(['c', 'a']);
    expect(screen.getByRole('columnheader', { name: 'c' }).ariaSort).toBe('descending');
    expect(screen.getByRole('columnheader', { name: 'c' }).style.width).toBe('120px');
    expect(lastRows(calls)).toContain('sort=-c');
    expect(saveButton()).toBeNull();
  });

  it('is stored by one click, and is the choice of this browser no more', async () => {
    const calls = serveView(null);
    open(AT, <ViewsPage />);
    await screen.findByRole('table');
    expect(saveButton()).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'b' }));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    fireEvent.click(screen.getByRole('button', { name: 'Sort by c' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Save display' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        title: WIRE_VIEW.title,
        description: WIRE_VIEW.description,
        jsonNataQuery: WIRE_VIEW.jsonNataQuery,
        display: {
          mode: 'table',
          columns: [{ name: 'a' }, { name: 'b', isHidden: true }, { name: 'c' }],
          sort: 'c',
        },
      }),
    );
    expect(await screen.findByText('View was updated successfully')).toBeTruthy();
    await waitFor(() => expect(saveButton()).toBeNull());
    expect(await headers()).toEqual(['a', 'c']);
    await waitFor(() =>
      expect(JSON.parse(localStorage.getItem('dd-columns') ?? '')).toEqual({ 'view/v': [] }),
    );
  });

  it('returns to the picture of before when none is stored', async () => {
    serveView(null);
    open(AT, <ViewsPage />);
    await screen.findByRole('table');
    fireEvent.click(screen.getByRole('radio', { name: 'Tree' }));
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Show as stored' }));
    expect(await screen.findByRole('table')).toBeTruthy();
    expect(saveButton()).toBeNull();
  });

  it('returns after changes, all of which can be undone at once', async () => {
    const calls = serveView(STORED);
    open(AT, <ViewsPage />);
    await screen.findByRole('table');
    fireEvent.click(screen.getByRole('button', { name: 'Undo the sorting by c' }));
    await waitFor(() => expect(lastRows(calls)).not.toContain('sort='));
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect(await headers()).toEqual(['a', 'b', 'c']);
    fireEvent.click(screen.getByRole('radio', { name: 'Tree' }));
    fireEvent.click(screen.getByRole('button', { name: 'Show as stored' }));
    expect(await headers()).toEqual(['c', 'a']);
    const header = () => screen.getByRole('columnheader', { name: 'c' });
    await waitFor(() => expect(header().ariaSort).toBe('descending'));
    expect(saveButton()).toBeNull();
  });

  it('keeps the chart that the reader makes of all rows', async () => {
    const calls = serveView({ mode: 'chart', columns: [], chart: CHART_DATA.chart });
    open(AT, <ViewsPage />);
    await screen.findByRole('table', { name: /^Number of rows by author/ });
    expect(saveButton()).toBeNull();
    fireEvent.change(screen.getByRole('combobox', { name: 'Split by' }), { target: { value: '' } });
    await waitFor(() =>
      expect(calls.findLast(({ url }) => url.includes('/views/chart/'))?.body).toEqual({
        chart: { kind: 'bars', x: 'author', measure: 'count' },
        timeZone: 'UTC',
      }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Save display' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        display: { mode: 'chart', columns: [], chart: { kind: 'bars', x: 'author', measure: 'count' } },
      }),
    );
    await waitFor(() => expect(saveButton()).toBeNull());
  });

  it('says why a chart cannot be drawn, and draws what is proposed instead', async () => {
    const calls = serveView({ mode: 'chart', columns: [], chart: { ...CHART_DATA.chart, x: 'gone' } });
    open(AT, <ViewsPage />);
    expect(await screen.findByText('No row has "gone". Choose another field.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Draw what is proposed' }));
    await waitFor(() =>
      expect(calls.findLast(({ url }) => url.includes('/views/chart/'))?.body).toMatchObject({
        chart: CHART_DATA.proposed,
      }),
    );
  });
});
