import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../../test-support/objects.ts';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { QueryPage } from './query-page.tsx';

const TEMPLATE = { ...WIRE_TEMPLATE, isOfRecords: true, isSearchable: true, columns: ['subject'] };
const AT = '/query?provider=google&entity=gmail-messages&template=by-sender&step=1&page=2';

/** Serves a provider with these accounts, its template and two rows. */
function serveAccounts(accounts: readonly object[]) {
  return serve(({ url }) => {
    if (url.includes('/providers')) return { body: [{ ...provider, accounts }] };
    if (url.includes('/aggregation')) {
      const results = ['a', 'b'].map((id) => ({ id, subject: `S ${id}`, account: 'ada', accounts: ['ada'] }));
      return { body: { results, count: 22 } };
    }
    return { body: url.includes('/templates/') ? [TEMPLATE] : [] };
  });
}

describe('QueryPage with accounts', () => {
  it('has a filter by account, which starts at the first page, and shows the account of rows', async () => {
    const calls = serveAccounts([ACCOUNT, { ...ACCOUNT, account: 'ada-work', title: 'Work' }]);
    open(AT, <QueryPage />);
    fireEvent.click(await screen.findByRole('radio', { name: 'Table' }));
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'History',
      'subject',
      'account',
      'id',
      'accounts',
    ]);
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Account' }), { key: 'ArrowDown' });
    fireEvent.click(screen.getByRole('option', { name: 'Work' }));
    await waitFor(() => expect(calls.at(-1)?.url).toContain('page=1&account=ada-work'));
    expect(address()).toContain('page=1&account=ada-work');
  });

  it('has no filter and no column with a single account', async () => {
    serveAccounts([ACCOUNT, { ...ACCOUNT, account: 'old', status: 'disconnected', isShown: false }]);
    open(AT, <QueryPage />);
    fireEvent.click(await screen.findByRole('radio', { name: 'Table' }));
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull();
    expect(screen.queryByRole('columnheader', { name: 'account' })).toBeNull();
  });

  it('reads the history of the copy that a row shows', async () => {
    const calls = serveAccounts([ACCOUNT]);
    open(AT, <QueryPage />);
    fireEvent.click(await screen.findByRole('radio', { name: 'Table' }));
    fireEvent.click(screen.getByRole('button', { name: 'History of S a' }));
    await waitFor(() => expect(calls.some(({ url }) => url.includes('record=a&account=ada'))).toBe(true));
  });
});
