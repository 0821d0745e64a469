import type { Profile, SignInPreview } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { findOrCreateUser } from '../features/accounts/index.ts';

let server: TestServer;
const ADA = 'ada.nowak@sandbox.example';

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());

function visitSignIn(client: Client, token: string, method: 'GET' | 'POST') {
  const headers = { authorization: `Bearer ${token}` };
  return client.navigator.visit(`${server.url}/auth/sign-in`, { method, headers });
}

describe('the sign-in token', () => {
  it('shows its account and that this browser began the sign-in', async () => {
    const browser = new Client(server);
    const token = await browser.returnFromSignIn(ADA);
    const seen = JSON.parse((await visitSignIn(browser, token, 'GET')).html) as SignInPreview;
    expect(seen).toEqual({ name: 'Ada Nowak', email: ADA, beganHere: true });
  });

  it('reports to another browser that it did not begin the sign-in', async () => {
    const token = await new Client(server).returnFromSignIn(ADA);
    const other = new Client(server);
    expect(JSON.parse((await visitSignIn(other, token, 'GET')).html)).toMatchObject({ beganHere: false });
    await other.returnFromSignIn(ADA);
    expect(JSON.parse((await visitSignIn(other, token, 'GET')).html)).toMatchObject({ beganHere: false });
  });

  // @covers 2.token-res-exchanged
  it('is exchanged once for a session token', async () => {
    const browser = new Client(server);
    const token = await browser.returnFromSignIn(ADA);
    const first = await visitSignIn(browser, token, 'POST');
    browser.token = (JSON.parse(first.html) as { token: string }).token;
    expect(await browser.get<Profile>('/api/accounts')).toMatchObject({ email: ADA });
    expect((await visitSignIn(browser, token, 'POST')).status).toBe(401);
    expect((await visitSignIn(browser, token, 'GET')).status).toBe(401);
  });

  it('is exchanged once when two requests race', async () => {
    const browser = new Client(server);
    const token = await browser.returnFromSignIn(ADA);
    const answers = await Promise.all([1, 2, 3, 4].map(() => visitSignIn(browser, token, 'POST')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('is accepted only by its exchange', async () => {
    const browser = new Client(server);
    browser.token = await browser.returnFromSignIn(ADA);
    expect((await browser.call('GET', '/api/accounts')).status).toBe(401);
    expect((await browser.navigator.visit(`${server.url}/auth/github`)).url.search).toContain('res=');
  });

  // @covers 2.token-res-expires
  it('expires after 60 seconds', async () => {
    const { $client } = server.product.context.db;
    const browser = new Client(server);
    const token = await browser.returnFromSignIn(ADA);
    const { rows } = await $client.query<{ left: number }>(
      'select extract(epoch from max(expires_at) - now())::float as left from sign_in_tokens',
    );
    expect(rows[0]?.left).toBeGreaterThan(0);
    expect(rows[0]?.left).toBeLessThanOrEqual(60);
    await $client.query("update sign_in_tokens set expires_at = expires_at - interval '61 seconds'");
    expect((await visitSignIn(browser, token, 'GET')).status).toBe(401);
    expect((await visitSignIn(browser, token, 'POST')).status).toBe(401);
  });

  it('cannot be replaced by a session token', async () => {
    const ada = await new Client(server).signIn(ADA);
    expect((await visitSignIn(ada, ada.token, 'GET')).status).toBe(401);
    expect((await visitSignIn(ada, ada.token, 'POST')).status).toBe(401);
  });

  it('ends the previous session of the browser', async () => {
    const browser = await new Client(server).signIn(ADA);
    const before = browser.token;
    browser.token = await browser.returnFromSignIn(ADA);
    await browser.exchange();
    expect((await browser.call('GET', '/api/accounts')).status).toBe(200);
    browser.token = before;
    expect((await browser.call('GET', '/api/accounts')).status).toBe(401);
  });
});

describe('GET /auth/demo', () => {
  it('refuses a caller with a session', async () => {
    const ada = await new Client(server).signIn(ADA);
    const answer = await ada.call('GET', '/auth/demo');
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'already-signed-in' } });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  // @covers 2.demo-login-never
  it('keeps the session of a signed-in browser', async () => {
    const ada = await new Client(server).signIn(ADA);
    await ada.navigator.visit(`${server.url}/auth/demo`);
    expect((await ada.call('GET', '/api/accounts')).status).toBe(200);
    expect(await ada.connect('github', 'ada-nowak')).toBe('github');
  });
});

describe('an identity without e-mail address or name', () => {
  const identity = { issuer: 'https://issuer.example', subject: 'sparse', email: '', name: '' };

  it('keeps the stored address and name', async () => {
    const { context } = server.product;
    const known = { ...identity, subject: 'known', email: 'a@mail.example', name: 'A' };
    const { id } = await findOrCreateUser(context, known, 'google');
    const again = await findOrCreateUser(context, { ...known, email: '', name: '' }, 'google');
    expect(again).toMatchObject({ id, email: 'a@mail.example', name: 'A' });
  });

  it('uses the subject as the name of a new account', async () => {
    expect(await findOrCreateUser(server.product.context, identity, 'google')).toMatchObject({
      email: '',
      name: 'sparse',
    });
  });
});

describe('the request limit per address', () => {
  it('ignores X-Forwarded-For without a trusted proxy', async () => {
    const alone = await startTestServer({ TRUSTED_PROXIES: '' });
    try {
      const statuses = new Set<number>();
      for (let n = 0; n < 31; n++) {
        const headers = { 'x-forwarded-for': `203.0.113.${n}` };
        statuses.add((await fetch(`${alone.url}/auth/demo`, { headers })).status);
      }
      expect([...statuses]).toEqual([200, 429]);
    } finally {
      await alone.remove();
    }
  });
});
