import {
  type Board,
  type CreatedToken,
  type CreateToken,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  TOKEN_ACCESS,
  TOKEN_SCOPES,
  type TokenScope,
  type TokenUses,
  type View,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../test-support/new-user.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { awaitEnd, startSync, until } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { runHousekeeping } from './housekeeping.ts';

const TOKENS = '/api/accounts/tokens';
const RESULTS = '/api/data/views/aggregate';
const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };
const NOWHERE = crypto.randomUUID();
let server: TestServer;
let ada: Client;
/** Ids of views with a parameter: all pull requests from a number on. */
const views = { own: '', other: '' };

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
  for (const title of ['own', 'other'] as const) {
    const view = { title, description: 'x', jsonNataQuery: '$[number >= $from]', templateKey: 'pulls-all' };
    const parameters = [{ name: 'from', type: 'number', default: 0 }];
    views[title] = (await ada.post<View>('/api/data/views', { ...view, ...ENTITY, parameters }))._id;
  }
});
afterAll(() => server?.remove());

async function createToken(fields: Partial<CreateToken>): Promise<CreatedToken & { client: Client }> {
  const made = await ada.post<CreatedToken>(TOKENS, {
    name: 't',
    scope: 'read',
    expiresInDays: 1,
    ...fields,
  });
  const client = new Client(server);
  client.token = made.token;
  return { ...made, client };
}

/** Creates a view whose download is larger than the buffers of a connection. @returns its id */
async function createLongView(): Promise<string> {
  const jsonNataQuery = '[1..50000].{"n": $, "t": $pad("", 200, "x")}';
  const view = { title: 'long', description: 'x', jsonNataQuery, templateKey: 'pulls-all' };
  return (await ada.post<View>('/api/data/views', { ...view, ...ENTITY }))._id;
}

const viewToken = (rowBudget: number, parameters?: string) =>
  createToken({ scope: 'view', viewId: views.own, rowBudget, ...(parameters && { parameters }) });

/** Returns what a token for one view or board needs. */
async function readingFields(scope: TokenScope): Promise<Partial<CreateToken>> {
  if (scope === 'view') return { viewId: views.own, rowBudget: 1 };
  if (scope !== 'board') return {};
  const { _id } = await ada.post<Board>('/api/data/boards', { title: 'b', tiles: [] });
  return { boardId: _id, rowBudget: 1 };
}

async function query<T>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await server.product.context.db.$client.query(text, values)).rows;
}

async function errorOf(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() };
}

const REACHED: Record<TokenScope, readonly string[]> = {
  read: ['read'],
  sync: ['read', 'sync'],
  manage: ['read', 'sync', 'manage'],
  view: [],
  board: [],
};
const endpoints = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][];

