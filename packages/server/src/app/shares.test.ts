import type {
  Board,
  ChartData,
  CreatedToken,
  CreateToken,
  OpenShare,
  SharedPage,
  ShareSession,
  Tile,
  TokenUses,
  View,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../test-support/new-user.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { awaitEnd, startSync, until } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

const TOKENS = '/api/accounts/tokens';
const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };
const PARAMETERS = [{ name: 'from', type: 'number', default: 0 }];
let server: TestServer;
let ada: Client;
const views = { shared: '', other: '', failing: '' };
let boardId = '';
let all = 0;

async function createView(title: string, fields: object = {}): Promise<string> {
  const view = {
    title,
    description: 'x',
    jsonNataQuery: '$',
    templateKey: 'pulls-all',
    ...ENTITY,
    ...fields,
  };
  return (await ada.post<View>('/api/data/views', view))._id;
}

const viewTile = (id: string, viewId: string, fields: object = {}) =>
  ({ id, kind: 'view', viewId, width: 6, height: 4, picture: 'table', title: '', ...fields }) as Tile;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
  views.shared = await createView('shared', { jsonNataQuery: '$[number >= $from]', parameters: PARAMETERS });
  views.other = await createView('other');
  views.failing = await createView('failing', { jsonNataQuery: '$error("secret " & $[0].title)' });
  const tiles: Tile[] = [
    viewTile('table', views.shared),
    viewTile('chart', views.shared, {
      picture: 'chart',
      chart: { kind: 'bars', x: 'state', measure: 'count' },
    }),
    { id: 'text', kind: 'text', width: 12, height: 1, text: '# Hello' },
    { id: 'search', kind: 'search', width: 6, height: 4, search: 'from:secret', title: '' },
    viewTile('failing', views.failing),
  ];
  boardId = (await ada.post<Board>('/api/data/boards', { title: 'Reviews', tiles }))._id;
  all = (await ada.get<{ count: number }>(`/api/data/views/aggregate/${views.shared}`)).count;
});
afterAll(() => server?.remove());

function createShare(fields: Partial<CreateToken> = {}): Promise<CreatedToken> {
  const base = { name: 'share', expiresInDays: 1, rowBudget: 100_000 };
  const what = fields.scope === 'view' ? { viewId: views.shared } : { scope: 'board', boardId };
  return ada.post<CreatedToken>(TOKENS, { ...base, ...what, ...fields });
}

function partsOf(sharePath: string | null): OpenShare {
  const [, share = '', secret = ''] = /^\/share\/([\w-]{43})#([\w-]{43})$/.exec(sharePath ?? '') ?? [];
  return { share, secret };
}

async function open({ sharePath }: Pick<CreatedToken, 'sharePath'>, password?: string): Promise<Client> {
  const client = new Client(server);
  const body = { ...partsOf(sharePath), ...(password !== undefined && { password }) };
  client.token = (await client.post<ShareSession>('/api/share/sessions', body)).session;
  return client;
}

async function refusal(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
}

const rowsOf = (tile: string) => `/api/share/tiles/${tile}/rows`;

describe('a shared board', () => {
  it('has its tiles as they are now, without its searches', async () => {
    const page = await (await open(await createShare())).get<SharedPage>('/api/share');
    expect(page).toMatchObject({ kind: 'board', title: 'Reviews' });
    expect(page.tiles.map(({ id, kind }) => [id, kind])).toEqual([
      ['table', 'view'],
      ['chart', 'view'],
      ['text', 'text'],
      ['failing', 'view'],
    ]);
    expect(JSON.stringify(page)).not.toMatch(/secret|viewId/);
  });

  it('shows rows, charts and downloads with the fixed parameters', async () => {
    const { results } = await ada.get<{ results: { number: number }[] }>(
      `/api/data/views/aggregate/${views.shared}`,
    );
    const from = Math.max(...results.map(({ number }) => number));
    const reader = await open(await createShare({ parameters: JSON.stringify({ from }) }));
    const rows = await reader.get<{ count: number; results: { number: number }[] }>(rowsOf('table'));
    expect(rows.results.every(({ number }) => number >= from)).toBe(true);
    expect(rows.count).toBeLessThan(all);
    const chart = await reader.get<ChartData>('/api/share/tiles/chart/chart?timeZone=UTC');
    expect(chart.rows).toBe(rows.count);
    const file = await reader.call('GET', '/api/share/tiles/table/download?format=ndjson');
    expect((await file.text()).trim().split('\n')).toHaveLength(rows.count);
  });

  it('says nothing of why a tile fails', async () => {
    const reader = await open(await createShare());
    for (const path of ['rows', 'chart?timeZone=UTC', 'download?format=json']) {
      const response = await reader.call('GET', `/api/share/tiles/failing/${path}`);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 422]);
      expect(text).toContain('share-unreadable');
      expect(text).not.toContain('secret');
    }
  });

  it('shows a tile that is added later, and none that is removed', async () => {
    const tiles = [viewTile('one', views.shared)];
    const board = await ada.post<Board>('/api/data/boards', { title: 'Changing', tiles });
    const reader = await open(await createShare({ boardId: board._id }));
    const added = await ada.post<Board>(`/api/data/boards/${board._id}/tiles`, viewTile('two', views.other));
    expect((await reader.call('GET', rowsOf('two'))).status).toBe(200);
    await ada.json('PUT', `/api/data/boards/${board._id}`, {
      title: 'Changing',
      tiles,
      version: added.version,
    });
    expect(await refusal(await reader.call('GET', rowsOf('two')))).toEqual([404, 'not-found']);
    await ada.json('DELETE', `/api/data/boards/${board._id}`);
    expect(await refusal(await reader.call('GET', '/api/share'))).toEqual([404, 'share-ended']);
  });

  it('refuses parameters that no view of the board has, and a board of another user', async () => {
    const body = { name: 's', scope: 'board', expiresInDays: 1, rowBudget: 1, boardId };
    for (const parameters of ['{"to":1}', '{"from":"x"}', '[]', 'x'])
      expect((await ada.call('POST', TOKENS, { ...body, parameters })).status).toBe(422);
    const eve = await newUser(server, 'eve');
    expect((await eve.call('POST', TOKENS, body)).status).toBe(404);
  });
});

