import type { FaultName } from '@datadeck/sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('a connect that goes wrong leads back as failed, and leaves the connection as it was:', () => {
  async function expectRefused(from: Collection, name: FaultName, path = /./): Promise<void> {
    const fault = stage.fault({ name, match: { api: from.oauth, path } });
    expect(await stage.reconnect(from)).toBe('');
    expect(fault.hits).toBe(1);
    expect(await stage.connection(from)).toBe('connected');
    await expectComplete(from);
  }

  // @covers authorisation.consent-denied authorisation.wrong-state authorisation.code-reused
  test.each(withBothProviders(['consent-denied', 'wrong-state', 'code-reused'] as const))(
    '%s at %s is refused',
    (name, api) => expectRefused(stage[api], name),
  );

  // @covers life.provider-down-connect
  test.each(withBothProviders(['http-503', 'connection-reset'] as const))(
    '%s when %s is asked for tokens is reported',
    (name, api) => expectRefused(stage[api], name, /token/),
  );

  // @covers authorisation.partial-scope-google (partial-scope at gmail is refused)
  // @covers authorisation.wrong-nonce-id (id-token-wrong-nonce at gmail is refused)
  // @covers authorisation.wrong-audience-id (id-token-wrong-audience at gmail is refused)
  // @covers authorisation.wrong-issuer-id (id-token-wrong-issuer at gmail is refused)
  // @covers authorisation.wrong-expiry-id (id-token-expired at gmail is refused)
  // @covers authorisation.wrong-signature-id (id-token-wrong-signature at gmail is refused)
  test.each([
    'partial-scope',
    'id-token-wrong-nonce',
    'id-token-wrong-audience',
    'id-token-wrong-issuer',
    'id-token-expired',
    'id-token-wrong-signature',
  ] as const)('%s at gmail is refused', (name) => expectRefused(stage.gmail, name));
});

// @covers authorisation.partial-scope-github
test('partial-scope at github: a scope that nothing needs may be missing', async () => {
  stage.fault({ name: 'partial-scope', match: { api: 'github-oauth' } });
  expect(await stage.reconnect(stage.github)).toBe('github');
  await expectComplete(stage.github);
});