describe('a token', () => {
  it.each(TOKEN_SCOPES)('of the scope %s reaches the endpoints of its scope and no other', async (scope) => {
    const { client } = await createToken({ scope, ...(await readingFields(scope)) });
    const refusals = new Set<string>();
    for (const [name, { method, path, access }] of endpoints) {
      const response = await client.call(method, path.replaceAll(/\{\w+\}/g, NOWHERE));
      const { status, text } = await errorOf(response);
      const isRefused = status === 403 && text.includes('token-forbids');
      if (isRefused) refusals.add(text);
      const isOpen = TOKEN_ACCESS[name] === 'open';
      // The sign-in endpoints know their own tokens only.
      if (access === 'none') expect(isOpen || status === 401 || isRefused, name).toBe(true);
      else expect(isRefused, `${name}: ${status}`).toBe(!REACHED[scope].includes(TOKEN_ACCESS[name]));
      if (!isRefused && access !== 'none') expect(status, name).not.toBe(401);
    }
    expect(refusals.size).toBe(1);
  });

  it('gets the same refusal for an id that exists and one that does not', async () => {
    const { client, _id } = await createToken({ scope: 'sync' });
    for (const [real, path] of [
      [views.own, '/api/data/views/'],
      [_id, `${TOKENS}/`],
    ] as const) {
      const refused = await errorOf(await client.call('DELETE', path + real));
      expect(refused).toMatchObject({ status: 403 });
      expect(await errorOf(await client.call('DELETE', path + NOWHERE))).toEqual(refused);
    }
  });

  it('is no session cookie', async () => {
    const { token } = await createToken({ scope: 'manage' });
    const isLedOn = async (cookie: string) => {
      const headers = { cookie: `dd-session=${cookie}` };
      const page = await fetch(`${server.url}/auth/github`, { headers, redirect: 'manual' });
      return page.headers.get('location')?.includes('/authorize') ?? false;
    };
    expect(await isLedOn(ada.token)).toBe(true);
    expect(await isLedOn(token)).toBe(false);
  });

  it('gets the same answer when unknown, revoked or expired', async () => {
    const revoked = await createToken({});
    await ada.json('DELETE', `${TOKENS}/${revoked._id}`);
    const expired = await createToken({});
    await query("update api_tokens set expires_at = now() - interval '1 s' where id = $1", [expired._id]);
    const unknown = new Client(server);
    unknown.token = `${revoked.token.slice(0, -4)}AAAA`;
    const odd = new Client(server);
    odd.token = 'ddt_x';
    const answers = await Promise.all(
      [revoked.client, expired.client, unknown, odd].map(async (client) =>
        errorOf(await client.call('GET', '/api/accounts')),
      ),
    );
    expect(answers[0]).toMatchObject({ status: 401 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('is stored as a hash and never listed', async () => {
    const { token } = await createToken({});
    const secret = token.slice(-43);
    expect(JSON.stringify(await query('select * from api_tokens'))).not.toContain(secret);
    expect(JSON.stringify(await ada.get(TOKENS))).not.toContain(secret);
  });
});

describe('a token for one view', () => {
  it('reads its view with its own parameters, and no other view', async () => {
    const all = await ada.get<{ count: number }>(`${RESULTS}/${views.own}`);
    const { client } = await viewToken(1000, '{"from":1000000}');
    expect(all.count).toBeGreaterThan(2);
    expect(await client.get(`${RESULTS}/${views.own}`)).toMatchObject({ count: 0 });
    const refused = await errorOf(await client.call('GET', `${RESULTS}/${views.other}`));
    expect(refused).toMatchObject({ status: 403 });
    for (const path of [NOWHERE, `${views.own}?parameters=${encodeURIComponent('{"from":0}')}`])
      expect(await errorOf(await client.call('GET', `${RESULTS}/${path}`))).toEqual(refused);
  });

  it('cannot be made for values that the view refuses, or for the view of another user', async () => {
    const body = { name: 't', scope: 'view', expiresInDays: 1, viewId: views.own, rowBudget: 1 };
    expect((await ada.call('POST', TOKENS, { ...body, parameters: '{"to":1}' })).status).toBe(422);
    expect((await ada.call('POST', TOKENS, { ...body, scope: 'read' })).status).toBe(422);
    const eve = await newUser(server, 'eve');
    expect((await eve.call('POST', TOKENS, body)).status).toBe(404);
  });

  it('returns no more rows than its budget to calls at once', async () => {
    const { results } = await ada.get<{ results: unknown[] }>(`${RESULTS}/${views.own}`);
    const { client, _id } = await viewToken(results.length * 2 + 1);
    const statuses = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => (await client.call('GET', `${RESULTS}/${views.own}`)).status),
    );
    expect(statuses.sort()).toEqual([200, 200, 403, 403, 403]);
    const [row] = await query<{ rows_used: number }>('select rows_used from api_tokens where id = $1', [_id]);
    expect(row?.rows_used).toBe(results.length * 2);
  });

  it.each(['json', 'ndjson', 'csv', 'xlsx', 'parquet'])(
    'counts a download as %s, and refuses one beyond the budget',
    async (format) => {
      const { count } = await ada.get<{ count: number }>(`${RESULTS}/${views.own}`);
      const path = `/api/data/views/download/${views.own}?format=${format}`;
      const { client } = await viewToken(count + 1);
      expect((await client.call('GET', path)).status).toBe(200);
      const refused = await client.call('GET', path);
      expect(await refused.json()).toMatchObject({ error: { code: 'token-exhausted' } });
    },
  );
});

describe('a page behind the last one', () => {
  it('counts one row, because it shows the number of rows', async () => {
    const { client } = await viewToken(2);
    const pages = [];
    for (const page of [1000, 1001, 1002])
      pages.push((await client.call('GET', `${RESULTS}/${views.own}?page=${page}`)).status);
    expect(pages).toEqual([200, 200, 403]);
  });
});

describe('a download that is refused because too many are running', () => {
  it('counts nothing against the budget', async () => {
    const long = `/api/data/views/download/${await createLongView()}?format=json`;
    const other = await createToken({ name: 'downloads' });
    const open = await Promise.all([1, 2].map(() => other.client.call('GET', long)));
    const { client, _id } = await viewToken(1000);
    for (const format of ['json', 'xlsx']) {
      const path = `/api/data/views/download/${views.own}?format=${format}`;
      expect((await client.call('GET', path)).status).toBe(429);
      // The owner's sessions have downloads of their own.
      const own = await ada.call('GET', path);
      expect(own.status).toBe(200);
      await own.body?.cancel();
    }
    for (const { body } of open) await body?.cancel();
    const [row] = await query<{ rows_used: number }>('select rows_used from api_tokens where id = $1', [_id]);
    expect(row?.rows_used).toBe(0);
  });
});

describe('the feed of a view', () => {
  const feedOf = (query: string, headers = {}) =>
    fetch(`${server.url}/api/data/views/feed/${views.own}?${query}`, { headers });

  it('takes the token of its view in the address, and forbids to pass it on', async () => {
    const { token } = await viewToken(1000);
    const atom = await feedOf(`token=${token}`);
    expect(atom.status).toBe(200);
    expect(Object.fromEntries(atom.headers)).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    });
    expect(await atom.text()).toContain('<entry>');
    const calendar = await feedOf(`token=${token}&format=ical`);
    expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(await calendar.text()).toContain('BEGIN:VEVENT');
  });

  it('takes no other token in the address, and no other endpoint takes one', async () => {
    const [read, view] = [await createToken({ scope: 'read' }), await viewToken(1000)];
    const texts = new Set<string>();
    for (const token of [read.token, ada.token, 'ddt_x', `${view.token.slice(0, -4)}AAAA`]) {
      const refused = await feedOf(`token=${token}`);
      expect(refused.status).toBe(401);
      texts.add(await refused.text());
    }
    // That of an API token, and that without one.
    expect(texts.size).toBe(2);
    expect((await feedOf('', { authorization: `Bearer ${read.token}` })).status).toBe(200);
    for (const path of [`${RESULTS}/${views.own}`, `/api/data/views/download/${views.own}`, TOKENS])
      expect((await fetch(`${server.url}${path}?token=${view.token}`)).status).toBe(401);
    const other = await fetch(`${server.url}/api/data/views/feed/${views.other}?token=${view.token}`);
    expect(other.status).toBe(403);
    expect((await feedOf(`token=${view.token}&parameters=%7B%7D`)).status).toBe(403);
  });

  it('counts its rows against the budget, unless the caller has the same feed', async () => {
    const { count } = await ada.get<{ count: number }>(`${RESULTS}/${views.own}`);
    const { token, _id } = await viewToken(count + 1);
    const used = async () =>
      (await query<{ rows_used: number }>('select rows_used from api_tokens where id = $1', [_id]))[0]
        ?.rows_used;
    const etag = (await feedOf(`token=${token}`)).headers.get('etag') ?? '';
    expect(await used()).toBe(count);
    expect((await feedOf(`token=${token}`, { 'if-none-match': `W/${etag}` })).status).toBe(304);
    expect(await used()).toBe(count);
    expect(await (await feedOf(`token=${token}`)).json()).toMatchObject({
      error: { code: 'token-exhausted' },
    });
  });
});