describe('a shared view', () => {
  it('is one table, with a chart above if the view keeps one', async () => {
    const plain = await (await open(await createShare({ scope: 'view' }))).get<SharedPage>('/api/share');
    expect(plain).toMatchObject({ kind: 'view', title: 'shared', tiles: [{ id: 'rows', picture: 'table' }] });
    const [rows] = plain.tiles;
    expect(rows?.kind === 'view' && rows.preferred.slice(0, 2)).toEqual(['number', 'title']);
    const display = { mode: 'chart', columns: [], chart: { kind: 'bars', x: 'state', measure: 'count' } };
    const viewId = await createView('charted', { display });
    const page = await (await open(await createShare({ scope: 'view', viewId }))).get<SharedPage>(
      '/api/share',
    );
    expect(page.tiles.map(({ id }) => id)).toEqual(['chart', 'rows']);
  });
});

describe('the row budget of a share', () => {
  it('counts rows, groups of charts and downloads, and ends the page', async () => {
    const share = await createShare({ rowBudget: all + 1 });
    const reader = await open(share);
    expect((await reader.call('GET', '/api/share/tiles/table/download?format=json')).status).toBe(200);
    const refused = [403, 'token-exhausted'];
    expect(await refusal(await reader.call('GET', rowsOf('table')))).toEqual(refused);
    const chart = '/api/share/tiles/chart/chart?timeZone=UTC';
    const statuses = [await reader.call('GET', chart), await reader.call('GET', chart)].map(
      ({ status }) => status,
    );
    expect(statuses.at(-1)).toBe(403);
  });

  it('is looked at before anything is evaluated', async () => {
    const reader = await open(await createShare({ rowBudget: 1 }));
    expect(await refusal(await reader.call('GET', rowsOf('failing')))).toEqual([422, 'share-unreadable']);
    await reader.call('GET', '/api/share/tiles/table/rows?page=1000');
    for (const path of ['rows', 'chart?timeZone=UTC', 'download?format=json'])
      expect(await refusal(await reader.call('GET', `/api/share/tiles/failing/${path}`))).toEqual([
        403,
        'token-exhausted',
      ]);
    expect((await reader.call('GET', '/api/share')).status).toBe(200);
  });
});

describe('the sites that may frame a page', () => {
  it.each([
    'https://wiki.example.org/page',
    'https://$&.example.org',
    'https://$`.example.org',
    'https://a(b.example.org',
    'https://{x}.example.org',
    'https://Wiki.example.org',
    'https://müller.example.org',
    'https://*.example.org',
    'https://wiki.example.org;script-src *',
    'https://user@wiki.example.org',
    'http://[::1]:8080',
    "'self'",
  ])('are not %s', async (origin) => {
    const body = { name: 's', scope: 'board', expiresInDays: 1, rowBudget: 1, boardId };
    expect((await ada.call('POST', TOKENS, { ...body, frameAncestors: [origin] })).status).toBe(422);
  });

  it('are given by scheme, name and port', async () => {
    const frameAncestors = ['https://xn--mller-kva.example.org', 'http://localhost:8080'];
    expect(await createShare({ frameAncestors })).toMatchObject({ frameAncestors });
  });
});

