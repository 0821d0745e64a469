import {
  type Board,
  type CreatedInvitation,
  ENDPOINTS,
  type EndpointName,
  type Tile,
  type View,
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
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { openShareSession } from '../features/shares/index.ts';

const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' };
/** A text of the owner that a member must not read. */
const HIDDEN = 'hidden-91c2';

let server: TestServer;
let owner: Client;
let member: Client;
let other: Client;
let viewId = '';
let hiddenId = '';
let shared = '';

async function createView(title: string): Promise<string> {
  const view = { ...ENTITY, title, description: 'x', jsonNataQuery: '[{"n": 1}]' };
  return (await owner.post<View>('/api/data/views', view))._id;
}

const invite = () => owner.post<CreatedInvitation>(INVITATIONS, { viewId });
const idOf = async (client: Client) => (await client.get<{ _id: string }>('/api/accounts'))._id;
const query = (text: string, values: unknown[]) => server.product.context.db.$client.query(text, values);

beforeAll(async () => {
  server = await shareServer();
  [owner, member, other] = (await Promise.all(
    ['owner', 'member', 'other'].map((name) => newUser(server, name)),
  )) as [Client, Client, Client];
  viewId = await createView('visible');
  hiddenId = await createView(HIDDEN);
  shared = (await accept(member, await invite()))._id;
});
afterAll(() => server?.remove());

describe('the link of an invitation', () => {
  it('looks the same when unknown, expired, taken back, incomplete, or accepted by another', async () => {
    const expired = await invite();
    await query("update invitations set expires_at = now() - interval '1 s' where id = $1", [expired._id]);
    const taken = await invite();
    await owner.json('DELETE', `${INVITATIONS}/${taken._id}`);
    const left = await invite();
    await member.json('DELETE', `${SHARED}/${(await accept(member, left))._id}`);
    const used = await invite();
    await accept(await newUser(server, 'third'), used);
    const [first, second] = [await invite(), await invite()].map(({ path }) => partsOfInvitation(path));
    const links = [
      ...[expired, taken, left, used].map(({ path }) => partsOfInvitation(path)),
      { invitation: first?.invitation, secret: second?.secret },
      { invitation: first?.invitation, secret: '' },
      { invitation: '', secret: first?.secret },
      { invitation: 'A'.repeat(43), secret: first?.secret },
      { invitation: '../x', secret: '__proto__' },
    ];
    const answers = new Set<string>();
    for (const link of links)
      for (const what of ['preview', 'accept']) {
        const response = await other.call('POST', `${INVITATIONS}/${what}`, link);
        answers.add(`${response.status} ${await response.text()}`);
      }
    expect([...answers]).toEqual([expect.stringContaining('404 {"error":{"code":"share-ended"')]);
    expect(await other.get(SHARED)).toMatchObject({ count: 0 });
  });

  it('cannot be accepted by the user who created it', async () => {
    const created = await invite();
    const link = partsOfInvitation(created.path);
    expect(await owner.post(`${INVITATIONS}/preview`, link)).toMatchObject({ state: 'own' });
    const refused = await owner.call('POST', `${INVITATIONS}/accept`, link);
    expect(await refusalOf(refused)).toEqual([422, 'validation-failed']);
    expect(await owner.get(SHARED)).toMatchObject({ count: 0 });
  });

  it('is no link of a page for everybody, and no token', async () => {
    const { invitation, secret } = partsOfInvitation((await invite()).path);
    const body = { share: invitation, secret };
    expect((await new Client(server).call('POST', '/api/share/sessions', body)).status).toBe(404);
    const program = new Client(server);
    program.token = `ddt_${(await idOf(owner)).replaceAll('-', '')}${secret}`;
    expect((await program.call('GET', '/api/data/views')).status).toBe(401);
  });

  it('needs an account, and not that of the demo', async () => {
    const link = partsOfInvitation((await invite()).path);
    const stranger = new Client(server);
    for (const what of ['preview', 'accept'])
      expect((await stranger.call('POST', `${INVITATIONS}/${what}`, link)).status).toBe(401);
    const demo = await new Client(server).demo();
    expect(await demo.post(`${INVITATIONS}/preview`, link)).toMatchObject({ state: 'pending' });
    const attempts = [
      demo.call('POST', `${INVITATIONS}/accept`, link),
      demo.call('POST', INVITATIONS, { viewId }),
      demo.call('POST', `${SHARED}/${shared}/copy`),
      demo.call('DELETE', `${SHARED}/${shared}`),
      demo.call('DELETE', `${INVITATIONS}/${shared}`),
    ];
    for (const attempt of attempts) expect(await refusalOf(await attempt)).toEqual([403, 'plan-forbids']);
  });
});

describe('what is shared with a member', () => {
  it.each(['sessions', 'copy'])('has no %s for another user, its owner, or an unknown id', async (what) => {
    const texts = new Set<string>();
    for (const [client, id] of [
      [other, shared],
      [owner, shared],
      [member, crypto.randomUUID()],
      [member, viewId],
    ] as const) {
      const response = await client.call('POST', `${SHARED}/${id}/${what}`);
      expect(response.status).toBe(404);
      texts.add(await response.text());
      texts.add(await (await client.call('GET', `${SHARED}/${id}`)).text());
    }
    expect(texts.size).toBe(1);
  });

  it('is neither left nor taken back by others', async () => {
    for (const client of [other, owner])
      expect((await client.call('DELETE', `${SHARED}/${shared}`)).status).toBe(404);
    for (const client of [other, member])
      expect((await client.call('DELETE', `${INVITATIONS}/${shared}`)).status).toBe(404);
    expect(await member.get(SHARED)).toMatchObject({ results: [{ title: 'visible' }] });
  });

  it('reads nothing else of its owner', async () => {
    const reader = await openSharedBy(server, member, shared);
    expect(await reader.get('/api/share/tiles/rows/rows')).toMatchObject({ count: 1 });
    for (const path of [
      `/api/share/tiles/${hiddenId}/rows`,
      `/api/share/tiles/rows/rows?viewId=${hiddenId}`,
      `/api/data/views/aggregate/${hiddenId}`,
      `/api/data/views/aggregate/${viewId}`,
      '/api/data/views',
      '/api/accounts',
      INVITATIONS,
      SHARED,
    ])
      for (const client of path.startsWith('/api/share') ? [reader] : [reader, member])
        expect(await (await client.call('GET', path)).text()).not.toContain(HIDDEN);
    const tile = {
      id: 'x',
      kind: 'view',
      viewId: hiddenId,
      width: 6,
      height: 4,
      picture: 'table',
      title: '',
    };
    const board = { title: 'x', tiles: [tile as Tile] };
    expect((await member.call('POST', '/api/data/boards', board)).status).toBe(422);
    expect((await member.get<Board[]>('/api/data/boards')).length).toBe(0);
  });
});

describe('a share session of an invitation', () => {
  it('is refused for another member, another owner, and the token of a page', async () => {
    const { context } = server.product;
    const ids = { owner: await idOf(owner), member: await idOf(member), other: await idOf(other) };
    const reads = async (bound: Parameters<typeof openShareSession>[1]) => {
      const reader = new Client(server);
      reader.token = openShareSession(context, bound).session;
      return (await reader.call('GET', '/api/share')).status;
    };
    const right = { kind: 'invitation', userId: ids.owner, id: shared, memberId: ids.member } as const;
    expect(await reads(right)).toBe(200);
    expect(await reads({ ...right, memberId: ids.other })).toBe(401);
    expect(await reads({ ...right, memberId: ids.owner })).toBe(401);
    expect(await reads({ ...right, userId: ids.other })).toBe(401);
    expect(await reads({ kind: 'token', userId: ids.owner, id: shared })).toBe(401);
    const pending = await invite();
    expect(await reads({ ...right, id: pending._id })).toBe(401);
  });

  it('opens none of the endpoints of the account', async () => {
    const reader = await openSharedBy(server, member, shared);
    const names: EndpointName[] = ['invitations', 'sharedWithMe', 'openShared', 'copyShared', 'leaveShared'];
    for (const name of names) {
      const { method, path } = ENDPOINTS[name];
      const response = await reader.call(method, path.replaceAll(/\{\w+\}/g, shared));
      expect(response.status, name).toBe(401);
    }
    expect(await member.get(SHARED)).toMatchObject({ results: [{ _id: shared }] });
  });
});
