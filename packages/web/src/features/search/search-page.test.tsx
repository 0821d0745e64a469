import type { SearchResult, SearchResults } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { address, open, provider, tryAgain } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { SearchPage } from './search-page.tsx';

const result: SearchResult = {
  providerId: 'google',
  entityLabel: 'gmail-messages',
  account: 'ada@example.org',
  recordId: 'm/1',
  title: [
    { text: '<img src=x onerror=alert(1)> ', isMatch: false },
    { text: 'Invoice', isMatch: true },
  ],
  excerpt: [{ text: 'Please <b>pay</b>', isMatch: false }],
  person: 'amy@example.org',
  labels: ['INBOX', 'to do'],
  occurredAt: '2026-11-25T09:30:00.000Z',
};
const second = { ...result, recordId: 'm/2', title: [{ text: 'Second', isMatch: false }] };
const facets = {
  count: 45,
  isLimited: false,
  facets: [
    {
      name: 'provider',
      values: [
        { value: 'google', title: 'Gmail', count: 40 },
        { value: 'github', title: 'GitHub', count: 5 },
      ],
    },
    { name: 'label', values: [{ value: 'to do', title: 'to do', count: 7 }] },
    {
      name: 'author',
      values: Array.from({ length: 7 }, (_, i) => ({ value: `author-${i}`, title: `author-${i}`, count: 1 })),
    },
    { name: 'month', values: [{ value: '2026-12', title: 'December 2026', count: 3 }] },
  ],
};
const found = {
  results: [result, second],
  count: 45,
  isLimited: false,
  remarks: [],
  correctedText: null as string | null,
  unindexed: 0,
  indexing: [] as SearchResults['indexing'],
  facets,
};
const reading = {
  providerId: 'google',
  entityLabel: 'gmail-messages',
  account: 'ada@example.org',
  recordId: 'm/1',
  title: 'Invoice 7',
  occurredAt: result.occurredAt,
  facts: [{ title: 'From', values: ['Amy <amy@example.org>'] }],
  text: 'Pay at https://example.org/pay. <b>Now</b>',
  textFormat: 'plain',
  html: '<p>Pay <b>now</b><script>alert(1)</script></p>',
  isCutOff: false,
  url: 'https://mail.example/m1',
};

const isSearch = ({ url }: Call) => url.startsWith('/api/data/search?');
const textsOf = (calls: readonly Call[]) =>
  calls.filter(isSearch).map(({ url }) => new URL(url, 'http://x').searchParams.get('q'));

/** Serves the page's requests; `answer` replaces the results of the search. */
function serveSearch(answer: (call: Call) => { status?: number; body: unknown } = () => ({ body: found })) {
  return serve((call) => {
    const { url } = call;
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/search/values')) return { body: [{ value: 'to do' }] };
    if (url.includes('/conversation?')) return { body: { mails: [], isCutOff: false, unindexed: 0 } };
    if (url.includes('/data/records/')) return { body: reading };
    return isSearch(call) ? answer(call) : { body: [] };
  });
}
const show = (at = '/search') => open(at, <SearchPage />);
const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search all records' });
function type(text: string) {
  box().focus();
  fireEvent.change(box(), { target: { value: text, selectionStart: text.length } });
}
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