describe('the password of a share', () => {
  it('is asked for, is not stored, and may be tried five times a minute', async () => {
    const share = await createShare({ password: 'correct horse' });
    expect(share).toMatchObject({ hasPassword: true });
    const { rows } = await server.product.context.db.$client.query('select * from api_tokens where id = $1', [
      share._id,
    ]);
    expect(JSON.stringify(rows)).not.toContain('correct horse');
    const stranger = new Client(server);
    const attempt = async (password?: string) =>
      refusal(await stranger.call('POST', '/api/share/sessions', { ...partsOf(share.sharePath), password }));
    expect(await attempt()).toEqual([403, 'password-needed']);
    expect((await (await open(share, 'correct horse')).call('GET', '/api/share')).status).toBe(200);
    for (let i = 0; i < 4; i++) expect(await attempt(`guess ${i}`)).toEqual([403, 'password-wrong']);
    expect(await attempt('correct horse')).toEqual([429, 'rate-limited']);
  });

  it('has no more tries for the same share in another spelling', async () => {
    const { share, secret } = partsOf((await createShare({ password: 'correct horse' })).sharePath);
    // The last digit holds four bits of the ids, and the other two are free.
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((digit) => share.slice(0, -1) + digit)
      .filter((one) => Buffer.from(one, 'base64url').equals(Buffer.from(share, 'base64url')));
    expect(spellings).toHaveLength(4);
    const stranger = new Client(server);
    for (const one of spellings) {
      const body = { share: one, secret, password: 'guess' };
      const refused = await refusal(await stranger.call('POST', '/api/share/sessions', body));
      expect(refused).toEqual(one === share ? [403, 'password-wrong'] : [404, 'share-ended']);
    }
  });

  it('cannot be passed by with the token itself', async () => {
    const { token } = await createShare({ scope: 'view', password: 'correct horse' });
    const program = new Client(server);
    program.token = token;
    const path = `/api/data/views/aggregate/${views.shared}`;
    expect(await refusal(await program.call('GET', path))).toEqual([403, 'token-forbids']);
    expect((await fetch(`${server.url}/api/data/views/feed/${views.shared}?token=${token}`)).status).toBe(
      403,
    );
  });
});

describe('a token for one board', () => {
  it('reads the views of its tiles with its own parameters, and no others', async () => {
    const { token } = await createShare({ parameters: '{"from":1000000}' });
    const program = new Client(server);
    program.token = token;
    const path = '/api/data/views/aggregate/';
    expect(await program.get(path + views.shared)).toMatchObject({ count: 0 });
    for (const rest of [views.other, `${views.shared}?parameters=%7B%7D`, crypto.randomUUID()])
      expect(await refusal(await program.call('GET', path + rest))).toEqual([403, 'token-forbids']);
  });
});

describe('the end of a share', () => {
  it('ends its open pages at once, and looks like an unknown link', async () => {
    const share = await createShare();
    const reader = await open(share);
    await ada.json('DELETE', `${TOKENS}/${share._id}`);
    expect(await refusal(await reader.call('GET', '/api/share'))).toEqual([401, 'unauthenticated']);
    const expired = await createShare();
    await server.product.context.db.$client.query(
      "update api_tokens set expires_at = now() - interval '1 s' where id = $1",
      [expired._id],
    );
    const { share: path, secret } = partsOf((await createShare()).sharePath);
    const texts = new Set<string>();
    for (const body of [
      partsOf(share.sharePath),
      partsOf(expired.sharePath),
      { share: path, secret: `${secret.slice(0, -4)}AAAA` },
      { share: partsOf(share.sharePath).share, secret },
      { share: 'x', secret },
      { share: '', secret: '' },
    ]) {
      const response = await new Client(server).call('POST', '/api/share/sessions', body);
      expect(response.status).toBe(404);
      texts.add(await response.text());
    }
    expect(texts.size).toBe(1);
  });

  it('is logged with its openings and downloads', async () => {
    const share = await createShare({ name: 'logged' });
    const reader = await open(share);
    await reader.get('/api/share');
    await reader.get(rowsOf('table'));
    await (await reader.call('GET', '/api/share/tiles/table/download?format=json')).text();
    const own = async () => {
      const { results } = await ada.get<TokenUses>(`${TOKENS}/uses`);
      return results
        .filter(({ tokenId }) => tokenId === share._id)
        .map(({ path, status }) => `${status} ${path}`);
    };
    await until(async () => (await own()).length === 2);
    expect(await own()).toEqual(['200 /api/share/tiles/{tileId}/download', '201 /api/share/sessions']);
  });
});

describe('SHARING=off', () => {
  it('ends all pages and refuses new ones', async () => {
    const other = await startTestServer({ SHARING: 'off' });
    try {
      const owner = await newUser(other, 'owner');
      expect(await owner.get('/api/product')).toMatchObject({ sharing: false });
      const body = { share: 'x', secret: 'x' };
      expect(await refusal(await owner.call('POST', '/api/share/sessions', body))).toEqual([
        403,
        'sharing-off',
      ]);
      expect(await refusal(await owner.call('GET', '/api/share'))).toEqual([403, 'sharing-off']);
      const board = await owner.post<Board>('/api/data/boards', { title: 'b', tiles: [] });
      const asked = { name: 's', scope: 'board', expiresInDays: 1, rowBudget: 1, boardId: board._id };
      expect(await refusal(await owner.call('POST', TOKENS, asked))).toEqual([403, 'sharing-off']);
    } finally {
      await other.remove();
    }
  });
});
