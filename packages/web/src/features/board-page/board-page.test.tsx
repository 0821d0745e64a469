import type { Board, Tile } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { address, open, provider } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { BoardPage } from './board-page.tsx';
import { daysAgo } from './board-parameters.tsx';

const { inputs: _inputs, ...LISTED_VIEW } = WIRE_VIEW;
const AT = '/boards?board=b';
const SINCE = { name: 'since', type: 'date', default: null } as const;
const REPO = { name: 'repo', type: 'text', default: null } as const;

const tile = (id: string, viewId: string): Tile => ({
  id,
  kind: 'view',
  width: 6,
  height: 4,
  viewId,
  picture: 'table',
  title: '',
});
const BOARD: Board = {
  _id: 'b',
  title: 'My week',
  tiles: [
    tile('t1', 'v'),
    tile('t2', 'w'),
    {
      id: 't3',
      kind: 'text',
      width: 12,
      height: 1,
      text: '# Hello\n<b>raw</b> ![x](https://example.org/a.png)',
    },
  ],
  version: 1,
  weeklyMail: false,
  updated_at: '2026-11-20T10:00:00.000Z',
};

/** Serves a board of two views, of which one has the parameter `repo`. */
function serveBoard(board: Board, { isOutdated = false } = {}) {
  const stored = { ...board };
  const calls = serve(({ method, url, body }) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/views/all')) {
      const views = [
        { ...LISTED_VIEW, title: 'First', parameters: [SINCE, REPO] },
        { ...LISTED_VIEW, _id: 'w', title: 'Second', parameters: [SINCE] },
      ];
      return { body: { results: views, count: views.length } };
    }
    if (url.includes('/aggregate/'))
      return { body: { results: [{ number: 1, title: 'Fix it' }], count: 1, isArray: true } };
    if (method === 'PUT') {
      if (isOutdated) {
        Object.assign(stored, { title: 'Changed elsewhere', version: 5 });
        return { status: 409, body: { error: { code: 'board-outdated', message: 'Changed elsewhere.' } } };
      }
      Object.assign(stored, body, { version: stored.version + 1 });
      return { body: stored };
    }
    if (url.endsWith('/boards/b')) return { body: stored };
    if (url.endsWith('/boards'))
      return { body: [{ _id: 'b', title: stored.title, tileCount: 3, updated_at: stored.updated_at }] };
    return { body: [] };
  });
  open(AT, <BoardPage />);
  return calls;
}
const saved = (calls: Call[]) => calls.filter(({ method }) => method === 'PUT');
const rowsOf = (calls: Call[], viewId: string) =>
  calls.findLast(({ url }) => url.includes(`/aggregate/${viewId}`))?.url ?? '';
const order = () => screen.getAllByRole('button', { name: /^Move / }).map(({ ariaLabel }) => ariaLabel);

