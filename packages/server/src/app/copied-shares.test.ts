import {
  BOUNDS,
  type Board,
  type CreatedInvitation,
  type CreateView,
  type ListedView,
  type SharedCopy,
  type Tile,
  type View,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, INVITATIONS, refusalOf, SHARED } from '../../test-support/inviting.ts';
import { newUser } from '../../test-support/new-user.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };
const DISPLAY = { mode: 'table' as const, columns: [{ name: 'title', width: 300 }], sort: '-number' };
let server: TestServer;
let owner: Client;
let count = 0;

async function createView(user: Client, title: string, fields: Partial<CreateView> = {}): Promise<string> {
  const source = fields.basedOn ? {} : { templateKey: 'pulls-all' };
  const view = { ...ENTITY, ...source, title, description: 'd', jsonNataQuery: '$', ...fields };
  return (await user.post<View>('/api/data/views', view))._id;
}

const viewTile = (id: string, viewId: string) =>
  ({ id, kind: 'view', viewId, width: 6, height: 4, picture: 'table', title: 'Tile' }) as Tile;
const listViews = (user: Client) => user.get<ListedView[]>('/api/data/views');

/** Invites a new user, who accepts. */
async function shareWith(target: { viewId: string } | { boardId: string }) {
  const member = await newUser(server, `copier-${count++}`);
  const { _id } = await accept(member, await owner.post<CreatedInvitation>(INVITATIONS, target));
  const copy = () => member.call('POST', `${SHARED}/${_id}/copy`);
  return { member, _id, copy };
}

