import { type AddedBoard, type AllViews, BOUNDS, type ListedBoard, READY_BOARDS } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const READY = '/api/data/boards/ready';
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
});
afterAll(() => server?.remove());

async function send(user: Client, key: string) {
  const response = await user.call('POST', READY, { key });
  return {
    status: response.status,
    body: (await response.json()) as { error?: { code: string; message: string } },
  };
}
const views = async (user: Client) => (await user.get<AllViews>('/api/data/views/all?page=1')).results;
const boards = (user: Client) => user.get<ListedBoard[]>('/api/data/boards');

/** Each test continues from the state of the previous one. */
describe('a ready-made board', () => {
  it('is refused while nothing that it shows is connected', async () => {
    const { status, body } = await send(ada, 'team-reviews');
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'not-connected' });
    expect((await send(ada, 'nothing')).status).toBe(422);
    expect(await boards(ada)).toEqual([]);
  });

  it('has the tiles whose provider is connected, with their views', async () => {
    await ada.connect('github', 'ada-nowak');
    const added = await ada.post<AddedBoard>(READY, { key: 'my-week' });
    expect(added.createdViews.toSorted()).toEqual([
      'Builds by day',
      'Failed builds',
      'Open pull requests',
      'Waiting for me',
    ]);
    expect(added).toMatchObject({ reusedViews: [], leftOut: ['Unread mails', 'part of Waiting for me'] });
    const all = await views(ada);
    const shown = added.board.tiles.flatMap((tile) => (tile.kind === 'view' ? tile.viewId : []));
    expect(shown).toHaveLength(5);
    expect(new Set(shown)).toEqual(new Set(all.map(({ _id }) => _id)));
    for (const { _id } of all) {
      const path = `/api/data/views/aggregate/${_id}?page=1&parameters=%7B%7D`;
      expect((await ada.call('GET', path)).status).toBe(200);
    }
  });

  it('shows the unchanged views that are there when it is added again', async () => {
    const before = await views(ada);
    const { board, createdViews, reusedViews } = await ada.post<AddedBoard>(READY, { key: 'my-week' });
    expect({ title: board.title, createdViews, reused: reusedViews.length }).toEqual({
      title: 'My week 2',
      createdViews: [],
      reused: 4,
    });
    expect(await views(ada)).toEqual(before);
  });

  it('leaves a changed view alone, and creates its own beside it', async () => {
    const [failed] = (await views(ada)).filter(({ title }) => title === 'Failed builds');
    if (!failed) throw new Error('there is no view of failed builds');
    const { title, description } = failed;
    await ada.call('PUT', `/api/data/views/${failed._id}`, { title, description, jsonNataQuery: '$' });
    const added = await ada.post<AddedBoard>(READY, { key: 'my-week' });
    expect(added).toMatchObject({ board: { title: 'My week 3' }, createdViews: ['Failed builds 2'] });
    const again = await ada.post<AddedBoard>(READY, { key: 'my-week' });
    expect(again).toMatchObject({ createdViews: [] });
    expect(again.reusedViews).toContain('Failed builds 2');
  });

  it('reads the mails that are connected later in views of its own', async () => {
    await ada.connect('google', 'ada.nowak@sandbox.example');
    const added = await ada.post<AddedBoard>(READY, { key: 'my-week' });
    expect(added).toMatchObject({ createdViews: ['Unread mails', 'Waiting for me 2'], leftOut: [] });
    const inbox = await ada.post<AddedBoard>(READY, { key: 'inbox' });
    expect(inbox).toMatchObject({ reusedViews: ['Unread mails'], leftOut: [] });
  });

  it('is added once by each of several requests at the same time, with one set of views', async () => {
    const added = await Promise.all(
      Array.from({ length: 4 }, () => ada.post<AddedBoard>(READY, { key: 'team-reviews' })),
    );
    expect(new Set(added.map(({ board }) => board.title)).size).toBe(4);
    expect(added.filter(({ createdViews }) => createdViews.length > 0)).toHaveLength(1);
  });

  it('stores nothing when the boards or views are too many', async () => {
    const mei = await new Client(server).signIn('mei.tanaka@sandbox.example');
    await mei.connect('github', 'mei-tanaka');
    const { db } = server.product.context;
    const { _id } = await mei.get<{ _id: string }>('/api/accounts');
    await db.$client.query(
      `insert into views (user_id, id, title, description, expression, provider, entity, template_key)
      select $1, gen_random_uuid(), 'View ' || n, 'd', '$', 'github', 'gh-pulls', 'pulls-all'
      from generate_series(1, $2) n`,
      [_id, BOUNDS.viewsPerUser - 2],
    );
    const { status, body } = await send(mei, 'my-week');
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'limit-reached' });
    expect(body.error?.message).toContain(`${BOUNDS.viewsPerUser} views`);
    const { count } = await mei.get<AllViews>('/api/data/views/all?page=1');
    expect({ count, boards: await boards(mei) }).toEqual({ count: BOUNDS.viewsPerUser - 2, boards: [] });
  });

  it('is there for demo users, who cannot add another', async () => {
    const demo = await new Client(server).demo();
    const titles = READY_BOARDS.map(({ title }) => title).toSorted();
    expect((await boards(demo)).map(({ title }) => title)).toEqual(titles);
    expect((await send(demo, 'my-week')).status).toBe(403);
  });
});