// @covers authorisation.key-rotation
test('key-rotated: a connect finds the key that was made just now', async () => {
  stage.fault({ name: 'key-rotated' });
  expect(await stage.reconnect(stage.gmail)).toBe('google');
  await expectComplete(stage.gmail);
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

// @covers authorisation.token-refused-between
test.each(BOTH)(
  'token-expired between two requests at %s: renewed once, and nothing is missing',
  async (api) => {
    const from = stage[api];
    await prepare(from);
    stage.fault({ name: 'token-expired', match: { api }, afterRequests: 1 });
    await expectComplete(from);
    expect(countRenewals(from)).toBe(1);
  },
);

// @covers authorisation.token-about-run
test.each(BOTH)('short-token-lifetime at %s: renewed before it is used', async (api) => {
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
test('a provider that is slow to renew tokens delays neither pages nor renewed connections', async () => {
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
test('refresh-token-rotates: each renewal takes the token that the last one brought', async () => {
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
test.each<readonly [FaultName, 'gmail' | 'github']>([
  ...withBothProviders<FaultName>(['invalid-grant', 'rotated-refresh-token-lost']),
  // Here, the old refresh token is no longer valid.
  ['truncated-json', 'github'],
])(
  '%s at %s during a run: it fails and asks to connect again, after which nothing is missing',
  async (name, api) => {
    const from = stage[api];
    await prepare(from);
    // The token is rejected at the second request, and once more if the old one is sent again.
    stage.fault({ name: 'token-expired', match: { api }, afterRequests: 1, times: 2 });
    const fault = stage.fault({ name, match: { api: from.oauth, path: /token/ } });
    await expectReconnect(from);
    expect(fault.hits).toBe(1);
  },
);

// @covers authorisation.invalid-grant-late
test.each(BOTH)(
  'invalid-grant at %s while somebody connects again: the new grant stays connected',
  async (api) => {
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
  },
);

// @covers authorisation.refresh-token-google
test('no-refresh-token: the run after the access has lapsed asks to connect again', async () => {
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
test.each<readonly [FaultName, 'gmail' | 'github']>([
  ...withBothProviders<FaultName>(['http-503', 'connection-reset']),
  ['truncated-json', 'gmail'],
])(
  '%s when tokens are renewed at %s: tried again; for long the run fails, the connection stays',
  async (name, api) => {
    const from = stage[api];
    await prepare(from);
    expireTokens(from);
    const order = { name, match: { api: from.oauth, path: /token/ } };
    stage.fault(order);
    await expectComplete(from);
    from.insert();
    expireTokens(from);
    const lasting = stage.fault({ ...order, times: UNTIL_REMOVED });
    const ended = await stage.run(from);
    lasting.remove();
    expect(ended.status).toBe('failed');
    expect(ended.summary.errMessage).toMatch(/Try again later/);
    expect(await stage.connection(from)).toBe('connected');
    await expectComplete(from);
  },
);

describe('the end of a grant', () => {
  const grants = () => {
    const { requests } = stage.server.control.counters();
    return requests['github DELETE /applications/:clientId/grant'] ?? 0;
  };
  const tokens = async (client: Client) => {
    const { rows } = await stage.server.product.context.db.execute<{ sealed: number }>(
      sql`select count(credentials)::int as sealed from connections c join users u on u.id = c.user_id
          where u.email = ${(await client.get<{ email: string }>('/api/accounts')).email} and provider = 'github'`,
    );
    return rows[0]?.sealed;
  };

  // @covers authorisation.revoking-fails
  test('revoke-fails: a disconnect forgets the tokens all the same, and connecting again finds the data', async () => {
    const { github } = stage;
    await prepare(github);
    const before = await stage.stored(github);
    const failing = stage.fault({ name: 'revoke-fails', match: { api: 'github' } });
    await stage.client.post('/api/integrations/providers/disconnect?provider=github');
    expect([failing.hits, await tokens(stage.client)]).toEqual([1, 0]);
    expect(await stage.connection(github)).toBeNull();
    expect(await stage.stored(github)).toEqual(before);
    expect(await stage.reconnect(github)).toBe('github');
    await expectComplete(github);
  });

  // @covers authorisation.revoking-fails
  test('revoke-fails: an account is deleted all the same, with everything it had', async () => {
    const failing = stage.fault({ name: 'revoke-fails', times: UNTIL_REMOVED });
    await stage.client.json('DELETE', '/api/accounts/delete-account');
    expect(failing.hits).toBe(2);
    expect((await stage.client.call('GET', '/api/accounts')).status).toBe(401);
    expect(await stage.stored(stage.gmail)).toEqual([]);
    await stage.enter();
    await expectComplete(stage.gmail);
  });

  // @covers 10.disconnects-does-end authorisation.same-provider-account
  test('the same account of two users: one disconnects, the other keeps access; the last one ends the grant', async () => {
    const { github } = stage;
    await prepare(github);
    const jonas = await new Client(stage.server).signIn('jonas.weber@sandbox.example');
    expect(await jonas.connect('github', 'ada-nowak')).toBe('github');
    stage.server.control.resetCounters();
    await jonas.post('/api/integrations/providers/disconnect?provider=github');
    expect([await tokens(jonas), grants()]).toEqual([0, 0]);
    await expectComplete(github);
    await stage.client.post('/api/integrations/providers/disconnect?provider=github');
    expect([await tokens(stage.client), grants()]).toEqual([0, 1]);
    expect(await jonas.connect('github', 'ada-nowak')).toBe('github');
    await stage.reconnect(github);
    await jonas.json('DELETE', '/api/accounts/delete-account');
    expect(grants()).toBe(1);
    await expectComplete(github);
  });
});

// @covers authorisation.another-e-mail
test('another e-mail address with the same subject: connecting again finds the data, under the new address', async () => {
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
