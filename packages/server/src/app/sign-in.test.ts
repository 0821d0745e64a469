import type { Profile, Provider, Sync, UserEntity } from '@datadeck/contract';
import type { FaultName } from '@datadeck/test-sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSync, until } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { deleteUser, lockAccountForDeletion } from '../features/accounts/index.ts';
import { requireStoredKeys } from '../features/connections/index.ts';

let server: TestServer;
const ADA = 'ada.nowak@sandbox.example';

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.remove());
beforeEach(() => server.control.reset());

/** Signs in. @returns the result that the login screen receives in `res` */
async function resultOf(client: Client): Promise<{ token?: string; error?: string }> {
  const chooser = await client.navigator.visit(`${server.url}/auth/google`);
  let page = await client.navigator.submit(chooser, /ada\.nowak/);
  if (page.html.includes('<form')) page = await client.navigator.submit(page, /value="allow"/);
  return JSON.parse(page.url.searchParams.get('res') ?? '{}') as { token?: string; error?: string };
}

describe('GET /auth/google', () => {
  // Must run first, because Google's discovery document is cached after the first request.
  // @covers life.provider-down-sign
  it.each<[FaultName, string]>([
    ['http-503', 'Google is failing (status 503). Try again later.'],
    ['html-error-body', 'Google is failing (status 502). Try again later.'],
    ['connection-reset', 'Google could not be reached. Try again later.'],
  ])('returns to the login screen with the cause when Google is down: %s', async (name, error) => {
    const down = server.control.fault({ name, match: { api: 'google', path: /openid-configuration/ } });
    const { url } = await new Client(server).navigator.visit(`${server.url}/auth/google`);
    expect(JSON.parse(url.searchParams.get('res') ?? '{}')).toEqual({ token: null, error });
    expect([url.pathname, down.hits]).toEqual(['/', 1]);
  });
});

describe('sign-in with Google', () => {
  // @covers 1.sign-external-identity
  it('creates an account with the standard plan and finds it again', async () => {
    const first = await new Client(server).signIn(ADA);
    const profile = await first.get<Profile>('/api/accounts');
    expect(profile).toMatchObject({
      name: 'Ada Nowak',
      email: ADA,
      status: 'standard',
      signInProvider: 'google',
    });
    const again = await new Client(server).signIn(ADA);
    expect((await again.get<Profile>('/api/accounts'))._id).toBe(profile._id);
  });

  it('returns with a token and no error', async () => {
    expect(await resultOf(new Client(server))).toEqual({
      token: expect.stringMatching(/^[\w-]{40,}$/),
      error: null,
    });
  });

  // @covers authorisation.another-e-mail
  it('finds the account by its subject after a change of e-mail address', async () => {
    const before = await (await new Client(server).signIn(ADA)).get<Profile>('/api/accounts');
    server.control.google.changeEmail(ADA, 'ada@elsewhere.example');
    const after = await (await new Client(server).signIn('ada@elsewhere.example')).get<Profile>(
      '/api/accounts',
    );
    server.control.google.changeEmail('ada@elsewhere.example', ADA);

    expect(after).toMatchObject({ _id: before._id, email: 'ada@elsewhere.example' });
  });

  // @covers 1.sign-meets-deletion
  it('creates a new account while the old one is being deleted', async () => {
    const before = await (await new Client(server).signIn(ADA)).get<Profile>('/api/accounts');
    const { db } = server.product.context;
    const { signedIn, again } = await db.transaction(async (tx) => {
      await lockAccountForDeletion(tx, before._id);
      const again = new Client(server);
      const signedIn = again.signIn(ADA);
      await until(async () => {
        const { rows } = await db.execute(
          sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "users"%'`,
        );
        return rows.length > 0;
      });
      await deleteUser(tx, before._id);
      return { signedIn, again };
    });

    await signedIn;
    const after = await again.get<Profile>('/api/accounts');
    expect(after._id).not.toBe(before._id);
    expect(after).toMatchObject({ email: ADA, status: 'standard' });
  });

  // @covers 7.res-holds-token authorisation.consent-denied
  it('returns to the login screen with an error when it is denied', async () => {
    server.control.fault({ name: 'consent-denied' });
    const result = await resultOf(new Client(server));
    expect(result).toEqual({ token: null, error: expect.stringContaining('did not grant access') });
  });

  // @covers authorisation.wrong-state
  // @covers authorisation.wrong-nonce-id (is refused on id-token-wrong-nonce)
  // @covers authorisation.wrong-audience-id (is refused on id-token-wrong-audience)
  // @covers authorisation.wrong-issuer-id (is refused on id-token-wrong-issuer)
  // @covers authorisation.wrong-expiry-id (is refused on id-token-expired)
  // @covers authorisation.wrong-signature-id (is refused on id-token-wrong-signature)
  // @covers authorisation.code-reused (is refused on code-reused)
  it.each([
    'id-token-wrong-nonce',
    'id-token-wrong-audience',
    'id-token-wrong-issuer',
    'id-token-expired',
    'id-token-wrong-signature',
    'wrong-state',
    'code-reused',
  ] as const)('is refused on %s', async (name) => {
    server.control.fault({ name });
    const result = await resultOf(new Client(server));
    expect(result.token ?? null).toBeNull();
    expect(result.error).toBeTruthy();
  });

  // @covers authorisation.key-rotation
  it('finds a signing key that was rotated a moment ago', async () => {
    server.control.fault({ name: 'key-rotated' });
    expect(await resultOf(new Client(server))).toMatchObject({ error: null });
  });

  // @covers life.provider-down-sign
  it.each<[FaultName, string]>([
    ['http-500', 'Google is failing (status 500). Try again later.'],
    ['http-503', 'Google is failing (status 503). Try again later.'],
    ['html-error-body', 'Google is failing (status 502). Try again later.'],
    ['connection-reset', 'Google could not be reached. Try again later.'],
    ['truncated-json', 'Google could not be reached. Try again later.'],
  ])('reports that Google went down during the consent: %s', async (name, error) => {
    const visitor = new Client(server);
    server.control.fault({ name, match: { api: 'google', path: /token$/ } });
    expect(await resultOf(visitor)).toEqual({ token: null, error });
    // The next sign-in works: the failed one left nothing behind.
    expect(await resultOf(visitor)).toMatchObject({ error: null });
  });

  it('works only in the browser that began it', async () => {
    const client = new Client(server);
    const chooser = await client.navigator.visit(`${server.url}/auth/google`);
    client.navigator.forget();
    let page = await client.navigator.submit(chooser, /ada\.nowak/);
    if (page.html.includes('<form')) page = await client.navigator.submit(page, /value="allow"/);
    expect(page.url.searchParams.get('res')).toContain('another browser');
  });
});

