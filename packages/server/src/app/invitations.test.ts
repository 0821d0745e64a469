import type {
  Board,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationPreview,
  SharedPage,
  SharedWithMePage,
  View,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accept,
  INVITATIONS,
  openSharedBy,
  partsOfInvitation,
  refusalOf,
  SHARED,
} from '../../test-support/inviting.ts';
import { newUser } from '../../test-support/new-user.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' };
const UNAUTHENTICATED = [401, 'unauthenticated'];
let server: TestServer;
let ada: Client;
let jonas: Client;
let viewId = '';
let boardId = '';

async function createView(owner: Client, title: string): Promise<string> {
  const parameters = [{ name: 'from', type: 'number', default: 0 }];
  const view = { ...ENTITY, title, description: 'x', jsonNataQuery: '$[number >= $from]', parameters };
  return (await owner.post<View>('/api/data/views', view))._id;
}

async function createBoard(owner: Client, title: string, shown: string): Promise<string> {
  const tile = { id: 'a', kind: 'view', width: 6, height: 4, viewId: shown, picture: 'table', title: '' };
  return (await owner.post<Board>('/api/data/boards', { title, tiles: [tile] }))._id;
}

const invite = (owner: Client, request: CreateInvitation) =>
  owner.post<CreatedInvitation>(INVITATIONS, request);
const rowsOf = (reader: Client, tile = 'a') => reader.get<{ count: number }>(`/api/share/tiles/${tile}/rows`);
const sharedWith = async (member: Client) => (await member.get<SharedWithMePage>(SHARED)).results;
const query = (text: string, values: unknown[] = []) => server.product.context.db.$client.query(text, values);

/** Creates a user who owns a shared board, which a second user reads. */
async function shareBoard(name: string) {
  const owner = await newUser(server, `owner-${name}`);
  const member = await newUser(server, `member-${name}`);
  const shown = await createView(owner, name);
  const board = await createBoard(owner, name, shown);
  const { _id } = await accept(member, await invite(owner, { boardId: board }));
  return { owner, member, board, shown, _id, reader: await openSharedBy(server, member, _id) };
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
  jonas = await newUser(server, 'jonas');
  viewId = await createView(ada, 'Pulls');
  boardId = await createBoard(ada, 'Reviews', viewId);
});
afterAll(() => server?.remove());

