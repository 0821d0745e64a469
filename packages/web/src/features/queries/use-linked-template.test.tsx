import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { QueryPage } from './query-page.tsx';

const TEMPLATE = { ...WIRE_TEMPLATE, description: 'Counts senders.' };
const RUN = '/query?provider=google&entity=gmail-messages&template=by-sender&step=1&page=1';

/** Follows a link to a template of messages, the first one unless it names another. */
function follow(target: string, template = '') {
  const calls = serve(({ url, method }) => {
    if (method === 'POST') return { status: 201, body: WIRE_VIEW };
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/aggregation')) return { body: { results: [{ id: 'a' }], count: 1 } };
    return { body: url.includes('/templates/') ? [TEMPLATE, { ...TEMPLATE, templateKey: 'other' }] : [] };
  });
  open(`/query?provider=google&entity=gmail-messages${template}&open=${target}`, <QueryPage />);
  return calls;
}

describe('a link to a template', () => {
  it('runs it', async () => {
    follow('results');
    expect(await screen.findByText('1 result')).toBeTruthy();
    expect(address()).toBe(RUN);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('also saves a view of its rows, which is offered to be opened', async () => {
    const calls = follow('view');
    await screen.findByRole('dialog', { name: 'Save as View' });
    expect(address()).toBe(RUN);
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Open' }));
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      title: 'By sender',
      description: 'Counts senders.',
      jsonNataQuery: '$',
    });
    await waitFor(() =>
      expect(address()).toBe('/dashboard/data/views?provider=google&entity=gmail-messages&view=v'),
    );
  });

  it('saves a view of the template that it names, with the chart that shows its rows', async () => {
    localStorage.setItem('dd-resultMode-query', '"chart"');
    const calls = follow('view', '&template=other');
    await screen.findByRole('dialog', { name: 'Save as View' });
    expect(address()).toContain('template=other&step=1');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(
        calls.find(({ method, url }) => method === 'POST' && url.endsWith('/data/views'))?.body,
      ).toMatchObject({
        templateKey: 'other',
        display: { mode: 'chart', columns: [] },
      }),
    );
    localStorage.clear();
  });
});
