import type { Product, Profile, Provider } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type OpenIdProvider,
  signInAtIssuer,
  startOpenIdProvider,
} from '../../test-support/open-id-provider.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { issueLinkToken, linkedUser } from '../features/accounts/index.ts';
import { findFreePort } from './http/listen.ts';

let server: TestServer;
let home: OpenIdProvider;
let work: OpenIdProvider;

beforeAll(async () => {
  const port = await findFreePort('127.0.0.1');
  const callback = (key: string) => `http://127.0.0.1:${port}/auth/${key}/callback`;
  home = await startOpenIdProvider(callback('home'));
  work = await startOpenIdProvider(callback('work'));
  home.people.ada = { email: 'ada@mail.example', name: 'Ada at home' };
  work.people.ada = { email: 'ada@mail.example', name: 'Ada in the office' };
  const settings = [home.setting('home', 'Home'), work.setting('work', 'Work')];
  server = await startTestServer({ PORT: String(port), OIDC_PROVIDERS: JSON.stringify(settings) });
});
afterAll(async () => {
  await server?.remove();
  await home?.close();
  await work?.close();
});

interface Result {
  token: string | null;
  error: string | null;
}

function resultIn(page: { url: URL }): Result {
  return JSON.parse(page.url.searchParams.get('res') ?? '{}') as Result;
}

/** Signs in at an issuer. @returns what the login screen receives in `res` */
async function resultOf(client: Client, key: string, subject = 'ada'): Promise<Result> {
  return resultIn(await signInAtIssuer(client.navigator, `${server.url}/auth/${key}`, subject));
}

async function signIn(key: string, subject = 'ada'): Promise<Profile> {
  const client = new Client(server);
  const { token, error } = await resultOf(client, key, subject);
  if (token === null) throw new Error(error ?? 'no token');
  client.token = token;
  return (await client.exchange()).get<Profile>('/api/accounts');
}

/** Begins a sign-in. @returns the issuer's address, not yet opened */
async function startedAt(client: Client, key: string): Promise<URL> {
  const provider = key === 'home' ? home : work;
  provider.replace((request, response) => {
    if (request.url?.startsWith('/auth')) response.end('stopped');
    else response.destroy();
  });
  try {
    return (await client.navigator.visit(`${server.url}/auth/${key}`)).url;
  } finally {
    provider.replace(undefined);
  }
}

describe('sign-in with an OpenID Connect provider', () => {
  it('creates an account and finds it again', async () => {
    const first = await signIn('home');
    expect(first).toMatchObject({
      name: 'Ada at home',
      email: 'ada@mail.example',
      status: 'standard',
      signInProvider: 'home',
    });
    expect((await signIn('home'))._id).toBe(first._id);
  });

  it('creates separate accounts for the same e-mail address at two issuers', async () => {
    const [home, work] = [await signIn('home'), await signIn('work')];
    expect(home.email).toBe(work.email);
    expect(home._id).not.toBe(work._id);
  });

  it('finds the account by its subject after a change of e-mail address', async () => {
    home.people.grace = { email: 'grace@mail.example', name: 'Grace' };
    const before = await signIn('home', 'grace');
    home.people.grace.email = 'hopper@mail.example';
    expect(await signIn('home', 'grace')).toEqual({ ...before, email: 'hopper@mail.example' });
  });

  it('ignores an unverified e-mail address', async () => {
    home.people.eve = { email: 'ada@mail.example', email_verified: false, name: 'Eve' };
    expect(await signIn('home', 'eve')).toMatchObject({ email: '', name: 'Eve' });
  });

  it('refuses a callback with another state', async () => {
    const client = new Client(server);
    const page = await client.navigator.visit(`${server.url}/auth/home/callback?code=x&state=y`);
    expect(resultIn(page)).toMatchObject({ token: null, error: expect.stringContaining('Try again') });
  });

  it('refuses an ID token with another nonce', async () => {
    const client = new Client(server);
    const address = await startedAt(client, 'home');
    address.searchParams.set('nonce', 'of-another-sign-in');
    expect(resultIn(await signInAtIssuer(client.navigator, address, 'ada'))).toEqual({
      token: null,
      error: 'Home sent an answer that cannot be trusted (OAUTH_JWT_CLAIM_COMPARISON_FAILED).',
    });
  });

  it('refuses the answer of one issuer at the callback of another', async () => {
    const client = new Client(server);
    const address = await startedAt(client, 'home');
    const page = await client.navigator.visit(
      `${server.url}/auth/work/callback?code=x&state=${address.searchParams.get('state')}`,
    );
    expect(resultIn(page)).toMatchObject({ token: null });
    const mixed = await startedAt(client, 'home');
    const iss = encodeURIComponent(work.issuer);
    const state = mixed.searchParams.get('state');
    const answer = await client.navigator.visit(
      `${server.url}/auth/home/callback?code=x&state=${state}&iss=${iss}`,
    );
    expect(resultIn(answer)).toMatchObject({
      token: null,
      error: expect.stringContaining('cannot be trusted'),
    });
  });

  it('refuses a sign-in that another browser began', async () => {
    const address = await startedAt(new Client(server), 'home');
    const victim = new Client(server);
    expect(resultIn(await signInAtIssuer(victim.navigator, address, 'ada'))).toMatchObject({ token: null });
  });

  it('reports that the person denied consent', async () => {
    const client = new Client(server);
    const page = await client.navigator.visit(`${server.url}/auth/home`);
    const abort = page.html.match(/href="([^"]+\/abort)"/)?.[1] ?? '';
    expect(resultIn(await client.navigator.visit(new URL(abort, page.url)))).toEqual({
      token: null,
      error: 'Home did not grant access (access_denied).',
    });
  });

  it('accepts a signing key that was rotated a moment ago', async () => {
    await signIn('home');
    home.rotateKeys();
    await signIn('home');
  });

  it('never connects a provider', async () => {
    const client = new Client(server);
    client.token = (await resultOf(client, 'home')).token ?? '';
    await client.exchange();
    expect(await resultOf(client, 'home')).toMatchObject({ token: expect.any(String) });
  });
});

