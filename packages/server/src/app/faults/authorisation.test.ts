import type { FaultName } from '@datadeck/test-sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADA, type Collection, FaultStage } from '../../../test-support/fault-stage.ts';
import { SYNCS, until } from '../../../test-support/syncing.ts';
import { Client } from '../../../test-support/test-server.ts';

const UNTIL_REMOVED = Number.POSITIVE_INFINITY;
/** Longer than any test: the fault lasts until it is removed. */
const ENDLESS_LATENCY = { milliseconds: 600_000 };
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
  stage.server.control.github.setExpiringTokens(true);
});
afterAll(() => stage?.close());
beforeEach(() => stage.server.control.clearFaults());

const BOTH = ['gmail', 'github'] as const;
const withBothProviders = <T>(names: readonly T[]) =>
  names.flatMap((name) => BOTH.map((api) => [name, api] as const));

/** Runs a sync and expects that it stores everything. */
async function expectComplete(from: Collection): Promise<void> {
  expect(await stage.run(from)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(from)).toEqual(from.ids());
}

describe('connecting a provider', () => {
  async function expectRefused(from: Collection, name: FaultName, path = /./): Promise<void> {
    const fault = stage.fault({ name, match: { api: from.oauth, path } });
    expect(await stage.reconnect(from)).toBe('');
    expect(fault.hits).toBe(1);
    expect(await stage.connection(from)).toBe('connected');
    await expectComplete(from);
  }

  // @covers authorisation.consent-denied authorisation.wrong-state authorisation.code-reused
  it.each(withBothProviders(['consent-denied', 'wrong-state', 'code-reused'] as const))(
    'refuses %s at %s and keeps the connection',
    (name, api) => expectRefused(stage[api], name),
  );

  // @covers life.provider-down-connect
  it.each(withBothProviders(['http-503', 'connection-reset'] as const))(
    'reports %s at the token endpoint of %s and keeps the connection',
    (name, api) => expectRefused(stage[api], name, /token/),
  );

  // @covers authorisation.partial-scope-google (refuses partial-scope at gmail and keeps the connection)
  // @covers authorisation.wrong-nonce-id (refuses id-token-wrong-nonce at gmail and keeps the connection)
  // @covers authorisation.wrong-audience-id (refuses id-token-wrong-audience at gmail and keeps the connection)
  // @covers authorisation.wrong-issuer-id (refuses id-token-wrong-issuer at gmail and keeps the connection)
  // @covers authorisation.wrong-expiry-id (refuses id-token-expired at gmail and keeps the connection)
  // @covers authorisation.wrong-signature-id (refuses id-token-wrong-signature at gmail and keeps the connection)
  it.each([
    'partial-scope',
    'id-token-wrong-nonce',
    'id-token-wrong-audience',
    'id-token-wrong-issuer',
    'id-token-expired',
    'id-token-wrong-signature',
  ] as const)('refuses %s at gmail and keeps the connection', (name) => expectRefused(stage.gmail, name));

  // @covers authorisation.partial-scope-github
  it('accepts a missing scope that nothing needs (partial-scope at github)', async () => {
    stage.fault({ name: 'partial-scope', match: { api: 'github-oauth' } });
    expect(await stage.reconnect(stage.github)).toBe('github');
    await expectComplete(stage.github);
  });

  // @covers authorisation.key-rotation
  it('finds a signing key rotated a moment ago (key-rotated)', async () => {
    stage.fault({ name: 'key-rotated' });
    expect(await stage.reconnect(stage.gmail)).toBe('google');
    await expectComplete(stage.gmail);
  });
});

/** Connects again, stores some records, and adds a new one at the provider. */
async function prepare(from: Collection): Promise<void> {
  await stage.clear(from);
  await stage.reconnect(from);
  await expectComplete(from);
  from.insert();
  stage.server.control.resetCounters();
}

/** Expires the access tokens; a renewal returns a valid one. */
function expireTokens({ api }: Collection): void {
  const { google, github } = stage.server.control;
  if (api === 'gmail') google.expireAccessTokens();
  else github.expireAccessTokens();
}

/** Returns the number of token requests to the provider. */
function countRenewals(from: Collection): number {
  const { requests } = stage.server.control.counters();
  const path = from.api === 'gmail' ? 'google POST /token' : 'github-oauth POST /login/oauth/access_token';
  return requests[path] ?? 0;
}