beforeAll(async () => {
  server = await shareServer();
  owner = await new Client(server).signIn('ada.nowak@sandbox.example');
  await owner.connect('github', 'ada-nowak');
  await awaitEnd(owner, (await startSync(owner, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
});
afterAll(() => server?.remove());

/** Creates a view over two named bases, one of which is a chain of two views and is limited to an account. */
async function createJoined(): Promise<string> {
  const category = await owner.post<{ _id: string }>('/api/data/views/category', { title: 'Private' });
  const lowest = await createView(owner, 'lowest', { search: 'is:merged', category: category._id });
  const middle = await createView(owner, 'middle', { basedOn: lowest, display: DISPLAY });
  const base = { ...ENTITY, search: '' };
  const bases = [
    { ...base, name: 'own', basedOn: middle, templateKey: '', account: 'ada-nowak' },
    { ...base, name: 'all', basedOn: '', templateKey: 'pulls-all', account: '' },
  ];
  const parameters = [{ name: 'least', type: 'number' as const, default: 2 }];
  const fields = { bases, basedOn: middle, parameters, jsonNataQuery: '$own[number > $least]' };
  return createView(owner, 'joined', fields);
}

describe('the copy of a shared board', () => {
  it('has copies of all views that it needs, in its own account, and is a board of its own', async () => {
    const joined = await createJoined();
    const plain = await createView(owner, 'plain');
    const tiles: Tile[] = [
      viewTile('a', joined),
      { id: 't', kind: 'text', width: 12, height: 1, text: '# Hello' },
      { id: 's', kind: 'search', width: 6, height: 4, search: 'is:unread', title: '' },
      viewTile('b', plain),
      viewTile('c', joined),
    ];
    const board = await owner.post<Board>('/api/data/boards', { title: 'Reviews', tiles });
    const { member, copy } = await shareWith({ boardId: board._id });
    const copied = (await (await copy()).json()) as SharedCopy;
    expect(copied).toMatchObject({ kind: 'board', title: 'Reviews', views: 4 });
    const views = await listViews(member);
    const of = (title: string) => views.find((view) => view.title === title) as ListedView;
    expect(views.map(({ title }) => title)).toEqual(['joined', 'lowest', 'middle', 'plain']);
    expect(of('lowest')).toMatchObject({ search: 'is:merged', templateKey: 'pulls-all', category: null });
    expect(of('middle')).toMatchObject({ basedOn: of('lowest')._id, display: DISPLAY });
    expect(of('joined')).toMatchObject({
      basedOn: of('middle')._id,
      parameters: [{ name: 'least', default: 2 }],
      bases: [
        { name: 'own', basedOn: of('middle')._id, account: '' },
        { name: 'all', basedOn: null, templateKey: 'pulls-all', account: '' },
      ],
    });
    const made = await member.get<Board>(`/api/data/boards/${copied._id}`);
    expect(made.tiles).toEqual([
      viewTile('a', of('joined')._id),
      tiles[1],
      viewTile('b', of('plain')._id),
      viewTile('c', of('joined')._id),
    ]);
    const ownersIds = (await listViews(owner)).map(({ _id }) => _id);
    expect(JSON.stringify([views, made])).not.toMatch(new RegExp(ownersIds.join('|')));
  });

  it('reads the records of the member, and stays when the owner is gone', async () => {
    const leaving = await newUser(server, 'leaving-owner');
    const shown = await createView(leaving, 'mine');
    const board = await leaving.post<Board>('/api/data/boards', {
      title: 'b',
      tiles: [viewTile('a', shown)],
    });
    const member = await newUser(server, 'staying-member');
    const created = await leaving.post<CreatedInvitation>(INVITATIONS, { boardId: board._id });
    const { _id } = await accept(member, created);
    const copied = await member.post<SharedCopy>(`${SHARED}/${_id}/copy`);
    await leaving.json('DELETE', '/api/accounts/delete-account');
    const [view] = await listViews(member);
    expect(await member.get(`/api/data/boards/${copied._id}`)).toMatchObject({ title: 'b' });
    expect(await member.get(`/api/data/views/aggregate/${view?._id}`)).toMatchObject({ count: 0 });
    expect((await member.call('POST', `${SHARED}/${_id}/copy`)).status).toBe(404);
  });

  it('leaves out tiles of deleted views', async () => {
    const gone = await createView(owner, 'gone');
    const kept = await createView(owner, 'kept');
    const tiles = [viewTile('a', gone), viewTile('b', kept)];
    const board = await owner.post<Board>('/api/data/boards', { title: 'gaps', tiles });
    await owner.json('DELETE', `/api/data/views/${gone}`);
    const { member, copy } = await shareWith({ boardId: board._id });
    const { _id } = (await (await copy()).json()) as SharedCopy;
    expect((await member.get<Board>(`/api/data/boards/${_id}`)).tiles).toMatchObject([{ id: 'b' }]);
  });
});

describe('the copy of a shared view', () => {
  it('is the view with those that it builds on; two copies are two views', async () => {
    const top = await createView(owner, 'top', { basedOn: await createView(owner, 'bottom') });
    const { member, copy } = await shareWith({ viewId: top });
    const first = (await (await copy()).json()) as SharedCopy;
    const second = (await (await copy()).json()) as SharedCopy;
    expect(first).toMatchObject({ kind: 'view', title: 'top', views: 2 });
    expect(second._id).not.toBe(first._id);
    expect((await listViews(member)).map(({ title }) => title)).toEqual(['bottom', 'bottom', 'top', 'top']);
  });

  it('stores nothing when the limit of views is reached on the way', async () => {
    const top = await createView(owner, 'upper', { basedOn: await createView(owner, 'lower') });
    const { member, copy } = await shareWith({ viewId: top });
    for (let index = 1; index < BOUNDS.viewsPerUser; index++) await createView(member, `v${index}`);
    expect(await refusalOf(await copy())).toEqual([409, 'limit-reached']);
    expect(await listViews(member)).toHaveLength(BOUNDS.viewsPerUser - 1);
  });

  it('stores nothing when the limit of boards is reached', async () => {
    const tiles = [viewTile('a', await createView(owner, 'shown'))];
    const board = await owner.post<Board>('/api/data/boards', { title: 'full', tiles });
    const { member, copy } = await shareWith({ boardId: board._id });
    for (let index = 0; index < BOUNDS.boardsPerUser; index++)
      await member.post('/api/data/boards', { title: `b${index}`, tiles: [] });
    expect(await refusalOf(await copy())).toEqual([409, 'limit-reached']);
    expect(await listViews(member)).toEqual([]);
  });
});