describe('connecting a provider', () => {
  // @covers authorisation.partial-scope-google
  it('is refused after a partial consent', async () => {
    const ada = await new Client(server).signIn(ADA);
    server.control.fault({ name: 'partial-scope' });
    expect(await ada.connect('google', ADA)).toBe('');
    const providers = await ada.get<Provider[]>('/api/integrations/providers');
    expect(providers[0]).toMatchObject({ key: 'google', isBlocked: false });
  });

  // @covers 6.demo-session-connects
  it('is refused for a demo user', async () => {
    const demo = new Client(server);
    const { token } = JSON.parse((await demo.navigator.visit(`${server.url}/auth/demo`)).html) as {
      token: string;
    };
    demo.token = token;
    const page = await demo.navigator.visit(`${server.url}/auth/github`);
    expect(page.status).toBe(403);
    expect(page.html).toContain('href="/dashboard/integrations/providers?provider="');
  });

  it('requires a session', async () => {
    const page = await new Client(server).navigator.visit(`${server.url}/auth/github`);
    expect(page.url.searchParams.get('res')).toContain('Sign in before connecting');
  });

  it('fails syncs while its encryption key is missing, but stays connected', async () => {
    const ada = await new Client(server).signIn(ADA);
    await ada.connect('github', 'ada-nowak');
    const { db, keyring } = server.product.context;
    const { rows } = await db.$client.query<{ key: string }>(
      "select distinct credentials->>'key' as key from connections where credentials is not null",
    );
    expect(rows).toHaveLength(1);
    const seal = (key: string | undefined) =>
      db.$client.query(
        "update connections set credentials = jsonb_set(credentials, '{key}', to_jsonb($1::text))",
        [key],
      );

    await requireStoredKeys(db, keyring);
    await seal('gone');
    await expect(requireStoredKeys(db, keyring)).rejects.toThrow(/: gone\. Set ENCRYPTION_KEY/);

    const settings = { owner: 'ada-nowak', repo: 'dotfiles' };
    const ended = await runSync(ada, 'gh-pulls', settings);
    expect(ended.summary.errMessage).toMatch(/^The access to GitHub .* add the former key to ENCRYPTION_KEY/);
    const providers = await ada.get<Provider[]>('/api/integrations/providers');
    expect(providers.find(({ key }) => key === 'github')?.connection?.status).toBe('connected');

    await seal(rows[0]?.key);
    expect(await runSync(ada, 'gh-pulls', settings)).toMatchObject({ status: 'finished' });

    await seal('gone');
    expect(await ada.connect('github', 'ada-nowak')).toBe('github');
    expect(await runSync(ada, 'gh-pulls', settings)).toMatchObject({ status: 'finished' });
  });

  it('stores tokens encrypted, with the id of their key', async () => {
    const ada = await new Client(server).signIn(ADA);
    await ada.connect('github', 'ada-nowak');
    const { rows } = await server.product.context.db.$client.query<{ credentials: object }>(
      'select credentials from connections where credentials is not null',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { credentials } of rows) {
      expect(Object.keys(credentials).sort()).toEqual(['iv', 'key', 'tag', 'text']);
      expect(JSON.stringify(credentials)).not.toMatch(/accessToken|gho_/);
    }
  });
});