describe('token renewal', () => {
  // @covers authorisation.token-refused-between
  it.each(BOTH)('happens once on token-expired at %s, and the run misses nothing', async (api) => {
    const from = stage[api];
    await prepare(from);
    stage.fault({ name: 'token-expired', match: { api }, afterRequests: 1 });
    await expectComplete(from);
    expect(countRenewals(from)).toBe(1);
  });

  // @covers authorisation.token-about-run
  it.each(BOTH)('happens before a token of %s expires (short-token-lifetime)', async (api) => {
    const from = stage[api];
    await prepare(from);
    stage.fault({ name: 'short-token-lifetime', match: { api: from.oauth }, options: { seconds: 30 } });
    await stage.reconnect(from);
    stage.server.control.resetCounters();
    await expectComplete(from);
    expect(countRenewals(from)).toBe(1);
    expect(stage.server.control.counters().statuses[`${api} 401`]).toBeUndefined();
  });

  // @covers authorisation.provider-slow-renew
  it('happens once for concurrent requests and, when slow, delays no others', async () => {
    const { gmail, client } = stage;
    await prepare(gmail);
    expireTokens(gmail);

    const match = { api: 'google' as const, path: /\/token/ };
    const slow = stage.fault({ name: 'latency', match, options: ENDLESS_LATENCY, times: UNTIL_REMOVED });
    const body = { providerId: 'google', entityLabel: gmail.entity, entitySettings: gmail.settings };
    let planned = 0;
    const plans = Array.from({ length: 20 }, () => client.post(`${SYNCS}/plan`, body).then(() => planned++));

    await until(() => slow.hits > 0);
    // Lets the other plans wait for the same renewal.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await client.get('/api/accounts');

    expect([planned, slow.hits]).toEqual([0, 1]);

    slow.remove();
    await Promise.all(plans);
    expect(countRenewals(gmail)).toBe(1);
  });

  // @covers authorisation.refresh-token-rotates
  it('sends the refresh token of the previous renewal (refresh-token-rotates)', async () => {
    const { gmail } = stage;
    await prepare(gmail);
    stage.fault({ name: 'refresh-token-rotates', times: UNTIL_REMOVED });
    for (let renewal = 1; renewal <= 3; renewal++) {
      gmail.insert();
      expireTokens(gmail);
      await expectComplete(gmail);
      expect(countRenewals(gmail)).toBe(renewal);
    }
  });

  /** Expects that the run fails and asks to connect again, and that after reconnecting nothing is missing. */
  async function expectReconnect(from: Collection): Promise<void> {
    const before = await stage.stored(from);
    const ended = await stage.run(from);
    expect(ended.status).toBe('failed');
    expect(ended.summary.errMessage).toMatch(
      /no longer accepts the access it granted\. Connect (Gmail|GitHub) again\./,
    );
    expect(await stage.connection(from)).toBe('reconnect-needed');
    expect(await stage.stored(from)).toEqual(expect.arrayContaining(before));
    stage.server.control.clearFaults();
    stage.server.control.resetCounters();
    const { entity, settings, provider } = from;
    const body = { providerId: provider, entityLabel: entity, entitySettings: settings };
    const refused = await stage.client.call('POST', SYNCS, body);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: 'reconnect-needed' } },
    ]);
    expect(stage.server.control.counters().requests).toEqual({});
    expect(await stage.reconnect(from)).toBe(provider);
    await expectComplete(from);
  }

  // @covers authorisation.invalid-grant-middle authorisation.rotated-refresh-token
  it.each<readonly [FaultName, 'gmail' | 'github']>([
    ...withBothProviders<FaultName>(['invalid-grant', 'rotated-refresh-token-lost']),
    // Here, the old refresh token is no longer valid.
    ['truncated-json', 'github'],
  ])('fails on %s at %s until the user connects again, and misses nothing', async (name, api) => {
    const from = stage[api];
    await prepare(from);
    // The token is rejected at the second request, and once more if the old one is sent again.
    stage.fault({ name: 'token-expired', match: { api }, afterRequests: 1, times: 2 });
    const fault = stage.fault({ name, match: { api: from.oauth, path: /token/ } });
    await expectReconnect(from);
    expect(fault.hits).toBe(1);
  });

  // @covers authorisation.invalid-grant-late
  it.each(BOTH)('keeps a new grant when invalid-grant at %s rejects the old one late', async (api) => {
    const from = stage[api];
    await prepare(from);
    expireTokens(from);

    const renewal = { match: { api: from.oauth, path: /token/ } };
    stage.fault({ name: 'latency', ...renewal, options: { milliseconds: 2000 } });
    const fault = stage.fault({ name: 'invalid-grant', ...renewal });
    const body = { providerId: from.provider, entityLabel: from.entity, entitySettings: from.settings };
    const planned = stage.client.call('POST', `${SYNCS}/plan`, body);
    await until(() => countRenewals(from) === 1);

    expect(await stage.reconnect(from)).toBe(from.provider);
    expect((await planned).status).toBe(409);
    expect(fault.hits).toBe(1);
    expect(await stage.connection(from)).toBe('connected');
    await expectComplete(from);
  });

  // @covers authorisation.refresh-token-google
  it('asks to connect again when a grant without refresh token expires', async () => {
    const { gmail } = stage;
    await stage.client.post('/api/integrations/entities/delete-all-data?provider=google');
    await stage.server.product.context.db.execute(sql`delete from connections where provider = 'google'`);
    stage.fault({ name: 'no-refresh-token' });
    expect(await stage.reconnect(gmail)).toBe('google');
    await expectComplete(gmail);
    gmail.insert();
    expireTokens(gmail);
    await expectReconnect(gmail);
  });

  // @covers authorisation.provider-fails-tokens
  it.each<readonly [FaultName, 'gmail' | 'github']>([
    ...withBothProviders<FaultName>(['http-503', 'connection-reset']),
    ['truncated-json', 'gmail'],
  ])('retries %s at %s, and keeps the connection when the fault lasts', async (name, api) => {
    const from = stage[api];
    await prepare(from);
    expireTokens(from);
    const fault = { name, match: { api: from.oauth, path: /token/ } };
    stage.fault(fault);
    await expectComplete(from);

    from.insert();
    expireTokens(from);
    const lasting = stage.fault({ ...fault, times: UNTIL_REMOVED });
    const ended = await stage.run(from);
    lasting.remove();

    expect(ended.status).toBe('failed');
    expect(ended.summary.errMessage).toMatch(/Try again later/);
    expect(await stage.connection(from)).toBe('connected');
    await expectComplete(from);
  });
});

