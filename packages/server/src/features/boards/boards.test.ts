import { BOUNDS, type Board, type ListedBoard, type Tile, type View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const BOARDS = '/api/data/boards';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TEXT: Tile = { id: 'text', kind: 'text', width: 12, height: 1, text: '# Hello' };
let server: TestServer;
let ada: Client;
let bob: Client;
let viewId: string;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  bob = await new Client(server).signIn('jonas.weber@sandbox.example');
  viewId = await createView(ada);
});
afterAll(() => server?.remove());

async function createView(user: Client): Promise<string> {
  const { _id } = await user.post<View>('/api/data/views', {
    title: 'Open ones',
    description: 'For a test.',
    jsonNataQuery: '$',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  return _id;
}

const viewTile = (id: string, of = viewId): Tile => ({
  id,
  kind: 'view',
  width: 6,
  height: 4,
  viewId: of,
  picture: 'table',
  title: '',
});
const create = (title: string, tiles: Tile[] = []) => ada.post<Board>(BOARDS, { title, tiles });

interface Answer {
  status: number;
  body: { error?: { code: string; fields?: Record<string, string> } } & Partial<Board>;
}

async function send(user: Client, method: string, path: string, body?: object): Promise<Answer> {
  const response = await user.call(method, path, body);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const update = (board: Board, change: object) =>
  send(ada, 'PUT', `${BOARDS}/${board._id}`, {
    title: board.title,
    tiles: board.tiles,
    version: board.version,
    ...change,
  });

describe('boards', () => {
  it('keep their tiles in order, and grow a version with each change', async () => {
    const board = await create('My week', [TEXT, viewTile('a')]);
    expect(board).toMatchObject({ title: 'My week', version: 1, tiles: [TEXT, viewTile('a')] });
    const search: Tile = { id: 'm', kind: 'search', width: 4, height: 3, search: 'is:unread', title: '' };
    const added = await send(ada, 'POST', `${BOARDS}/${board._id}/tiles`, search);
    expect(added).toMatchObject({ status: 201, body: { version: 2 } });
    const tiles = [search, viewTile('a')];
    expect(await update(board, { version: 2, title: 'Our week', tiles })).toMatchObject({
      status: 200,
      body: { title: 'Our week', version: 3, tiles },
    });
    expect(await ada.get(`${BOARDS}/${board._id}`)).toMatchObject({ title: 'Our week', tiles });
    const listed = (await ada.get<ListedBoard[]>(BOARDS)).find(({ _id }) => _id === board._id);
    expect(listed).toMatchObject({ title: 'Our week', tileCount: 2 });
  });

  it('refuse a change of a version that is not the last one', async () => {
    const board = await create('Two tabs');
    expect((await update(board, { title: 'First' })).status).toBe(200);
    const late = await update(board, { title: 'Second' });
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'board-outdated' } } });
    expect(await ada.get(`${BOARDS}/${board._id}`)).toMatchObject({ title: 'First' });
  });

  it('keep both of two tiles that are added at the same time', async () => {
    const board = await create('Parallel');
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ada.post(`${BOARDS}/${board._id}/tiles`, viewTile(`t${index}`)),
      ),
    );
    const { tiles } = await ada.get<Board>(`${BOARDS}/${board._id}`);
    expect(tiles.map(({ id }) => id).sort()).toEqual(Array.from({ length: 8 }, (_, index) => `t${index}`));
  });

  it('stay when a view of theirs is deleted, and can be changed then', async () => {
    const gone = await createView(ada);
    const board = await create('Gaps', [viewTile('a', gone)]);
    expect((await send(ada, 'DELETE', `/api/data/views/${gone}`)).status).toBe(200);
    expect(await ada.get(`${BOARDS}/${board._id}`)).toMatchObject({ tiles: [{ viewId: gone }] });
    expect((await update(board, { title: 'Still gaps' })).status).toBe(200);
    const again = await send(ada, 'POST', BOARDS, { title: 'New', tiles: [viewTile('a', gone)] });
    expect(again).toMatchObject({ status: 422, body: { error: { fields: { tiles: 'Unknown view' } } } });
  });

  it('belong to their user', async () => {
    const board = await create('Private', [TEXT]);
    expect((await bob.get<ListedBoard[]>(BOARDS)).some(({ _id }) => _id === board._id)).toBe(false);
    const change = { title: 'Mine', tiles: [], version: 1 };
    const attempts = [
      await send(bob, 'GET', `${BOARDS}/${board._id}`),
      await send(bob, 'PUT', `${BOARDS}/${board._id}`, change),
      await send(bob, 'POST', `${BOARDS}/${board._id}/tiles`, TEXT),
      await send(bob, 'DELETE', `${BOARDS}/${board._id}`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const foreign = await send(bob, 'POST', BOARDS, { title: 'Theirs', tiles: [viewTile('a')] });
    expect(foreign.status).toBe(422);
    expect(await ada.get(`${BOARDS}/${board._id}`)).toMatchObject({ title: 'Private', version: 1 });
  });

  it('are read by demo users, and changed by others only', async () => {
    const demo = await new Client(server).demo();
    const [first] = await demo.get<ListedBoard[]>(BOARDS);
    expect(await demo.get<Board>(`${BOARDS}/${first?._id}`)).toMatchObject({ title: first?.title });
    const attempts = [
      await send(demo, 'POST', BOARDS, { title: 'Mine' }),
      await send(demo, 'PUT', `${BOARDS}/${first?._id}`, { title: 'Mine', tiles: [], version: 1 }),
      await send(demo, 'POST', `${BOARDS}/${first?._id}/tiles`, TEXT),
      await send(demo, 'PUT', `${BOARDS}/${first?._id}/mail`, { weekly: true }),
      await send(demo, 'DELETE', `${BOARDS}/${first?._id}`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it.each<[string, object, string]>([
    ['without a title', { title: ' ' }, 'title'],
    ['with a long title', { title: 'x'.repeat(51) }, 'title'],
    ['with a tile that is too wide', { tiles: [{ ...TEXT, width: 13 }] }, 'tiles.0.width'],
    ['with a tile without height', { tiles: [{ ...TEXT, height: 0 }] }, 'tiles.0.height'],
    ['with two tiles of one id', { tiles: [TEXT, TEXT] }, 'tiles'],
    ['with a tile of an unknown kind', { tiles: [{ ...TEXT, kind: 'frame' }] }, 'tiles.0.kind'],
    ['with a text that is too long', { tiles: [{ ...TEXT, text: 'x'.repeat(5001) }] }, 'tiles.0.text'],
    [
      'with an empty search',
      { tiles: [{ ...TEXT, kind: 'search', search: '', title: '' }] },
      'tiles.0.search',
    ],
    [
      'with too many tiles',
      {
        tiles: Array.from({ length: BOUNDS.tilesPerBoard + 1 }, (_, index) => ({ ...TEXT, id: `t${index}` })),
      },
      'tiles',
    ],
    ['with an unknown view', { tiles: [viewTile('a', UNKNOWN)] }, 'tiles'],
    ['with a view whose id is none', { tiles: [viewTile('a', 'x')] }, 'tiles'],
  ])('are refused %s', async (_what, change, field) => {
    const { status, body } = await send(ada, 'POST', BOARDS, { title: 'Odd', ...change });
    expect(status).toBe(422);
    expect(Object.keys(body.error?.fields ?? {})).toContain(field);
  });

  it('are limited in number and in tiles, and go with all data', async () => {
    const user = await new Client(server).signIn('mei.tanaka@sandbox.example');
    const tiles = Array.from({ length: BOUNDS.tilesPerBoard }, (_, index) => ({ ...TEXT, id: `t${index}` }));
    const full = await user.post<Board>(BOARDS, { title: 'Full', tiles });
    const one = await send(user, 'POST', `${BOARDS}/${full._id}/tiles`, TEXT);
    expect(one).toMatchObject({ status: 409, body: { error: { code: 'limit-reached' } } });
    for (let index = 1; index < BOUNDS.boardsPerUser; index++)
      await user.post(BOARDS, { title: `Board ${index}` });
    const more = await send(user, 'POST', BOARDS, { title: 'One more' });
    expect(more).toMatchObject({ status: 409, body: { error: { code: 'limit-reached' } } });
    expect((await send(user, 'DELETE', `${BOARDS}/${full._id}`)).status).toBe(200);
    expect((await send(user, 'GET', `${BOARDS}/${full._id}`)).status).toBe(404);
    expect((await send(user, 'DELETE', '/api/accounts/delete-data')).status).toBe(200);
    expect(await user.get(BOARDS)).toEqual([]);
  });
});
