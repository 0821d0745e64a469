import {
  type Board,
  type CreatedToken,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type ShareSession,
  type Tile,
  type View,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../test-support/new-user.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { openShareSession } from '../features/shares/index.ts';

const TOKENS = '/api/accounts/tokens';
const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };
const NOWHERE = crypto.randomUUID();
const TILE = '/api/share/tiles/a';
/** A text in rows and names that the share must not show. */
const HIDDEN = 'hidden-7f3a';

let server: TestServer;
let owner: Client;
let other: Client;
let share: CreatedToken;
let session: string;
const ids = { shared: '', hidden: '', board: '', hiddenBoard: '' };

const tile = (id: string, viewId: string) =>
  ({ id, kind: 'view', viewId, width: 6, height: 4, picture: 'table', title: '' }) as Tile;

async function createView(title: string, fields: object): Promise<string> {
  const view = { title, description: 'x', templateKey: 'pulls-all', ...ENTITY, ...fields };
  return (await owner.post<View>('/api/data/views', view))._id;
}

async function createBoard(title: string, tiles: Tile[]): Promise<string> {
  return (await owner.post<Board>('/api/data/boards', { title, tiles }))._id;
}

async function openSession({ sharePath }: CreatedToken): Promise<string> {
  const [, id = '', secret = ''] = (sharePath ?? '').split(/\/share\/|#/);
  return (await owner.post<ShareSession>('/api/share/sessions', { share: id, secret })).session;
}

beforeAll(async () => {
  server = await shareServer();
  owner = await new Client(server).signIn('ada.nowak@sandbox.example');
  await owner.connect('github', 'ada-nowak');
  await awaitEnd(owner, (await startSync(owner, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
  const parameters = [{ name: 'shown', type: 'text', default: HIDDEN }];
  ids.shared = await createView('shared', { jsonNataQuery: '[{"text": $shown}]', parameters });
  ids.hidden = await createView(HIDDEN, { jsonNataQuery: `[{"text": "${HIDDEN}"}]` });
  ids.board = await createBoard('board', [
    tile('a', ids.shared),
    { id: 's', kind: 'search', width: 6, height: 4, search: HIDDEN, title: HIDDEN },
  ]);
  ids.hiddenBoard = await createBoard(HIDDEN, [tile('h', ids.hidden)]);
  const token = { name: 's', scope: 'board', expiresInDays: 1, rowBudget: 1_000_000, boardId: ids.board };
  share = await owner.post<CreatedToken>(TOKENS, { ...token, parameters: '{"shown":"visible"}' });
  session = await openSession(share);
  other = await newUser(server, 'other');
});
afterAll(() => server?.remove());

async function call(
  method: string,
  path: string,
  { token = session, body }: { token?: string; body?: object } = {},
) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const endpoints = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][];

describe('a share session', () => {
  it('reaches the endpoints of shared pages and no other', async () => {
    for (const [name, { method, path, access }] of endpoints) {
      if (access === 'none') continue;
      const { status } = await call(method, path.replaceAll(/\{\w+\}/g, NOWHERE));
      if (access === 'share') expect(status, name).not.toBe(401);
      else expect(status, name).toBe(401);
    }
  });

  it('is the only caller of these endpoints', async () => {
    const read = await owner.post<CreatedToken>(TOKENS, { name: 'r', scope: 'manage', expiresInDays: 1 });
    for (const [name, { method, path, access }] of endpoints) {
      if (access !== 'share') continue;
      const url = path.replaceAll(/\{\w+\}/g, 'a');
      for (const token of ['', owner.token, other.token])
        expect((await call(method, url, { token })).status, name).toBe(401);
      for (const { token } of [read, share])
        expect((await call(method, url, { token })).status, name).toBe(403);
    }
  });

  it('shows what the share opens', async () => {
    expect(await call('GET', `${TILE}/rows`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('visible'),
    });
  });

  /** Requests with the session that ask for more than the share opens. */
  const attempts: Record<string, () => [method: string, path: string, body?: object]> = {
    'other values': () => ['GET', `${TILE}/rows?parameters=${encodeURIComponent(`{"shown":"${HIDDEN}"}`)}`],
    'no values': () => ['GET', `${TILE}/rows?parameters={}`],
    'values twice': () => ['GET', `${TILE}/rows?parameters={}&parameters={}`],
    'another account of the owner': () => ['GET', `${TILE}/rows?account=ada-nowak`],
    'the values of a download': () => ['GET', `${TILE}/download?format=json&parameters={}`],
    'the values of a chart': () => ['GET', `${TILE}/chart?timeZone=UTC&parameters={}`],
    'a chart of its own': () => ['GET', `${TILE}/chart?timeZone=UTC&chart={"kind":"text"}`],
    'an expression': () => ['GET', `${TILE}/rows?jsonNataQuery=$`],
    'an expression in a chart': () => ['GET', `${TILE}/chart?timeZone=UTC&jsonNataQuery=$`],
    'a search tile': () => ['GET', '/api/share/tiles/s/rows'],
    'the tile of another board': () => ['GET', '/api/share/tiles/h/rows'],
    'a view as a tile': () => ['GET', `/api/share/tiles/${ids.hidden}/rows`],
    'its view as a tile': () => ['GET', `/api/share/tiles/${ids.shared}/rows?viewId=${ids.hidden}`],
    'a board as a tile': () => ['GET', `/api/share/tiles/${ids.hiddenBoard}/rows`],
    'a tile by a path': () => ['GET', `/api/share/tiles/a%2F..%2Fh/rows`],
    'a tile by the prototype': () => ['GET', '/api/share/tiles/__proto__/rows'],
    'another board': () => ['GET', `/api/share?boardId=${ids.hiddenBoard}`],
    'the board itself': () => ['GET', `/api/data/boards/${ids.board}`],
    'the hidden board': () => ['GET', `/api/data/boards/${ids.hiddenBoard}`],
    'all boards': () => ['GET', '/api/data/boards'],
    'its view': () => ['GET', `/api/data/views/aggregate/${ids.shared}`],
    'the hidden view': () => ['GET', `/api/data/views/aggregate/${ids.hidden}`],
    'the views': () => ['GET', '/api/data/views'],
    'the feed': () => ['GET', `/api/data/views/feed/${ids.hidden}?token=${session}`],
    'an expression over the view': () => [
      'POST',
      `/api/data/views/query/${ids.shared}`,
      { jsonNataQuery: '$' },
    ],
    'the chart of the view': () => ['POST', `/api/data/views/chart/${ids.hidden}`, { timeZone: 'UTC' }],
    'a query': () => ['POST', '/api/data/query', { ...ENTITY, templateKey: 'pulls-all', jsonNataQuery: '$' }],
    'the search': () => ['GET', `/api/data/search?q=${HIDDEN}`],
    'the records': () => ['GET', '/api/data/records/github/gh-pulls'],
    'the events': () => ['GET', '/api/events'],
    'the profile': () => ['GET', '/api/accounts'],
    'the tokens': () => ['GET', TOKENS],
    'a token of its own': () => ['POST', TOKENS, { name: 'x', scope: 'read', expiresInDays: 1 }],
    'a change of the board': () => [
      'PUT',
      `/api/data/boards/${ids.board}`,
      { title: HIDDEN, tiles: [], version: 1 },
    ],
    'a tile of its own': () => ['POST', `/api/data/boards/${ids.board}/tiles`, tile('x', ids.hidden)],
    'the assistant': () => ['POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    'version 1 of the view': () => ['GET', `/api/v1/data/views/aggregate/${ids.hidden}`],
    'a longer time': () => ['POST', '/api/share/sessions', { share: session, secret: session }],
  };

  it.each(Object.entries(attempts))('does not read %s', async (_name, attempt) => {
    const [method, path, body] = attempt();
    const { status, text } = await call(method, path, body && { body });
    expect(text).not.toContain(HIDDEN);
    // A parameter that the endpoint does not know is ignored.
    if (status < 400) expect(text).toMatch(/visible|"kind":"board","title":"board"|"rows":1/);
  });
});

describe('a forged share session', () => {
  it.each([
    ['without content', 'dds_'],
    ['without parts', 'dds_e30'],
    ['of 10,000 characters', `dds_${'A'.repeat(10_000)}`],
    ['with a part of another type', `dds_${Buffer.from('{"key":1}').toString('base64url')}`],
  ])('is refused %s', async (_name, token) => {
    expect((await call('GET', '/api/share', { token })).status).toBe(401);
  });

  it('is refused when one byte of it is another', async () => {
    const sealed = JSON.parse(Buffer.from(session.slice(4), 'base64url').toString()) as Record<
      string,
      string
    >;
    for (const part of ['iv', 'tag', 'text']) {
      const bytes = Buffer.from(sealed[part] ?? '', 'base64');
      for (const [at, byte] of bytes.entries()) {
        const changed = Buffer.from(bytes);
        changed[at] = byte ^ 1;
        const text = JSON.stringify({ ...sealed, [part]: changed.toString('base64') });
        const token = `dds_${Buffer.from(text).toString('base64url')}`;
        expect((await call('GET', '/api/share', { token })).status, `${part} ${at}`).toBe(401);
      }
    }
  });

  it('is refused with a part of its tag', async () => {
    const sealed = JSON.parse(Buffer.from(session.slice(4), 'base64url').toString()) as { tag: string };
    for (const bytes of [4, 8, 12, 15]) {
      const tag = Buffer.from(sealed.tag, 'base64').subarray(0, bytes).toString('base64');
      const token = `dds_${Buffer.from(JSON.stringify({ ...sealed, tag })).toString('base64url')}`;
      expect((await call('GET', '/api/share', { token })).status, `${bytes} bytes`).toBe(401);
    }
  });

  it('is refused when another sealed text is taken for it', async () => {
    const { keyring } = server.product.context;
    const text = JSON.stringify({
      until: Date.now() + 1e9,
      bound: { kind: 'token', userId: NOWHERE, id: share._id },
    });
    for (const purpose of ['', NOWHERE, 'session']) {
      const sealed = JSON.stringify(keyring.seal(text, purpose));
      const token = `dds_${Buffer.from(sealed).toString('base64url')}`;
      expect((await call('GET', '/api/share', { token })).status).toBe(401);
    }
  });

  it('is refused for the token of another user, and for one that opens more than a page', async () => {
    const { context } = server.product;
    const profile = await other.get<{ _id: string }>('/api/accounts');
    const read = await owner.post<CreatedToken>(TOKENS, { name: 'r', scope: 'manage', expiresInDays: 1 });
    const mine = await owner.get<{ _id: string }>('/api/accounts');
    for (const bound of [
      { kind: 'token', userId: profile._id, id: share._id },
      { kind: 'token', userId: mine._id, id: read._id },
    ] as const)
      expect(
        (await call('GET', '/api/share', { token: openShareSession(context, bound).session })).status,
      ).toBe(401);
  });
});

describe('the link of a share', () => {
  it('opens no page with the secret of a token that opens more than one', async () => {
    const read = await owner.post<CreatedToken>(TOKENS, { name: 'r', scope: 'manage', expiresInDays: 1 });
    const mine = await owner.get<{ _id: string }>('/api/accounts');
    const id = Buffer.from(`${mine._id}${read._id}`.replaceAll('-', ''), 'hex').toString('base64url');
    expect(read.sharePath).toBeNull();
    const body = { share: id, secret: read.token.slice(-43) };
    expect((await call('POST', '/api/share/sessions', { token: '', body })).status).toBe(404);
  });
});