describe('a board', () => {
  it('shows its tiles; its texts as Markdown without HTML and images', async () => {
    serveBoard(BOARD);
    const first = await screen.findByRole('region', { name: 'First' });
    expect(await within(first).findByText('Fix it')).toBeDefined();
    expect(await screen.findByRole('heading', { name: 'Hello' })).toBeDefined();
    expect(screen.getByText(/<b>raw<\/b>/)).toBeDefined();
    expect(document.querySelector('main img, [data-tile] img')).toBeNull();
  });

  it('asks for each parameter once, and passes it to the views that have it', async () => {
    const calls = serveBoard(BOARD);
    const repo = await screen.findByLabelText('$repo');
    expect(screen.getAllByLabelText('$since')).toHaveLength(1);
    fireEvent.change(repo, { target: { value: 'harbor' } });
    await waitFor(() => expect(decodeURIComponent(rowsOf(calls, 'v'))).toContain('{"repo":"harbor"}'));
    expect(rowsOf(calls, 'w')).not.toContain('harbor');
    fireEvent.click(screen.getByRole('button', { name: '7 days' }));
    await waitFor(() => expect(rowsOf(calls, 'v')).toContain('since'));
    expect(rowsOf(calls, 'w')).toContain('since');
  });

  it('says where a view was deleted, and removes its tile', async () => {
    const calls = serveBoard({ ...BOARD, tiles: [tile('t1', 'gone'), tile('t2', 'w')] });
    expect(await screen.findByText('The view was deleted')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Arrange' }));
    fireEvent.keyDown(screen.getByRole('button', { name: 'Actions for View' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    await waitFor(() =>
      expect(saved(calls).at(-1)?.body).toMatchObject({ tiles: [{ id: 't2' }], version: 1 }),
    );
    expect(screen.queryByText('The view was deleted')).toBeNull();
  });

  it('is arranged by keyboard, saved at each step with the next version, and undone', async () => {
    const calls = serveBoard(BOARD);
    fireEvent.click(await screen.findByRole('button', { name: 'Arrange' }));
    await screen.findByRole('button', { name: 'Move First' });
    fireEvent.keyDown(screen.getByRole('button', { name: 'Move First' }), { key: 'ArrowRight' });
    await waitFor(() => expect(order()).toEqual(['Move Second', 'Move First', 'Move text']));
    fireEvent.keyDown(screen.getByRole('button', { name: 'Resize First' }), { key: 'ArrowDown' });
    await waitFor(() => expect(saved(calls)).toHaveLength(2));
    expect(saved(calls).map(({ body }) => (body as Board).version)).toEqual([1, 2]);
    expect(saved(calls)[1]?.body).toMatchObject({
      tiles: [{ id: 't2' }, { id: 't1', height: 5 }, { id: 't3' }],
    });
    const undo = screen.getByRole('button', { name: 'Undo the last change' });
    fireEvent.click(undo);
    fireEvent.click(undo);
    await waitFor(() => expect(saved(calls).at(-1)?.body).toMatchObject({ tiles: BOARD.tiles }));
    expect(order()).toEqual(['Move First', 'Move Second', 'Move text']);
  });

  it('takes back a change of a board that was changed elsewhere, and shows that one', async () => {
    serveBoard(BOARD, { isOutdated: true });
    fireEvent.click(await screen.findByRole('button', { name: 'Arrange' }));
    fireEvent.keyDown(await screen.findByRole('button', { name: 'Move First' }), { key: 'ArrowRight' });
    expect(await screen.findByText('Changed elsewhere.')).toBeDefined();
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 2, name: 'Changed elsewhere' })).toBeDefined(),
    );
    expect(order()).toEqual(['Move First', 'Move Second', 'Move text']);
  });
});

describe('sharing a board', () => {
  it('begins with the values in use, and counts its views', async () => {
    serveBoard(BOARD);
    fireEvent.change(await screen.findByLabelText('$repo'), { target: { value: 'harbor' } });
    await waitFor(() => expect(address()).toContain('p.repo=harbor'));
    const share = await screen.findByRole<HTMLButtonElement>('button', { name: 'Share' });
    await waitFor(() => expect(share.disabled).toBe(false));
    fireEvent.click(share);
    const dialog = within(await screen.findByRole('dialog', { name: 'Share' }));
    expect(dialog.getByText(/all rows of the 2 views on this board/)).toBeDefined();
    expect(dialog.getByLabelText<HTMLInputElement>('$repo').value).toBe('harbor');
  });

  it('needs a view or a text, since searches are left out', async () => {
    const search = {
      id: 's',
      kind: 'search',
      width: 6,
      height: 5,
      search: 'is:open',
      title: 'Found',
    } as const;
    serveBoard({ ...BOARD, tiles: [search] });
    await screen.findByRole('region', { name: 'Found' });
    const share = screen.getByRole<HTMLButtonElement>('button', { name: 'Share' });
    await waitFor(() => expect(share.title).toBe('Add a view or a text first'));
    expect(share.disabled).toBe(true);
  });
});

describe('daysAgo', () => {
  it.each([
    ['UTC', 7, '2026-11-21'],
    ['Europe/Berlin', 30, '2026-10-29'],
    ['America/New_York', 90, '2026-08-30'],
    ['Pacific/Kiritimati', 0, '2026-11-29'],
  ])('is a day of %s', (timeZone, days, expected) => {
    expect(daysAgo(days, timeZone, new Date('2026-11-28T12:00:00Z'))).toBe(expected);
  });
});
