import type { Notifications, Provider } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { runSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { parseConfig } from '../platform/config/config.ts';
import { configuredEndpoints, createRegistry } from './connector-registry.ts';
import { runHousekeeping } from './housekeeping.ts';

const EMAIL = 'ada.nowak@sandbox.example';
const LOGIN = 'ada-nowak';
const VAULT = { owner: 'aurora-labs', repo: 'vault' };
const DAY_MS = 86_400_000;
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(EMAIL);
});
afterAll(() => server?.remove());
beforeEach(() => server.control.reset());

async function github(): Promise<Provider> {
  const all = await ada.json<Provider[]>('GET', '/api/integrations/providers');
  const card = all.find(({ key }) => key === 'github');
  if (!card) throw new Error('there is no card of GitHub');
  return card;
}

function connect(token: string, more: Record<string, string> = {}): Promise<Response> {
  return ada.call('POST', '/api/integrations/connections/github', { values: { token, ...more } });
}

const secondsFromNow = (ms: number) => Math.round((Date.now() + ms) / 1000);
const syncVault = () => runSync(ada, 'gh-pulls', VAULT);

describe('a connection with a GitHub token', () => {
  it('is offered beside the consent page, stored encrypted and never sent back', async () => {
    expect(await github()).toMatchObject({
      consent: { access: [{ value: 'private', isGranted: false }] },
      form: { action: 'Use a token', fields: [{ name: 'token', type: 'token' }, { name: 'repository' }] },
    });
    const token = server.control.github.createToken(LOGIN);
    expect((await connect(token)).status).toBe(200);
    const card = await github();
    expect(card.connection).toMatchObject({
      status: 'connected',
      account: LOGIN,
      method: 'form',
      access: 'Repositories of a fine-grained token',
      expiresAt: null,
    });
    const { rows } = await server.product.context.db.execute(sql`select * from connections`);
    expect(JSON.stringify([card, rows])).not.toContain(token.slice(0, 40));
    expect(await syncVault()).toMatchObject({ status: 'finished' });
  });

  it.each([
    ['no-token', 'A token begins with github_pat_ or ghp_ and has no spaces. Copy all of it.'],
    [`ghp_${'a'.repeat(36)}`, /^GitHub does not accept this token/],
    [`ghp_${'a'.repeat(2000)}`, expect.anything()],
  ])('refuses %s at its field', async (token, message) => {
    const answer = await connect(token);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const { error } = (await answer.json()) as { error: { fields?: { token?: string } } };
    if (token.length < 1000)
      expect(error.fields?.token).toEqual(
        message instanceof RegExp ? expect.stringMatching(message) : message,
      );
  });

  it.each([
    [{ pullRequests: false }, /Give it the repository permission “Pull requests: read-only”/],
    [{ privateRepositories: false }, /If it is private, select it in the settings of your token/],
    [{ kind: 'classic', privateRepositories: false }, /or use a token that may read it/],
  ] as const)(
    'fails the sync of a private repository with %j, and says what to allow',
    async (grant, message) => {
      await connect(server.control.github.createToken(LOGIN, grant));
      expect(await syncVault()).toMatchObject({
        status: 'failed',
        summary: { errMessage: expect.stringMatching(message) },
      });
    },
  );

  it('shows its expiry, announces it once a week before, and asks to reconnect afterwards', async () => {
    const notices = () => ada.json<Notifications>('GET', '/api/notifications');
    const before = (await notices()).results.length;
    const soon = secondsFromNow(6 * DAY_MS);
    await connect(server.control.github.createToken(LOGIN, { expiresAt: soon }));
    expect((await github()).connection?.expiresAt).toBe(new Date(soon * 1000).toISOString());
    await runHousekeeping(server.product);
    await runHousekeeping(server.product);
    const { results } = await notices();
    expect(results).toHaveLength(before + 1);
    expect(results[0]).toMatchObject({ providerId: 'github', entityLabel: '', syncId: null });
    expect(results[0]?.message).toContain(new Date(soon * 1000).toISOString().slice(0, 10));

    const late = secondsFromNow(30 * DAY_MS);
    await connect(server.control.github.createToken(LOGIN, { expiresAt: late }));
    await runHousekeeping(server.product);
    expect((await notices()).results, 'a token that lasts a month').toHaveLength(before + 1);

    await server.product.context.db.execute(
      sql`update connections set expires_at = now() - interval '1 second' where provider = 'github'`,
    );
    await runHousekeeping(server.product);
    expect((await github()).connection?.status).toBe('reconnect-needed');
  });

  it('asks to reconnect when a sync finds that the token was deleted', async () => {
    const token = server.control.github.createToken(LOGIN);
    await connect(token);
    server.control.github.deleteToken(token);
    expect(await syncVault()).toMatchObject({
      status: 'failed',
      summary: { errMessage: expect.stringMatching(/it has expired or was deleted/) },
    });
    expect((await github()).connection?.status).toBe('reconnect-needed');
  });

  it('is disconnected without a request to GitHub', async () => {
    await connect(server.control.github.createToken(LOGIN));
    server.control.resetCounters();
    expect((await ada.call('POST', '/api/integrations/providers/disconnect?provider=github')).status).toBe(
      200,
    );
    expect(server.control.counters().requests).toEqual({});
    const { rows } = await server.product.context.db.execute(
      sql`select credentials, expires_at from connections where provider = 'github'`,
    );
    expect(rows).toEqual([{ credentials: null, expires_at: null }]);
  });
});

describe('GitHub without an OAuth client', () => {
  it('offers the form alone', () => {
    const registry = createRegistry(configuredEndpoints(parseConfig({})));
    const { authorization, formAuthorization } = registry.connector('github');
    expect(authorization).toBeUndefined();
    expect(formAuthorization?.form.links[0]?.url).toBe(
      'https://github.com/settings/personal-access-tokens/new',
    );
  });
});

describe('a connection by GitHub’s consent page', () => {
  it('reads public repositories, and private ones after the user chose them', async () => {
    await ada.connect('github', LOGIN);
    expect((await github()).connection).toMatchObject({
      method: 'consent',
      access: 'Public repositories (no scope)',
    });
    expect(await syncVault()).toMatchObject({
      status: 'failed',
      summary: { errMessage: expect.stringMatching(/connect GitHub again with “Also private repositories”/) },
    });
    await ada.connect('github', LOGIN, 'private');
    expect(await github()).toMatchObject({
      connection: { access: 'Public and private repositories (scopes: repo)' },
      consent: { access: [{ value: 'private', isGranted: true }] },
    });
    expect(await syncVault()).toMatchObject({ status: 'finished' });
  });

  it('ignores an access that the connector does not declare', async () => {
    await ada.connect('github', LOGIN, 'admin:org');
    expect((await github()).connection?.access).toBe('Public repositories (no scope)');
  });
});