describe('the access log', () => {
  it('has each call with its outcome, and sets the last use', async () => {
    const { client, _id } = await createToken({ name: 'logged' });
    const own = async () =>
      (await ada.get<TokenUses>(`${TOKENS}/uses`)).results.filter(({ tokenId }) => tokenId === _id);
    await client.call('GET', `${RESULTS}/${views.own}?page=1`);
    // A call is logged after its answer.
    await until(async () => (await own()).length === 1);
    await client.call('DELETE', `/api/data/views/${views.own}`);
    await until(async () => (await own()).length === 2);
    expect((await own()).map(({ method, path, status, name }) => ({ method, path, status, name }))).toEqual([
      { method: 'DELETE', path: '/api/data/views/{viewId}', status: 403, name: 'logged' },
      { method: 'GET', path: '/api/data/views/aggregate/{viewId}', status: 200, name: 'logged' },
    ]);
    const listed = await ada.get<CreatedToken[]>(TOKENS);
    expect(listed.find((token) => token._id === _id)?.lastUsedAt).not.toBeNull();
  });

  it('has calls whose caller leaves before the end of the answer', async () => {
    const long = await createLongView();
    const { token, _id } = await createToken({ name: 'leaves' });
    const caller = new AbortController();
    const { signal } = caller;
    const path = `/api/data/views/download/${long}?format=ndjson`;
    const answer = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    expect((await answer.body?.getReader().read())?.value?.length).toBeGreaterThan(0);

    caller.abort();

    await until(async () => {
      const { results } = await ada.get<TokenUses>(`${TOKENS}/uses`);
      const own = results.filter(({ tokenId }) => tokenId === _id);
      return (
        own.length === 1 && own[0]?.path === '/api/data/views/download/{viewId}' && own[0].status === 200
      );
    });
  });

  it('has the refused calls of a token in one row, with their number', async () => {
    const { client, _id } = await createToken({ name: 'refused' });
    const own = async () =>
      (await ada.get<TokenUses>(`${TOKENS}/uses`)).results.filter(({ tokenId }) => tokenId === _id);
    for (const path of ['/api/accounts/tokens', '/api/data/alerts', '/api/accounts/tokens'])
      expect((await client.call('GET', path)).status).toBe(403);
    await until(async () => (await own())[0]?.times === 3);
    await client.call('GET', `${RESULTS}/${views.own}?page=1`);
    await until(async () => (await own()).length === 2);
    expect((await own()).map(({ status, times }) => ({ status, times }))).toEqual([
      { status: 200, times: 1 },
      { status: 403, times: 3 },
    ]);
  });

  it('keeps 30 days and the newest 1,000 calls of a token, and ends with the account', async () => {
    const eve = await newUser(server, 'mallory');
    const { _id } = await eve.get<{ _id: string }>('/api/accounts');
    await eve.post(TOKENS, { name: 't', scope: 'read', expiresInDays: 1 });
    const add = `insert into api_token_uses (user_id, at, token_id, name, method, path, status)
      select $1, $2, $1, '', '', '', 200 from generate_series(1, $3)`;
    await query(add, [_id, new Date(Date.now() - 31 * 86_400_000), 1]);
    const counted = async () => (await eve.get<TokenUses>(`${TOKENS}/uses`)).count;
    await runHousekeeping(server.product);
    expect(await counted()).toBe(0);
    await query(add, [_id, new Date(), 1005]);
    await runHousekeeping(server.product);
    expect(await counted()).toBe(1000);
    // Also without housekeeping.
    const { token } = await eve.post<CreatedToken>(TOKENS, { name: 'u', scope: 'read', expiresInDays: 1 });
    await query(add.replace('$1, $2, $1', '$1, $2, $4::uuid'), [
      _id,
      new Date(),
      1500,
      (await eve.get<CreatedToken[]>(TOKENS))[1]?._id,
    ]);
    for (let call = 0; call < 50; call++)
      await fetch(`${server.url}/api/accounts`, { headers: { authorization: `Bearer ${token}` } });
    await until(async () => (await counted()) < 2200);
    await eve.json('DELETE', '/api/accounts/delete-account');
    for (const table of ['api_tokens', 'api_token_uses'])
      expect(await query(`select 1 from ${table} where user_id = $1`, [_id])).toEqual([]);
  });

  it('allows 50 tokens per user, also to requests at once', async () => {
    const client = await newUser(server, 'many');
    const body = { name: 't', scope: 'read', expiresInDays: 1 };
    const all = await Promise.all(Array.from({ length: 52 }, () => client.call('POST', TOKENS, body)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(await client.get(TOKENS)).toHaveLength(50);
  });
});
