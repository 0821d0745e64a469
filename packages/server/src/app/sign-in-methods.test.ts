import type { ErrorBody, Profile, Provider, SignInMethod } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type OpenIdProvider,
  signInAtIssuer,
  startOpenIdProvider,
} from '../../test-support/open-id-provider.ts';
import { until } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { issueLinkToken } from '../features/accounts/index.ts';
import { fingerprint } from '../platform/ids.ts';
import { findFreePort } from './http/listen.ts';

const METHODS = '/api/accounts/sign-in-methods';
const GOOGLE_USER = 'ada.nowak@sandbox.example';

let server: TestServer;
let home: OpenIdProvider;
let work: OpenIdProvider;
let people = 0;

beforeAll(async () => {
  const port = await findFreePort('127.0.0.1');
  home = await startOpenIdProvider(`http://127.0.0.1:${port}/auth/home/callback`);
  work = await startOpenIdProvider(`http://127.0.0.1:${port}/auth/work/callback`);
  const settings = [home.setting('home', 'Home'), work.setting('work', 'Work')];
  server = await startTestServer({ PORT: String(port), OIDC_PROVIDERS: JSON.stringify(settings) });
});
afterAll(async () => {
  await server?.remove();
  await home?.close();
  await work?.close();
});

/** Adds a person to both issuers. @returns the subject */
function newPerson(): string {
  const subject = `person-${++people}`;
  home.people[subject] = { email: `${subject}@home.example`, name: `${subject} at home` };
  work.people[subject] = { email: `${subject}@work.example`, name: `${subject} in the office` };
  return subject;
}

/** Returns a browser with an address of its own, as navigations are limited by address. */
function newClient(): Client {
  return new Client(server, `10.0.${++people >> 8}.${people & 255}`);
}

async function signIn(key: 'home' | 'work', subject: string, client = newClient()): Promise<Client> {
  const { url } = await signInAtIssuer(client.navigator, `${server.url}/auth/${key}?intent=sign-in`, subject);
  client.token = (JSON.parse(url.searchParams.get('res') ?? '{}') as { token: string }).token;
  return client.exchange();
}

/** Sends the request of the 'Add' button with the browser's cookies. */
async function requestLink(client: Client, key: string): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${client.token}` };
  const url = `${server.url}/auth/sign-in-methods/${key}`;
  const { status, html } = await client.navigator.visit(url, { method: 'POST', headers });
  return { status, body: JSON.parse(html) };
}

/** Begins to add a method. @returns the address of the provider's page */
async function beginLink(client: Client, key = 'work'): Promise<string> {
  const { status, body } = await requestLink(client, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { url: string }).url;
}

/** Completes the pages of an issuer. @returns the outcome that the Account screen shows */
async function finishLink(client: Client, address: string, subject: string): Promise<string | null> {
  const { url } = await signInAtIssuer(client.navigator, address, subject);
  expect(url.pathname).toBe('/dashboard/account');
  return url.searchParams.get('link');
}

async function link(client: Client, subject: string, key = 'work'): Promise<string | null> {
  return finishLink(client, await beginLink(client, key), subject);
}

const profileOf = (client: Client) => client.get<Profile>('/api/accounts');
const methodsOf = (client: Client) => client.get<SignInMethod[]>(METHODS);
const keysOf = async (client: Client) => (await methodsOf(client)).map(({ provider }) => provider);

async function remove(client: Client, key: string): Promise<Response> {
  const method = (await methodsOf(client)).find(({ provider }) => provider === key);
  return client.call('DELETE', `${METHODS}/${method?._id}`);
}

/** Waits until this many statements wait for a lock in this database. */
async function untilBlocked(count: number, query: string): Promise<void> {
  await until(async () => {
    const { rows } = await server.product.context.db.execute(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like ${query}`,
    );
    return rows.length === count;
  });
}

/** Takes a lock, starts `work`, and releases the lock once the statements of `work` wait for it. */
async function whileLocked<T>(lock: SQL, query: string, work: () => Promise<T>): Promise<T> {
  const { db } = server.product.context;
  const { started } = await db.transaction(async (tx) => {
    await tx.execute(lock);
    const started = work();
    await untilBlocked(2, query);
    return { started };
  });
  return started;
}