describe('revoking a grant', () => {
  const countRevocations = () => {
    const { requests } = stage.server.control.counters();
    return requests['github DELETE /applications/:clientId/grant'] ?? 0;
  };
  const countTokens = async (client: Client) => {
    const { rows } = await stage.server.product.context.db.execute<{ sealed: number }>(
      sql`select count(credentials)::int as sealed from connections c join users u on u.id = c.user_id
          where u.email = ${(await client.get<{ email: string }>('/api/accounts')).email} and provider = 'github'`,
    );
    return rows[0]?.sealed;
  };

  // @covers authorisation.revoking-fails
  it('deletes the tokens on disconnect even if it fails (revoke-fails)', async () => {
    const { github } = stage;
    await prepare(github);
    const before = await stage.stored(github);

    const failing = stage.fault({ name: 'revoke-fails', match: { api: 'github' } });
    await stage.client.post('/api/integrations/providers/disconnect?provider=github');
    expect([failing.hits, await countTokens(stage.client)]).toEqual([1, 0]);
    expect(await stage.connection(github)).toBeNull();
    expect(await stage.stored(github)).toEqual(before);

    expect(await stage.reconnect(github)).toBe('github');
    await expectComplete(github);
  });

  // @covers authorisation.revoking-fails
  it('lets the account be deleted even if it fails (revoke-fails)', async () => {
    const failing = stage.fault({ name: 'revoke-fails', times: UNTIL_REMOVED });
    await stage.client.json('DELETE', '/api/accounts/delete-account');
    expect(failing.hits).toBe(2);
    expect((await stage.client.call('GET', '/api/accounts')).status).toBe(401);
    expect(await stage.stored(stage.gmail)).toEqual([]);
    await stage.enter();
    await expectComplete(stage.gmail);
  });

  // @covers authorisation.same-provider-account
  it('waits until the last of two users with the same account disconnects', async () => {
    const { github } = stage;
    await prepare(github);
    const jonas = await new Client(stage.server).signIn('jonas.weber@sandbox.example');
    expect(await jonas.connect('github', 'ada-nowak')).toBe('github');

    stage.server.control.resetCounters();
    await jonas.post('/api/integrations/providers/disconnect?provider=github');
    expect([await countTokens(jonas), countRevocations()]).toEqual([0, 0]);
    await expectComplete(github);

    await stage.client.post('/api/integrations/providers/disconnect?provider=github');
    expect([await countTokens(stage.client), countRevocations()]).toEqual([0, 1]);

    expect(await jonas.connect('github', 'ada-nowak')).toBe('github');
    await stage.reconnect(github);
    await jonas.json('DELETE', '/api/accounts/delete-account');
    expect(countRevocations()).toBe(1);
    await expectComplete(github);
  });
});

describe('connecting again', () => {
  // @covers authorisation.another-e-mail
  it('finds the data after the e-mail address of the account changed', async () => {
    const { gmail } = stage;
    await prepare(gmail);
    const before = await stage.stored(gmail);

    const { google } = stage.server.control;
    const address = 'ada@elsewhere.example';
    google.changeEmail(ADA, address);
    try {
      expect(await stage.client.connect('google', address)).toBe('google');
      expect(await stage.stored(gmail)).toEqual(before);
      const [card] = await stage.client.get<{ connection: { account: string } }[]>(
        '/api/integrations/providers',
      );
      expect(card?.connection.account).toBe(address);
      expect(await stage.run(gmail)).toMatchObject({
        status: 'finished',
        summary: { incremental: true, added: 1 },
      });
    } finally {
      google.changeEmail(address, ADA);
    }
  });
});