describe('an invitation', () => {
  it('shows who invites to what, and lets its member read the rows of its owner', async () => {
    const created = await invite(ada, { boardId });
    const link = partsOfInvitation(created.path);
    const preview = await jonas.post<InvitationPreview>(`${INVITATIONS}/preview`, link);
    expect(preview).toMatchObject({
      kind: 'board',
      title: 'Reviews',
      state: 'pending',
      owner: { email: 'ada.nowak@sandbox.example' },
    });
    expect(await sharedWith(jonas)).toEqual([]);
    const accepted = await accept(jonas, created);
    expect(accepted).toMatchObject({ _id: preview.sharedId, kind: 'board', title: 'Reviews' });
    expect(await sharedWith(jonas)).toEqual([accepted]);
    expect(await jonas.get(`${SHARED}/${accepted._id}`)).toEqual(accepted);
    const reader = await openSharedBy(server, jonas, accepted._id);
    expect(await reader.get<SharedPage>('/api/share')).toMatchObject({ title: 'Reviews', expiresAt: null });
    expect((await rowsOf(reader)).count).toBeGreaterThan(0);
    expect(await jonas.post(`${INVITATIONS}/preview`, link)).toMatchObject({ state: 'accepted' });
    const [listed] = await ada.get<Invitation[]>(`${INVITATIONS}?boardId=${boardId}`);
    expect(listed).toMatchObject({
      title: 'Reviews',
      member: { name: 'jonas', email: 'jonas@test.example' },
    });
  });

  it('opens a view with its fixed parameters', async () => {
    const member = await newUser(server, 'parameters');
    const created = await invite(ada, { viewId, parameters: '{"from":1000000}' });
    const reader = await openSharedBy(server, member, (await accept(member, created))._id);
    expect(await rowsOf(reader, 'rows')).toMatchObject({ count: 0 });
  });

  it('is listed by what it is for, and its secret is not stored', async () => {
    const created = await invite(ada, { viewId });
    const ofView = await ada.get<Invitation[]>(`${INVITATIONS}?viewId=${viewId}`);
    expect(ofView.map(({ _id }) => _id)).toContain(created._id);
    expect(ofView.every((one) => one.viewId === viewId && one.title === 'Pulls')).toBe(true);
    const { rows } = await query('select * from invitations');
    expect(JSON.stringify(rows)).not.toContain(partsOfInvitation(created.path).secret);
    expect(await jonas.get<Invitation[]>(INVITATIONS)).toEqual([]);
  });

  it('is accepted by the same account again without a change', async () => {
    const member = await newUser(server, 'twice');
    const created = await invite(ada, { viewId });
    const first = await accept(member, created);
    expect(await accept(member, created)).toEqual(first);
    expect(await sharedWith(member)).toHaveLength(1);
  });

  it('has one member, also when several accept at once', async () => {
    const people = await Promise.all(['r1', 'r2', 'r3', 'r4'].map((name) => newUser(server, name)));
    const created = await invite(ada, { viewId });
    const link = partsOfInvitation(created.path);
    const answers = await Promise.all(people.map((one) => one.call('POST', `${INVITATIONS}/accept`, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const lists = await Promise.all(people.map(sharedWith));
    expect(lists.flat()).toHaveLength(1);
  });

  it('is refused for an unknown view, a board of another user, odd parameters, and both', async () => {
    const statuses = [
      { viewId: crypto.randomUUID() },
      { boardId: crypto.randomUUID() },
      { viewId, parameters: '{"from":"x"}' },
      { boardId, parameters: '{"to":1}' },
      { viewId, boardId },
      {},
    ].map(async (body) => (await ada.call('POST', INVITATIONS, body)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 422, 422, 422, 422]);
    expect((await jonas.call('POST', INVITATIONS, { boardId })).status).toBe(404);
  });

  it('is limited to 200 of a user, without expired ones', async () => {
    const owner = await newUser(server, 'many');
    const shown = await createView(owner, 'many');
    await query(
      `insert into invitations (user_id, id, view_id, hash, expires_at)
       select id, gen_random_uuid(), $1, '', now() + interval '1 day' from users, generate_series(1, 200)
       where email = 'many@test.example'`,
      [shown],
    );
    const refused = await owner.call('POST', INVITATIONS, { viewId: shown });
    expect(await refusalOf(refused)).toEqual([409, 'limit-reached']);
    await query("update invitations set expires_at = now() - interval '1 s' where view_id = $1", [shown]);
    expect((await owner.call('POST', INVITATIONS, { viewId: shown })).status).toBe(201);
    expect(await owner.get(INVITATIONS)).toHaveLength(1);
  });
});

describe('an invitation that ends', () => {
  it('closes the open pages of its member when it is taken back', async () => {
    const { owner, member, reader, _id } = await shareBoard('taken');
    await rowsOf(reader);
    await owner.json('DELETE', `${INVITATIONS}/${_id}`);
    expect(await refusalOf(await reader.call('GET', '/api/share'))).toEqual(UNAUTHENTICATED);
    expect(await sharedWith(member)).toEqual([]);
    expect((await member.call('POST', `${SHARED}/${_id}/sessions`)).status).toBe(404);
    expect(await owner.get(INVITATIONS)).toEqual([]);
  });

  it('closes them when the member leaves', async () => {
    const { owner, member, reader, _id } = await shareBoard('left');
    await member.json('DELETE', `${SHARED}/${_id}`);
    expect(await refusalOf(await reader.call('GET', '/api/share'))).toEqual(UNAUTHENTICATED);
    expect(await owner.get(INVITATIONS)).toEqual([]);
    expect((await member.call('DELETE', `${SHARED}/${_id}`)).status).toBe(404);
  });

  it.each<[string, (shared: Awaited<ReturnType<typeof shareBoard>>) => [Client, string]]>([
    ['board', ({ owner, board }) => [owner, `/api/data/boards/${board}`]],
    ['owner', ({ owner }) => [owner, '/api/accounts/delete-account']],
    ['data', ({ owner }) => [owner, '/api/accounts/delete-data']],
    ['member', ({ member }) => [member, '/api/accounts/delete-account']],
  ])('leaves nothing when its %s is deleted', async (name, which) => {
    const shared = await shareBoard(`deleted-${name}`);
    const [client, path] = which(shared);
    expect((await client.call('DELETE', path)).status).toBe(200);
    expect(await refusalOf(await shared.reader.call('GET', '/api/share'))).toEqual(UNAUTHENTICATED);
    if (name === 'member') expect(await shared.owner.get(INVITATIONS)).toEqual([]);
    else expect(await sharedWith(shared.member)).toEqual([]);
    for (const table of ['invitations', 'shared_with'])
      expect((await query(`select 1 from ${table} where id = $1`, [shared._id])).rows, table).toEqual([]);
  });

  it('ends with its view, and stays ended when the view is restored', async () => {
    const owner = await newUser(server, 'restoring');
    const member = await newUser(server, 'restored');
    const shown = await createView(owner, 'Gone');
    const { _id } = await accept(member, await invite(owner, { viewId: shown }));
    const reader = await openSharedBy(server, member, _id);
    const { undo } = await owner.json<{ undo: string }>('DELETE', `/api/data/views/${shown}`);
    await owner.post('/api/data/views/restore', { undo });
    expect(await refusalOf(await reader.call('GET', '/api/share'))).toEqual(UNAUTHENTICATED);
    expect(await sharedWith(member)).toEqual([]);
  });

  it('stays when the member deletes all data', async () => {
    const { member, reader } = await shareBoard('kept');
    await member.json('DELETE', '/api/accounts/delete-data');
    expect(await sharedWith(member)).toHaveLength(1);
    expect((await reader.call('GET', '/api/share')).status).toBe(200);
  });

  it('leaves nothing when two users who share with each other delete their accounts at once', async () => {
    for (let time = 0; time < 3; time++) {
      const { owner, member, shown, _id } = await shareBoard(`both-${time}`);
      for (let index = 0; index < 3; index++) await accept(member, await invite(owner, { viewId: shown }));
      const back = await createView(member, 'back');
      for (let index = 0; index < 3; index++) await accept(owner, await invite(member, { viewId: back }));
      const answers = await Promise.all(
        [owner, member].map((one) => one.call('DELETE', '/api/accounts/delete-account')),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const rest = 'select from shared_with where user_id not in (select id from users)';
      expect((await query(rest)).rows, _id).toEqual([]);
    }
  });
});

describe('SHARING=off', () => {
  it('ends what is shared inside, and allows to take it back', async () => {
    const { member, owner, _id, reader } = await shareBoard('off');
    const { config } = server.product.context;
    config.SHARING = 'off';
    try {
      const off = [403, 'sharing-off'];
      const link = { invitation: 'x', secret: 'x' };
      expect(await refusalOf(await reader.call('GET', '/api/share'))).toEqual(off);
      for (const [method, path, body] of [
        ['POST', `${SHARED}/${_id}/sessions`],
        ['POST', `${SHARED}/${_id}/copy`],
        ['POST', `${INVITATIONS}/preview`, link],
        ['POST', `${INVITATIONS}/accept`, link],
        ['POST', INVITATIONS, { boardId }],
      ] as const)
        expect(await refusalOf(await member.call(method, path, body)), path).toEqual(off);
      expect(await sharedWith(member)).toEqual([]);
      expect((await owner.call('DELETE', `${INVITATIONS}/${_id}`)).status).toBe(200);
    } finally {
      config.SHARING = 'on';
    }
  });
});
