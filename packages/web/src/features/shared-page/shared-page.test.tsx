import type { SharedPage as Page } from '@datadeck/contract';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { refusal, SHARED_BOARD, serveShare, sharedTile } from '../../../test-support/share.ts';
import { LinkedPage } from './linked-page.tsx';

const at = (path: string) => window.history.replaceState(null, '', path);

beforeEach(() => at('/share/a#s'));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  at('/');
});

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const tile = (name: string) => screen.findByRole('region', { name });
const board = (...tiles: Page['tiles']): Page => ({ ...SHARED_BOARD, tiles });

describe('a shared page', () => {
  it('shows a board with its text, chart and rows, and when it ends', async () => {
    serveShare();
    render(<LinkedPage />);
    expect(screen.getByText('Opening the shared page...')).toBeDefined();
    expect(await heading('Team reviews')).toBeDefined();
    expect(document.title).toBe('Team reviews · Datadeck');
    expect(await within(await tile('Waiting')).findByRole('cell', { name: 'Fix it' })).toBeDefined();
    expect((await within(await tile('By author')).findAllByText('amy')).length).toBeGreaterThan(0);
    expect((await screen.findByText('all')).tagName).toBe('EM');
    expect(screen.getByText(/^This page is shared until/)).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('reads nothing that the browser stores', async () => {
    localStorage.setItem('dd-authToken', '"account"');
    const read = vi.spyOn(Storage.prototype, 'getItem');
    const server = serveShare();
    render(<LinkedPage />);
    await tile('Waiting');
    expect(read).not.toHaveBeenCalled();
    expect(server.calls.map(({ token }) => token)).not.toContain('Bearer account');
    localStorage.clear();
  });

  it('sorts the rows of a view and turns its pages, below its chart', async () => {
    const tiles = [sharedTile('c', 'chart', 'Reviews'), sharedTile('r', 'table', 'Reviews')];
    const server = serveShare({
      page: { kind: 'view', title: 'Reviews', tiles, expiresAt: null },
      rows: () => ({ body: { results: [{ number: 1, title: 'Fix it' }], count: 45, isArray: true } }),
    });
    const last = () => String(server.calls.at(-1)?.search);
    render(<LinkedPage />);
    expect(await tile('Chart')).toBeDefined();
    expect(screen.queryByText(/shared until/)).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
    await waitFor(() => expect(last()).toBe('page=2'));
    fireEvent.click(await screen.findByRole('button', { name: 'Sort by title' }));
    await waitFor(() => expect(last()).toBe('page=1&sort=title'));
    server.rows = () => refusal(422, 'share-unreadable');
    fireEvent.click(await screen.findByRole('button', { name: 'Sort by title, descending' }));
    expect(await screen.findByText('The rows cannot be sorted by this column.')).toBeDefined();
    expect(await screen.findByRole('button', { name: 'Sort by title' })).toBeDefined();
  });

  it('begins whole records with the fields that come first for their owner', async () => {
    const record = {
      url: 'u',
      ...Object.fromEntries([...'abcdefghijk'].map((name) => [name, 1])),
      title: 'Fix it',
    };
    const tiles = [{ ...sharedTile('r', 'table', 'Reviews'), preferred: ['title'] } as Page['tiles'][number]];
    serveShare({
      page: { kind: 'view', title: 'Reviews', tiles, expiresAt: null },
      rows: () => ({ body: { results: [record], count: 1, isArray: true } }),
    });
    render(<LinkedPage />);
    const [first] = await screen.findAllByRole('columnheader');
    expect(first?.ariaLabel).toBe('title');
  });

  it('says in place why a tile shows nothing', async () => {
    const answers: Record<string, ReturnType<typeof refusal>> = {
      u: refusal(422, 'share-unreadable'),
      x: refusal(403, 'token-exhausted'),
      f: refusal(500, 'internal'),
    };
    serveShare({
      page: board(
        sharedTile('u', 'table', 'Unreadable'),
        sharedTile('x', 'list', 'Exhausted'),
        sharedTile('f', 'table', 'Failed'),
        sharedTile('c', 'chart', 'Drawn'),
      ),
      rows: (id) => answers[id] ?? { body: {} },
      chart: () => ({ body: { ...CHART_DATA, problem: 'no-rows' } }),
    });
    render(<LinkedPage />);
    expect(await screen.findByText('This cannot be shown now')).toBeDefined();
    expect(await screen.findByText('This page may show no more rows')).toBeDefined();
    expect(await within(await tile('Failed')).findByText('The message of internal.')).toBeDefined();
    expect(await within(await tile('Drawn')).findByText('No rows')).toBeDefined();
  });

  it('says that an empty board is empty', async () => {
    serveShare({ page: board() });
    render(<LinkedPage />);
    expect(await screen.findByText('There is nothing on this page yet')).toBeDefined();
  });

  it('offers all formats of a tile, and says why a download fails', async () => {
    const server = serveShare({ page: board(sharedTile('r', 'table', 'Waiting')) });
    render(<LinkedPage />);
    await screen.findByRole('cell', { name: 'Fix it' });
    server.rows = () => refusal(403, 'token-exhausted');
    fireEvent.keyDown(screen.getByRole('button', { name: 'Download Waiting' }), { key: 'Enter' });
    const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(names).toEqual(['JSON', 'NDJSON', 'CSV', 'CSV for programs', 'XLSX', 'Parquet']);
    fireEvent.click(screen.getByRole('menuitem', { name: 'CSV for programs' }));
    expect(await screen.findByText('The message of token-exhausted.')).toBeDefined();
    expect(server.calls.at(-1)).toMatchObject({ path: '/api/share/tiles/r/download', token: 'Bearer dds_1' });
    expect(String(server.calls.at(-1)?.search)).toBe('format=csv&exact=true');
  });

  it('loads everything again on Refresh, and when the reader returns after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = serveShare();
    render(<LinkedPage />);
    await screen.findByRole('cell', { name: 'Fix it' });
    const isLoaded = () =>
      screen
        .findByRole('button', { name: 'Refresh' })
        .then((button) => waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false)));
    await isLoaded();
    const before = server.calls.length;
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(server.calls).toHaveLength(before + 3));
    await isLoaded();
    const comeBack = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
    vi.setSystemTime(Date.now() + 4 * 60_000);
    comeBack();
    expect(server.calls).toHaveLength(before + 3);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    comeBack();
    await waitFor(() => expect(server.calls).toHaveLength(before + 6));
  });
});