describe('SearchPage', () => {
  it('searches while the user types, with the text in the address', async () => {
    const calls = serveSearch();
    show();
    expect(await screen.findByText('Newest records')).toBeTruthy();
    expect(document.activeElement).toBe(box());

    type('invo');
    await waitFor(() => expect(address()).toBe('/search?q=invo'));
    expect(await screen.findByText('45 results')).toBeTruthy();
    expect(calls.find(({ url }) => url.includes('q=invo'))?.url).toContain('isTyping=true');

    press('Enter');
    await waitFor(() =>
      expect(calls.some(({ url }) => /q=invo&order=relevance&isTyping=false/.test(url))).toBe(true),
    );
  });

  it('searches for the first key at once, and for keys in a quick row only once', async () => {
    const calls = serveSearch();
    show();
    await screen.findByText('Newest records');

    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    type('i');
    type('in');
    type('inv');
    type('invo');
    now.mockRestore();
    await waitFor(() => expect(textsOf(calls)).toContain('invo'));

    expect(textsOf(calls)).not.toContain('inv');
  });

  it('restores text, order, page and provider from the address', async () => {
    const calls = serveSearch();
    show('/search?q=invoice&order=newest&page=2&provider=google');
    await screen.findByText('45 results');
    expect(box().value).toBe('invoice');
    expect(calls.find(isSearch)?.url).toMatch(
      /q=invoice&order=newest&isTyping=false&page=2&facets=true&providerId=google$/,
    );
  });

  it('cancels the request of an earlier text', async () => {
    const signals: [string, AbortSignal][] = [];
    vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
      if (!url.startsWith('/api/data/search?'))
        return Promise.resolve(new Response(JSON.stringify(url.includes('/providers') ? [provider] : [])));
      signals.push([url, signal]);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    show('/search?q=first');
    await waitFor(() => expect(signals).toHaveLength(1));

    type('second');
    await waitFor(() => expect(signals).toHaveLength(2));
    expect(signals.map(([, { aborted }]) => aborted)).toEqual([true, false]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('explains an unknown operator at its place, and does not search', async () => {
    const calls = serveSearch();
    show('/search?q=foo%3Abar+invoice');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('There is no operator foo:');
    expect(box().getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(box().getAttribute('aria-describedby') ?? '')).toBe(alert);
    expect(textsOf(calls)).toEqual([]);
  });

  it('leaves an unfinished operator out while the user types, and explains it on Enter', async () => {
    const calls = serveSearch();
    show();
    await screen.findByText('Newest records');
    type('invoice is:lost');
    await waitFor(() => expect(textsOf(calls)).toContain('invoice'));
    expect(screen.queryByRole('alert')).toBeNull();
    press('Enter');
    expect((await screen.findByRole('alert')).textContent).toContain('It does not know lost');
  });

  it('says which search the results are for, and how many records are not indexed yet', async () => {
    const indexing = [{ entityLabel: 'gmail-messages', indexed: 1234, total: 5000 }];
    serveSearch(() => ({ body: { ...found, correctedText: 'from:amy', unindexed: 3766, indexing } }));
    show('/search?q=from%3Aamz');
    expect(await screen.findByText(/1,234 of 5,000 Gmail messages prepared/)).toBeTruthy();
    expect(screen.getByText(/^No results for/).textContent).toContain('from:amz. Showing results for');
    fireEvent.click(screen.getByRole('button', { name: 'from:amy' }));
    expect(address()).toBe('/search?q=from%3Aamy');
  });

  it('offers to search for the words alone when nothing matches', async () => {
    serveSearch(() => ({ body: { ...found, results: [], count: 0 } }));
    show('/search?q=invoice+from%3Aamy');
    expect(await screen.findByText('No record matches this search')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Search for the words alone' }));
    expect(address()).toBe('/search?q=invoice');
  });

  it('reports a failure and loads again on Try again', async () => {
    let fails = true;
    serveSearch(() => (fails ? { status: 500, body: {} } : { body: found }));
    show('/search?q=invoice');
    await screen.findByRole('alert');
    fails = false;
    await tryAgain();
    expect(await screen.findByText('45 results')).toBeTruthy();
  });

  it('leads to the providers when none is connected', async () => {
    const calls = serve(({ url }) => ({
      body: url.includes('/providers') ? [{ ...provider, isBlocked: false }] : [],
    }));
    show('/search');
    expect(await screen.findByText('No provider is connected')).toBeTruthy();
    expect(textsOf(calls)).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Go to Providers' }));
    expect(address()).toBe('/dashboard/integrations/providers');
  });

  it('narrows the search by facets and takes it back', async () => {
    serveSearch();
    show('/search?q=invoice&page=2');
    const filters = screen.getByRole('complementary', { name: 'Filters' });
    const facet = (name: RegExp) => within(filters).findByRole('button', { name });

    fireEvent.click(await facet(/^to do/));
    expect(address()).toBe('/search?q=label%3A%22to+do%22+invoice');
    expect((await facet(/^to do/)).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(await facet(/^Gmail/));
    expect(address()).toContain('provider=google');
    fireEvent.click(await facet(/^author-0/));
    fireEvent.click(await facet(/^author-3/));
    expect(box().value).toBe('author:{author-0 author-3} label:"to do" invoice');

    for (const name of [/^Gmail/, /^to do/, /^author-0/, /^author-3/]) fireEvent.click(await facet(name));
    expect(address()).toBe('/search?q=invoice');
  });

  it('narrows the search to months by dragging and by keyboard, and takes it back', async () => {
    const months = ['2026-12', '2026-10', '2026-09', '2026-07'].map((value, index) => ({
      value,
      title: value,
      count: index + 1,
    }));
    const body = { ...found, facets: { ...facets, facets: [{ name: 'month', values: months }] } };
    serveSearch(() => ({ body }));
    show('/search?q=invoice');
    const bars = await screen.findByRole('listbox', { name: 'Month' });
    expect(within(bars).getAllByRole('option')).toHaveLength(6);
    expect(within(bars).getByRole('option', { name: 'August 2026, 0' })).toBeTruthy();
    bars.getBoundingClientRect = () => new DOMRect(100, 0, 60, 48);
    bars.setPointerCapture = () => undefined;
    fireEvent.pointerDown(bars, { clientX: 145, button: 0 });
    fireEvent.pointerMove(bars, { clientX: 115 });
    fireEvent.pointerUp(bars);
    expect(box().value).toBe('after:2026-08 before:2026-12 invoice');
    const isSelected = () =>
      within(bars)
        .getAllByRole('option')
        .map((bar) => bar.getAttribute('aria-selected'))
        .join();
    expect(isSelected()).toBe('false,true,true,true,true,false');

    bars.focus();
    press('End');
    press('Enter');
    expect(box().value).toBe('after:2026-12 before:2027-01 invoice');
    fireEvent.keyDown(bars, { key: 'ArrowLeft' });
    fireEvent.keyDown(bars, { key: 'ArrowLeft', shiftKey: true });
    expect(bars.getAttribute('aria-activedescendant')).toBe(within(bars).getAllByRole('option')[3]?.id);
    press('Escape');
    expect(bars.getAttribute('aria-activedescendant')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /December 2026/ }));
    expect(box().value).toBe('invoice');
  });

  it('lists what narrows the search above the results, and takes back one or all of it', async () => {
    serveSearch();
    show(
      '/search?q=invoice+label%3A%7Ba+%22to+do%22%7D+is%3Aunread+after%3A2026-03+before%3A2026-06&provider=google',
    );
    const chips = await screen.findByRole('list', { name: 'Active filters' });
    const names = () =>
      within(chips)
        .getAllByRole('button')
        .map(({ textContent }) => textContent);
    expect(names()).toEqual([
      'Remove Provider Gmail',
      'Remove Label a',
      'Remove Label to do',
      'Remove is:unread',
      'Remove March 2026 to May 2026',
      'Clear filters',
    ]);
    fireEvent.click(within(chips).getByRole('button', { name: /Label ?a$/ }));
    expect(box().value).toBe('invoice label:"to do" is:unread after:2026-03 before:2026-06');
    fireEvent.click(within(chips).getByRole('button', { name: /March/ }));
    expect(box().value).toBe('invoice label:"to do" is:unread');
    fireEvent.click(within(chips).getByRole('button', { name: 'Clear filters' }));
    expect(address()).toBe('/search?q=invoice');
    expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
  });

  it('shows five values of a facet, chosen ones, and the others on request', async () => {
    serveSearch();
    show('/search?q=author%3Aauthor-6');
    const authors = await screen.findByRole('region', { name: 'Author' });
    const names = () =>
      within(authors)
        .getAllByRole('button')
        .map(({ textContent }) => textContent);
    expect(names()).toHaveLength(7);
    expect(names()).toContain('author-6, 1');
    fireEvent.click(within(authors).getByRole('button', { name: 'Show more' }));
    expect(names()).toHaveLength(8);
  });

  it('opens a result by keyboard, shows titles and texts as they are, and returns', async () => {
    serveSearch();
    show('/search?q=invoice');
    const results = await screen.findByRole('list', { name: 'Results' });
    expect(results.querySelector('img, b')).toBeNull();
    expect([...results.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Invoice']);

    press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('<img src=x onerror=alert(1)> Invoice');
    press('j');
    expect(document.activeElement?.textContent).toBe('Second');
    press('k');
    press('ArrowUp');
    expect(document.activeElement).toBe(box());
    press('ArrowDown');
    fireEvent.click(document.activeElement ?? document.body);
    expect(address()).toBe('/search?q=invoice&record=google%2Fgmail-messages%2Fm%2F1&of=ada%40example.org');

    const dialog = await screen.findByRole('dialog', { name: 'Invoice 7' });
    expect(within(dialog).getByText(/<b>Now<\/b>/)).toBeTruthy();
    const link = within(dialog).getByRole('link', { name: 'https://example.org/pay' });
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    expect(within(dialog).getByRole('link', { name: 'Open in Gmail' }).getAttribute('href')).toBe(
      reading.url,
    );
    expect(dialog.querySelector('iframe')).toBeNull();

    fireEvent.keyDown(dialog, { key: 'Escape' });
    await waitFor(() => expect(address()).toBe('/search?q=invoice'));
  });

  it('shows the formatted mail in a frame without scripts, only when asked', async () => {
    serveSearch();
    show('/search?q=invoice&record=google/gmail-messages/m/1');
    fireEvent.click(await screen.findByRole('switch', { name: 'Show formatted mail' }));
    const frame = await screen.findByTitle('Formatted mail');
    expect(frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox');
    expect(frame.getAttribute('srcdoc')).toContain('<p>Pay <b>now</b></p>');
    expect(screen.getByText(/Remote content is blocked/)).toBeTruthy();
  });
});

describe('a mail without plain text', () => {
  it('is shown formatted at once', async () => {
    serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      return { body: url.includes('/data/records/') ? { ...reading, text: ' ' } : found };
    });
    show('/search?q=invoice&record=google/gmail-messages/m/1');
    expect((await screen.findByTitle('Formatted mail')).getAttribute('srcdoc')).toContain('now');
  });
});

describe('completion in the search box', () => {
  it('completes an operator and its value by keyboard', async () => {
    serveSearch(() => ({ body: { ...found, facets: null } }));
    show();
    await screen.findByText('Newest records');
    type('invoice lab');
    expect((await screen.findByRole('option')).textContent).toContain('label:');
    press('ArrowDown');
    expect(screen.getByRole('option').getAttribute('aria-selected')).toBe('true');
    expect(box().getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id);
    press('Enter');
    expect(box().value).toBe('invoice label:');

    expect((await screen.findByRole('option', { name: /to do/ })).textContent).toBe('to do');
    press('ArrowDown');
    press('Enter');
    expect(box().value).toBe('invoice label:"to do" ');
    expect(screen.queryByRole('listbox')).toBeNull();
    await waitFor(() => expect(address()).toBe('/search?q=invoice+label%3A%22to+do%22'));
  });

  it('takes the first completion with Tab, and with Enter that of a name or a choice', async () => {
    serveSearch(() => ({ body: { ...found, facets: null } }));
    show();
    await screen.findByText('Newest records');
    type('lab');
    await screen.findByRole('option');
    press('Tab');
    expect(box().value).toBe('label:');
    type('is:unr');
    await screen.findByRole('option');
    press('Enter');
    expect(box().value).toBe('is:unread ');
    // Part of a name of a person is a search of its own.
    type('from:am');
    press('Enter');
    expect(box().value).toBe('from:am');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(press('Tab')).toBe(true);
  });

  it('closes on Escape, and Enter then searches for the text as it is', async () => {
    const calls = serveSearch(() => ({ body: { ...found, facets: null } }));
    show();
    await screen.findByText('Newest records');
    type('fr');
    await screen.findByRole('listbox');
    press('Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    press('Enter');
    await waitFor(() =>
      expect(calls.some(({ url }) => url.includes('q=fr&order=relevance&isTyping=false'))).toBe(true),
    );
    expect(box().value).toBe('fr');
  });

  it('goes from the last completion to the results', async () => {
    serveSearch(() => ({ body: { ...found, facets: null } }));
    show('/search?q=x');
    await screen.findByText('45 results');
    type('au');
    await screen.findByRole('option');
    press('ArrowDown');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toContain('Invoice');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});