describe('adding a sign-in method', () => {
  it('leads to the same account and data from both providers', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    await client.post('/api/data/views/category', { title: 'Mine' });
    expect(await link(client, ada)).toBe('linked');

    const other = await signIn('work', ada);
    expect(await profileOf(other)).toEqual(await profileOf(client));
    expect(await other.get('/api/data/views/categories')).toEqual([
      expect.objectContaining({ title: 'Mine' }),
    ]);
    expect(await methodsOf(other)).toEqual([
      expect.objectContaining({ provider: 'home', title: 'Home', email: `${ada}@home.example` }),
      expect.objectContaining({ provider: 'work', title: 'Work', email: `${ada}@work.example` }),
    ]);
  });

  it('leaves name and address to the oldest method', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    await link(client, ada);
    await signIn('work', ada);
    expect(await profileOf(client)).toMatchObject({ name: `${ada} at home`, email: `${ada}@home.example` });
    home.people[ada] = { email: 'moved@home.example', name: 'Moved' };
    await signIn('home', ada);
    expect(await profileOf(client)).toMatchObject({ name: 'Moved', email: 'moved@home.example' });
  });

  it('reports a method that the account already has as added', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    await link(client, ada);
    expect(await link(client, ada)).toBe('linked');
    expect(await keysOf(client)).toEqual(['home', 'work']);
  });

  it('signs in with Google without connecting Gmail', async () => {
    const client = await signIn('home', newPerson());
    let page = await client.navigator.visit(await beginLink(client, 'google'));
    page = await client.navigator.submit(page, /ada\.nowak/);
    expect(page.html).not.toContain('gmail.readonly');
    if (page.html.includes('<form')) page = await client.navigator.submit(page, /value="allow"/);
    expect(page.url.searchParams.get('link')).toBe('linked');
    const providers = await client.get<Provider[]>('/api/integrations/providers');
    expect(providers.find(({ key }) => key === 'google')).toMatchObject({ isBlocked: false });
    const again = await newClient().signIn(GOOGLE_USER);
    expect((await profileOf(again))._id).toBe((await profileOf(client))._id);
  });

  it('changes nothing when the method belongs to another account', async () => {
    const [ada, grace] = [newPerson(), newPerson()];
    const owner = await signIn('work', grace);
    const client = await signIn('home', ada);
    expect(await link(client, grace)).toBe('taken');
    expect(await keysOf(client)).toEqual(['home']);
    expect(await keysOf(owner)).toEqual(['work']);
    expect((await profileOf(await signIn('work', grace)))._id).toBe((await profileOf(owner))._id);
  });

  it('lets one of two accounts win that add a method at once', async () => {
    const clients = [await signIn('home', newPerson()), await signIn('home', newPerson())];
    const contested = newPerson();
    const addresses = await Promise.all(clients.map((client) => beginLink(client)));
    const key = `${work.issuer} ${contested}`;
    const outcomes = await whileLocked(
      sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`,
      '%pg_advisory_xact_lock%',
      () =>
        Promise.all(clients.map((client, index) => finishLink(client, addresses[index] ?? '', contested))),
    );
    expect(outcomes.sort()).toEqual(['linked', 'taken']);
    const lists = await Promise.all(clients.map(keysOf));
    expect(lists.map((keys) => keys.length).sort()).toEqual([1, 2]);
  });

  it('reports that the person denied consent', async () => {
    const client = await signIn('home', newPerson());
    const page = await client.navigator.visit(await beginLink(client));
    const abort = page.html.match(/href="([^"]+\/abort)"/)?.[1] ?? '';
    const { url } = await client.navigator.visit(new URL(abort, page.url));
    expect(`${url.pathname}${url.search}`).toBe('/dashboard/account?link=failed');
  });

  it('stops at ten methods', async () => {
    const client = await signIn('home', newPerson());
    const { _id } = await profileOf(client);
    await server.product.context.db.execute(
      sql`insert into identities (issuer, subject, user_id, provider, email)
        select 'https://more.example', ${_id} || n, ${_id}, 'more', '' from generate_series(1, 9) n`,
    );
    expect(await link(client, newPerson())).toBe('failed');
    expect(await methodsOf(client)).toHaveLength(10);
  });
});

describe('an attack on the addition of a sign-in method', () => {
  it('fails in the browser of a victim', async () => {
    const victim = newPerson();
    const attacker = await signIn('home', newPerson());
    const browser = await signIn('home', victim);
    expect(await finishLink(browser, await beginLink(attacker), victim)).toBe('failed');
    expect(await keysOf(attacker)).toEqual(['home']);
    expect(await keysOf(browser)).toEqual(['home']);
    expect((await profileOf(await signIn('work', victim)))._id).not.toBe((await profileOf(attacker))._id);
  });

  it('fails after another account signed in in the same browser', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    const other = await signIn('home', newPerson());
    const [owner, former] = [(await profileOf(client))._id, fingerprint(client.token)];
    const { db } = server.product.context;
    const address = await beginLink(client);
    // A printed link starts no attempt at a provider, so the cookie of the attempt stays.
    client.token = await issueLinkToken(db, (await profileOf(other))._id);
    await client.exchange();
    // The exchange ended the former session. It stays valid here, so that only the cookie can differ.
    await db.execute(
      sql`insert into sessions (token_hash, user_id, expires_at) values (${former}, ${owner}, now() + interval '1 day')`,
    );
    expect(await finishLink(client, address, ada)).toBe('failed');
    expect([await keysOf(client), await keysOf(other)]).toEqual([['home'], ['home']]);
    expect(await keysOf(await signIn('home', ada))).toEqual(['home']);
  });

  it('fails when a callback is replayed', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    const address = await beginLink(client);
    const fetched = vi.spyOn(globalThis, 'fetch');
    expect(await finishLink(client, address, ada)).toBe('linked');
    const callback = fetched.mock.calls.map(([url]) => String(url)).find((url) => url.includes('/callback?'));
    fetched.mockRestore();
    await remove(client, 'work');
    const { url } = await client.navigator.visit(callback ?? '');
    expect(`${url.pathname}${url.search}`).toBe('/dashboard/account?link=failed');
    expect(await keysOf(client)).toEqual(['home']);
  });

  it('fails after the session has ended', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    const address = await beginLink(client);
    await client.post('/auth/logout');
    expect(await finishLink(client, address, ada)).toBe('failed');
    expect(await keysOf(await signIn('home', ada))).toEqual(['home']);
  });

  it('fails after the account was deleted', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    const { _id } = await profileOf(client);
    const address = await beginLink(client);
    await client.json('DELETE', '/api/accounts/delete-account');
    expect(await finishLink(client, address, ada)).toBe('failed');
    expect((await profileOf(await signIn('work', ada)))._id).not.toBe(_id);
  });

  it('fails after ten minutes', async () => {
    const ada = newPerson();
    const client = await signIn('home', ada);
    const address = await beginLink(client);
    const { db } = server.product.context;
    const { rows } = await db.execute<{ minutes: number }>(
      sql`select extract(epoch from max(expires_at) - now()) / 60 as minutes
        from auth_attempts where session_hash = ${fingerprint(client.token)}`,
    );
    await db.execute(sql`update auth_attempts set expires_at = now() where session_hash is not null`);
    expect(Number(rows[0]?.minutes)).toBeCloseTo(10, 0);
    expect(await finishLink(client, address, ada)).toBe('failed');
    expect(await keysOf(client)).toEqual(['home']);
  });

  it('cannot begin without the cookie of the session', async () => {
    const client = await signIn('home', newPerson());
    client.navigator.forget();
    expect(await requestLink(client, 'work')).toMatchObject({
      status: 409,
      body: { error: { code: 'other-session' } },
    });
  });

  it('cannot begin as a demo user, without a session, or with an unknown provider', async () => {
    const demo = await newClient().demo();
    expect(await requestLink(demo, 'work')).toMatchObject({
      status: 403,
      body: { error: { code: 'plan-forbids' } },
    });
    expect(await requestLink(newClient(), 'work')).toMatchObject({ status: 401 });
    expect(await requestLink(await signIn('home', newPerson()), 'github')).toMatchObject({ status: 404 });
  });
});

describe('removing a sign-in method', () => {
  /** Signs in with an account that has two methods. */
  async function withBoth(): Promise<{ client: Client; ada: string }> {
    const ada = newPerson();
    const client = await signIn('home', ada);
    await link(client, ada);
    return { client, ada };
  }

  it('ends the sessions of other browsers, and sign-ins with the method', async () => {
    const { client, ada } = await withBoth();
    const other = await signIn('work', ada);
    expect((await remove(client, 'work')).status).toBe(200);
    expect((await other.call('GET', '/api/accounts')).status).toBe(401);
    const { _id } = await profileOf(client);
    expect((await profileOf(await signIn('home', ada)))._id).toBe(_id);
    expect((await profileOf(await signIn('work', ada)))._id).not.toBe(_id);
  });

  it('hands name and address to the next oldest method', async () => {
    const { client, ada } = await withBoth();
    await remove(client, 'home');
    expect(await profileOf(client)).toMatchObject({ email: `${ada}@work.example`, signInProvider: 'work' });
    await signIn('work', ada);
    expect(await profileOf(client)).toMatchObject({ name: `${ada} in the office` });
  });

  it('refuses the last method', async () => {
    const client = await signIn('home', newPerson());
    const response = await remove(client, 'home');
    expect(response.status).toBe(409);
    expect(((await response.json()) as ErrorBody).error.code).toBe('last-sign-in-method');
    expect(await keysOf(client)).toEqual(['home']);
  });

  it('keeps one of two methods that are removed at once', async () => {
    const { client } = await withBoth();
    const { _id } = await profileOf(client);
    const methods = await methodsOf(client);
    const responses = await whileLocked(
      sql`select 1 from users where id = ${_id} for update`,
      '%for no key update%',
      () => Promise.all(methods.map((method) => client.call('DELETE', `${METHODS}/${method._id}`))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await keysOf(client)).toHaveLength(1);
  });

  it('refuses a method of another account', async () => {
    const { client } = await withBoth();
    const [foreign] = await methodsOf(await signIn('home', newPerson()));
    const response = await client.call('DELETE', `${METHODS}/${foreign?._id}`);
    expect(response.status).toBe(404);
  });
});