describe('GET /api/product', () => {
  it('lists the sandbox and the configured providers', async () => {
    const { signInProviders } = await new Client(server).get<Product>('/api/product');
    expect(signInProviders).toEqual([
      { identifier: 'google', title: 'Google' },
      { identifier: 'home', title: 'Home' },
      { identifier: 'work', title: 'Work' },
    ]);
  });
});

describe('a server whose only provider is an issuer that does not answer', () => {
  it('starts, leaves Google out, and says what is wrong', async () => {
    const port = await findFreePort('127.0.0.1');
    const issuer = `http://127.0.0.1:${port}`;
    const setting = { key: 'down', title: 'Keycloak', issuer, clientId: 'x', clientSecret: 'y' };
    const alone = await startTestServer({ OIDC_PROVIDERS: JSON.stringify([setting]), SANDBOX: 'off' });
    try {
      const problem = 'Keycloak could not be reached. Try again later.';
      const { url } = await new Client(alone).navigator.visit(`${alone.url}/auth/down`);
      expect(resultIn({ url })).toEqual({ token: null, error: problem });
      expect(await new Client(alone).get<Product>('/api/product')).toMatchObject({
        signInProviders: [{ identifier: 'down', title: 'Keycloak', problem }],
        sandbox: false,
      });
      const google = await new Client(alone).navigator.visit(`${alone.url}/auth/google`);
      expect(resultIn(google)).toMatchObject({ token: null });
    } finally {
      await alone.remove();
    }
  });
});

describe('a server with nothing configured and no sandbox', () => {
  it('offers neither Google nor Gmail, and says what to do', async () => {
    const bare = await startTestServer({ SANDBOX: 'off' });
    try {
      const client = new Client(bare);
      const { signInProviders } = await client.get<Product>('/api/product');
      expect(signInProviders).toEqual([]);
      const page = await client.navigator.visit(`${bare.url}/auth/google`);
      expect(resultIn(page)).toMatchObject({ token: null, error: expect.stringContaining('not set up') });

      const { db } = bare.product.context;
      const user = await linkedUser(db, 'owner@localhost');
      client.token = await issueLinkToken(db, user.id);
      await client.exchange();
      const providers = await client.get<Provider[]>('/api/integrations/providers');
      expect(providers.find(({ key }) => key === 'google')?.unavailable).toContain('GOOGLE_CLIENT_ID');
      expect(providers.find(({ key }) => key === 'imap')?.unavailable).toBeUndefined();
      const connect = await client.navigator.visit(`${bare.url}/auth/google`);
      expect(connect.url.searchParams.get('provider')).toBe('');
    } finally {
      await bare.remove();
    }
  });
});
