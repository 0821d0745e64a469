import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { API_TOKEN } from '../../../test-support/token.ts';
import { VIEW } from '../../../test-support/view.ts';
import { TokensCard } from './tokens-card.tsx';

const AT = '2026-11-20T10:00:00.000Z';
const use = (path: string, status: number) => ({
  at: AT,
  tokenId: 't',
  name: 'Design team',
  method: path.endsWith('sessions') ? 'POST' : 'GET',
  path,
  status,
  times: 1,
});
const OPENED = '/api/share/sessions';
const DOWNLOADED = '/api/share/tiles/{tileId}/download';

function show() {
  const limited = { ...API_TOKEN, rowBudget: 500, rowsUsed: 20 };
  const tokens = [
    { ...limited, _id: '1', name: 'Wall', scope: 'board', boardId: 'b', hasPassword: true },
    { ...limited, _id: '2', name: 'Gone', scope: 'board', boardId: 'x' },
    { ...limited, _id: '3', name: 'Feed', scope: 'view', viewId: 'v' },
    { ...API_TOKEN, _id: '4', name: 'Script' },
  ];
  const results = [
    use(OPENED, 201),
    use(OPENED, 403),
    use(OPENED, 404),
    use(DOWNLOADED, 200),
    use(DOWNLOADED, 403),
    use('/api/data/search', 200),
  ];
  serve(({ url }) => ({ body: url.includes('/uses') ? { results, count: results.length } : tokens }));
  const load = { isLoading: false, isFetching: false, refetch: () => {} };
  renderAs(
    { mayChange: true },
    <TokensCard views={[VIEW]} boards={[{ id: 'b', title: 'Team reviews' }]} load={load as never} />,
  );
}

it('names the board or view of each token, and marks those with a password', async () => {
  show();
  await screen.findByText('Wall');
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  expect(lines[0]).toContain('WallOne boardPasswordTeam reviews · 20 of 500 rows used');
  expect(lines[1]).toContain('GoneOne boardDeleted board');
  expect(lines[2]).toContain('FeedOne viewMine');
  expect(lines[3]).not.toContain('rows used');
});

it('says in words what readers of shared pages did, and lists other calls by their path', async () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Access log' }));
  const log = await screen.findByRole('dialog', { name: 'Access log' });
  await within(log).findByText('Shared page opened');
  const lines = within(log)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '');
  expect(lines[1]).toContain('Shared page not opened: no or a wrong password, or no rows left');
  expect(lines[2]).toContain('Shared page not opened404');
  expect(lines[3]).toContain('File downloaded from the shared page');
  expect(lines[4]).toContain('Download from the shared page refused');
  expect(lines[5]).toContain('GET /api/data/search');
});

it('offers no token of a board, which is shared on its own page', async () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'New token' }));
  const dialog = await screen.findByRole('dialog', { name: 'New token' });
  const scopes = within(dialog)
    .getAllByRole('radio')
    .map((radio) => (radio as HTMLInputElement).value);
  expect(scopes).toEqual(['read', 'sync', 'manage', 'view']);
});
