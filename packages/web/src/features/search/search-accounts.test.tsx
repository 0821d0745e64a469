import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../../test-support/objects.ts';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { SearchPage } from './search-page.tsx';

const TWO = { ...provider, accounts: [ACCOUNT, { ...ACCOUNT, account: 'ada-work', title: 'Work' }] };
const RESULT = {
  providerId: 'google',
  entityLabel: 'gmail-messages',
  account: 'ada-work',
  accounts: ['ada-work', 'ada'],
  recordId: '1',
  title: [{ text: 'Invoice', isMatch: true }],
  excerpt: [],
  person: '',
  labels: [],
  occurredAt: '2026-11-25T09:30:00.000Z',
};
const READING = {
  ...RESULT,
  title: 'Invoice',
  facts: [],
  text: 'Pay',
  textFormat: 'plain',
  html: null,
  isCutOff: false,
  url: null,
};
const FOUND = {
  results: [RESULT],
  count: 1,
  isLimited: false,
  remarks: [],
  correctedText: null,
  unindexed: 0,
  indexing: [],
  facets: {
    count: 2,
    isLimited: false,
    facets: [
      {
        name: 'account',
        values: [
          { value: 'ada-work', title: 'Work', count: 1 },
          { value: 'ada', title: 'ada', count: 1 },
        ],
      },
    ],
  },
};

function serveTwo(): Call[] {
  return serve(({ url }) => {
    if (url.includes('/providers')) return { body: [TWO] };
    if (url.includes('/data/records/')) return { body: READING };
    return { body: url.includes('/search?') ? FOUND : [] };
  });
}

describe('SearchPage with two accounts', () => {
  it('names the account of a result, and narrows the search to one by its facet', async () => {
    const calls = serveTwo();
    open('/search?q=invoice', <SearchPage />);
    const results = await screen.findByRole('list', { name: 'Results' });
    expect(within(results).getByText('Work')).toBeTruthy();
    fireEvent.click(
      within(screen.getByRole('region', { name: 'Account' })).getByRole('button', { name: /^ada/ }),
    );
    await waitFor(() => expect(address()).toBe('/search?q=account%3Aada+invoice'));
    await waitFor(() => expect(calls.some(({ url }) => url.includes('?q=account%3Aada+invoice'))).toBe(true));
  });

  it('adds an account to that of the address, and takes it back', async () => {
    serveTwo();
    open('/search?q=invoice&account=ada', <SearchPage />);
    const facet = await screen.findByRole('region', { name: 'Account' });
    fireEvent.click(within(facet).getByRole('button', { name: /^Work/ }));
    await waitFor(() => expect(address()).toBe('/search?q=account%3A%7Bada+ada-work%7D+invoice'));
    fireEvent.click(within(facet).getByRole('button', { name: /^ada,/ }));
    await waitFor(() => expect(address()).toBe('/search?q=account%3Aada-work+invoice'));
  });

  it('reads the copy of the account, and says which other account has the record', async () => {
    const calls = serveTwo();
    open('/search?q=invoice', <SearchPage />);
    fireEvent.click(await screen.findByRole('link', { name: 'Invoice' }));
    const dialog = await screen.findByRole('dialog', { name: 'Invoice' });
    expect(await within(dialog).findByText('Also in')).toBeTruthy();
    expect(within(dialog).getByText('Gmail · Messages · Work')).toBeTruthy();
    expect(calls.find(({ url }) => url.includes('/data/records/'))?.url).toContain('account=ada-work');
  });

  it('ignores an account in the address that the user does not have', async () => {
    const calls = serveTwo();
    open('/search?q=invoice&account=other', <SearchPage />);
    await screen.findByRole('list', { name: 'Results' });
    expect(calls.some(({ url }) => url.includes('account='))).toBe(false);
  });
});