describe('a session', () => {
  it('ends with logout', async () => {
    const ada = await new Client(server).signIn(ADA);
    await ada.post('/auth/logout');
    expect((await ada.call('GET', '/api/accounts')).status).toBe(401);
  });

  it('is stored without its token', async () => {
    const ada = await new Client(server).signIn(ADA);
    const { rows } = await server.product.context.db.$client.query<{ token_hash: string }>(
      'select token_hash from sessions',
    );
    expect(rows.map((row) => row.token_hash)).not.toContain(ada.token);
  });

  it('ends with its account, of which no row remains', async () => {
    const ada = await new Client(server).signIn('mei.tanaka@sandbox.example');
    const { _id } = await ada.get<Profile>('/api/accounts');
    await ada.connect('google', 'mei.tanaka@sandbox.example');

    await ada.json('DELETE', '/api/accounts/delete-account');
    expect((await ada.call('GET', '/api/accounts')).status).toBe(401);

    const { db } = server.product.context;
    const { rows: tables } = await db.$client.query<{ name: string }>(
      "select table_name as name from information_schema.columns where column_name = 'user_id' and table_schema = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await db.$client.query(`select 1 from ${name} where user_id = $1`, [_id]);
      expect(rows, name).toEqual([]);
    }
  });
});

describe('the demo workspace', () => {
  it('contains the sample data, visible to its user only', async () => {
    const one = await new Client(server).demo();
    const two = await new Client(server).demo();
    const count = async (path: string) =>
      (await one.get<{ count: number }>(`/api/integrations/entities/aggregation/${path}`)).count;

    expect(await count('gmail-labels/labels-all')).toBe(12);
    expect(await count('gmail-messages/messages-all')).toBe(240);
    expect(await count('gh-pulls/pulls-all')).toBe(160);
    expect(await count('gh-runs/runs-all')).toBe(150);
    expect(await one.get('/api/data/jnata-queries')).toHaveLength(6);

    const runs = await one.get<Sync[]>('/api/integrations/synchronizations?providers=google,github');
    const month = new Date().toISOString().slice(0, 7);
    for (const { id, usage } of await one.get<UserEntity[]>('/api/integrations/entities')) {
      const counted = runs.filter(
        (run) => run.entityLabel === id && run.status === 'finished' && run.created_at.startsWith(month),
      );
      expect(usage.used, id).toBe(counted.length);
    }

    const views = await one.get<{ _id: string; basedOn: string | null }[]>('/api/data/views');
    expect(views).toHaveLength(16);
    expect(views.filter((view) => view.basedOn !== null)).toHaveLength(2);
    expect(await one.get('/api/data/views/categories')).toHaveLength(2);
    const boards = await one.get<{ title: string }[]>('/api/data/boards');
    expect(boards.map(({ title }) => title)).toEqual(['Inbox', 'My week', 'Team reviews']);
    expect(await two.get('/api/data/boards')).toHaveLength(3);
    for (const view of views) {
      expect(
        (await one.get<{ count: number }>(`/api/data/views/aggregate/${view._id}`)).count,
      ).toBeGreaterThan(0);
      expect((await two.call('GET', `/api/data/views/aggregate/${view._id}`)).status).toBe(404);
    }
  });
});

// @covers 8.rate-limited-sign-in
describe('a rate-limited navigation', () => {
  const SENTENCE = 'Too many requests. Wait a little, then try again.';
  const SIGN_IN = `/?res=${encodeURIComponent(JSON.stringify({ token: null, error: SENTENCE }))}`;
  const CONNECT = '/dashboard/integrations/providers?provider=';

  it.each([
    ['a sign-in', '/auth/google', '', SIGN_IN],
    ['a sign-in with a leftover cookie', '/auth/google?intent=sign-in', 'dd-session=x', SIGN_IN],
    ['the return of a sign-in', '/auth/google/callback?state=x&code=y', '', SIGN_IN],
    ['a printed link', '/auth/link/abc', '', SIGN_IN],
    ['a connect', '/auth/github', 'dd-session=x', CONNECT],
    ['the return of a connect', '/auth/github/callback?state=x&code=y', 'dd-session=x', CONNECT],
  ])('leads %s back to the screen that reports it', async (_, path, cookie, expected) => {
    let location: string | null = null;
    for (let call = 0; call < 70 && location !== expected; call++) {
      const answer = await fetch(server.url + path, { redirect: 'manual', headers: { cookie } });
      expect(answer.status).toBe(303);
      location = answer.headers.get('location');
    }
    expect(location).toBe(expected);
  });
});
