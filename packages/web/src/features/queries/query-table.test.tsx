import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { DRAFT_KEY } from './draft-key.ts';
import { QueryPage } from './query-page.tsx';

const AT = '/query?provider=google&entity=gmail-messages&template=by-sender&step=1&page=2';

function serveRows() {
  return serve(({ url }) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/aggregation')) return { body: { results: [{ n: 1 }, { n: 2 }], count: 22 } };
    return { body: url.includes('/templates/') ? [WIRE_TEMPLATE] : [] };
  });
}
const lastRows = (calls: { url: string }[]) => calls.findLast(({ url }) => url.includes('/aggregation'))?.url;

describe('QueryPage', () => {
  it('sorts by the field in the address, and keeps the next sort there', async () => {
    const calls = serveRows();
    open(`${AT}&sort=-n`, <QueryPage />);
    fireEvent.click(await screen.findByRole('radio', { name: 'Table' }));
    expect(lastRows(calls)).toContain('page=2&sort=-n');
    fireEvent.click(screen.getByRole('button', { name: 'Undo the sorting by n' }));
    await waitFor(() => expect(lastRows(calls)).toMatch(/page=1$/));
    expect(address()).not.toContain('sort');
    fireEvent.click(await screen.findByRole('button', { name: 'Sort by n' }));
    await waitFor(() => expect(address()).toContain('page=1&sort=n'));
  });

  it('ignores a sort in the address that is none', async () => {
    const calls = serveRows();
    open(`${AT}&sort=-`, <QueryPage />);
    await screen.findByRole('radio', { name: 'Tree' });
    expect(lastRows(calls)).toMatch(/page=2$/);
  });

  it('writes a filter by the value of a cell into the expression', async () => {
    serveRows();
    open(AT, <QueryPage />);
    fireEvent.click(await screen.findByRole('radio', { name: 'Table' }));
    fireEvent.keyDown(screen.getByRole('button', { name: 'Filter by n: 1' }), { key: 'ArrowDown' });
    fireEvent.click(screen.getByRole('button', { name: 'Filter by n: 2' }));
    await waitFor(() => expect(localStorage.getItem(DRAFT_KEY)).toContain('$[n = 2]'));
    localStorage.clear();
  });
});