describe('a page that cannot be shown', () => {
  it.each([
    ['share-ended', 404, 'This page is not shared any more'],
    ['sharing-off', 403, 'Sharing is turned off'],
    ['token-exhausted', 403, 'This page may show no more rows'],
  ])('says so: %s', async (code, status, title) => {
    serveShare({ open: () => refusal(status, code) });
    render(<LinkedPage />);
    expect(await heading(title)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says when it is ended while it is shown', async () => {
    const server = serveShare();
    render(<LinkedPage />);
    await screen.findByRole('cell', { name: 'Fix it' });
    server.isForgotten = () => true;
    server.open = () => refusal(404, 'share-ended');
    fireEvent.click(await screen.findByRole('button', { name: 'Refresh' }));
    expect(await heading('This page is not shared any more')).toBeDefined();
    expect(screen.queryByText('Fix it')).toBeNull();
  });

  it('opens after the connection is back', async () => {
    const server = serveShare({
      open: () => {
        throw new TypeError('Failed to fetch');
      },
    });
    render(<LinkedPage />);
    expect(await heading('The page could not be opened')).toBeDefined();
    server.open = () => undefined;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await heading('Team reviews')).toBeDefined();
  });

  it('says that a part of the link is missing, and opens the whole one', async () => {
    at('/share/a');
    const server = serveShare();
    render(<LinkedPage />);
    expect(await heading('This link is not complete')).toBeDefined();
    expect(server.calls).toEqual([]);
    at('/share/a#s');
    act(() => void window.dispatchEvent(new HashChangeEvent('hashchange')));
    expect(await heading('Team reviews')).toBeDefined();
  });
});

describe('a page with a password', () => {
  const locked = () =>
    serveShare({
      open: ({ password }) => {
        if (password === undefined) return refusal(403, 'password-needed');
        return password === 'right' ? undefined : refusal(403, 'password-wrong');
      },
    });
  async function enter(password: string) {
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: password } });
    fireEvent.click(screen.getByRole('button', { name: 'Open the page' }));
  }

  it('opens with the right one only', async () => {
    const server = locked();
    render(<LinkedPage />);
    expect(await heading('This page has a password')).toBeDefined();
    await enter('wrong');
    expect((await screen.findByRole('alert')).textContent).toBe('This is not the password of this page.');
    await enter('right');
    expect(await heading('Team reviews')).toBeDefined();
    server.isForgotten = () => true;
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText(/It closes an hour after it was opened/)).toBeDefined();
  });

  it('says how long to wait after too many attempts', async () => {
    const server = locked();
    render(<LinkedPage />);
    await heading('This page has a password');
    server.open = () => refusal(429, 'rate-limited', { retryAfter: 2 });
    await enter('wrong');
    const button = await screen.findByRole('button', { name: 'Try again in 2 s' });
    expect((button as HTMLButtonElement).disabled).toBe(true);
    await screen.findByRole('button', { name: 'Open the page' });
  });

  it('keeps what was entered when the connection is lost', async () => {
    const server = locked();
    render(<LinkedPage />);
    await heading('This page has a password');
    server.open = () => {
      throw new TypeError('Failed to fetch');
    };
    await enter('right');
    expect((await screen.findByRole('alert')).textContent).toContain('could not be reached');
    expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('right');
  });
});
