import type { Chart } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { DRAFT_KEY } from './draft-key.ts';
import { QueryPage } from './query-page.tsx';
import { displayForNewView } from './use-result-display.ts';

const AT = '/query?provider=google&entity=gmail-messages&template=by-sender&step=1&page=1';

afterEach(() => localStorage.clear());

it('draws all rows of the template, and filters by a mark', async () => {
  const calls = serve(({ url, body }) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/query/chart')) {
      const { chart = CHART_DATA.proposed } = body as { chart?: Chart };
      return { body: { ...CHART_DATA, chart } };
    }
    if (url.includes('/aggregation')) return { body: { results: [{ n: 1 }, { n: 2 }], count: 22 } };
    return { body: url.includes('/templates/') ? [WIRE_TEMPLATE] : [] };
  });
  open(AT, <QueryPage />);
  const drawn = () => calls.findLast(({ url }) => url.includes('/query/chart'))?.body;
  fireEvent.click(await screen.findByRole('radio', { name: 'Chart' }));
  await screen.findByRole('table', { name: 'Number of rows by author' });
  expect(drawn()).toEqual({
    entryCollection: 'gmail-messages',
    templateKey: 'by-sender',
    jsonNataQuery: '$',
    timeZone: 'UTC',
  });

  fireEvent.change(screen.getByRole('combobox', { name: 'Picture' }), { target: { value: 'heat-map' } });
  await waitFor(() =>
    expect(drawn()).toMatchObject({ chart: { kind: 'heat-map', x: 'author', series: 'state' } }),
  );
  fireEvent.click(document.querySelector('[data-group="1"]') as Element);
  await waitFor(() => expect(localStorage.getItem(DRAFT_KEY)).toContain('author = \\"bo\\"'));
});

it('stores the chart with a view that is made of it', () => {
  const { chart } = CHART_DATA;
  const display = {
    mode: 'chart' as const,
    onMode: () => undefined,
    columnChoice: { layout: [], onLayout: () => undefined },
    chartSettings: chart,
    onChartSettings: () => undefined,
  };
  expect(displayForNewView(display)).toEqual({ mode: 'chart', columns: [], chart });
  expect(displayForNewView({ ...display, mode: 'table' })).toBeUndefined();
});
