import type { Category, DeletedView, View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const VIEWS = '/api/data/views';
let server: TestServer;
let ada: Client;
let demo: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  demo = await new Client(server).demo();
});
afterAll(() => server?.remove());

const listed = async (client: Client, provider = 'github', entity = 'gh-pulls') =>
  client.json<View[]>('GET', `${VIEWS}?providerId=${provider}&entityLabel=${entity}`);
const erase = (client: Client, { _id }: View) => client.json<DeletedView>('DELETE', `${VIEWS}/${_id}`);
const restore = (client: Client, undo: string) => client.call('POST', `${VIEWS}/restore`, { undo });
const withoutDate = ({ updated_at, ...view }: View) => view;

describe('POST /api/data/views/restore', () => {
  // @covers 4.deleted-view-restored
  it('restores a sample view of a demo user once', async () => {
    const before = await listed(demo);
    const view = before.find(({ dependees, basedOn }) => dependees.length === 0 && basedOn !== null) as View;
    const { undo } = await erase(demo, view);
    expect(await listed(demo)).toHaveLength(before.length - 1);
    expect((await restore(demo, undo)).status).toBe(201);
    expect((await listed(demo)).map(withoutDate)).toEqual(before.map(withoutDate));
    expect((await restore(demo, undo)).status).toBe(422);
    expect(await listed(demo)).toHaveLength(before.length);
  });

  it('keeps the id, category and parameters of the view', async () => {
    const { _id: category } = await ada.post<Category>(`${VIEWS}/category`, { title: 'mine' });
    const view = await ada.post<View>(VIEWS, {
      title: 'A view',
      description: 'x',
      jsonNataQuery: '$[number > $least]',
      providerId: 'github',
      entityLabel: 'gh-pulls',
      templateKey: 'pulls-all',
      category,
      parameters: [{ name: 'least', type: 'number', default: 5 }],
    });

    const { undo } = await erase(ada, view);
    const restored = await ada.post<View>(`${VIEWS}/restore`, { undo });
    expect(withoutDate(restored)).toEqual(withoutDate(view));
  });

  it("refuses another user's undo text, a changed and a malformed one", async () => {
    const [view] = (await listed(demo)).filter(({ dependees }) => dependees.length === 0);
    const { undo } = await erase(demo, view as View);
    const sealed = JSON.parse(undo) as { text: string };
    const changed = { ...sealed, text: Buffer.from('{"id":"x"}').toString('base64') };
    for (const [client, text] of [
      [ada, undo],
      [demo, JSON.stringify(changed)],
      [demo, '{}'],
      [demo, 'null'],
      [demo, 'nonsense'],
    ] as const) {
      const response = await restore(client, text);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ error: { code: 'validation-failed' } });
    }
  });
});
