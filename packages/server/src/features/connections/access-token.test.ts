import type { Connector, Credentials } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { AccessTokens } from './access-token.ts';
import { sealCredentials } from './store.ts';
import { connections } from './tables.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server?.remove());

const expired: Credentials = { accessToken: 'old', refreshToken: 'r', scopes: [], expiresAt: 0 };
const fresh = (accessToken: string): Credentials => ({ accessToken, scopes: [] });

/** Stores a connection with an expired token. */
async function connect(): Promise<{ userId: string; id: string }> {
  const { context } = server.product;
  const [userId, id] = [crypto.randomUUID(), crypto.randomUUID()];
  const credentials = sealCredentials(context, userId, expired);
  await context.db.insert(connections).values({
    ...{ userId, id, provider: 'github', subject: id, account: 'ada', status: 'connected', isShown: true },
    credentials,
  });
  return { userId, id };
}

/** Creates the tokens of a worker in another process, which shares only the database. */
function worker(
  connection: { userId: string; id: string },
  refresh: () => Promise<Credentials>,
): AccessTokens {
  const github = server.product.registry.connector('github');
  const authorization = { ...github.authorization, refresh } as NonNullable<Connector['authorization']>;
  return new AccessTokens(server.product.background, { ...github, authorization }, connection);
}

/** Creates a token refresh that blocks until the test resolves it. */
function blockedRefresh() {
  const { promise, resolve } = Promise.withResolvers<Credentials>();
  return { refresh: vi.fn(() => promise), answer: resolve };
}

describe('AccessTokens', () => {
  it('keeps no transaction open while it renews tokens of many connections', async () => {
    const { db } = server.product.background;
    const blocked = blockedRefresh();
    const all = await Promise.all(Array.from({ length: 8 }, connect));
    const renewals = all.map((connection) => worker(connection, blocked.refresh).get(false));

    await vi.waitFor(() => expect(blocked.refresh).toHaveBeenCalledTimes(8), 20_000);
    const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`);
    expect(rows[0]?.count).toBe(0);

    blocked.answer(fresh('new'));
    expect((await Promise.all(renewals)).map(({ accessToken }) => accessToken)).toEqual(Array(8).fill('new'));
  });

  it('renews a token once for all processes', async () => {
    const connection = await connect();
    const blocked = blockedRefresh();
    const both = [1, 2, 3].map(() => worker(connection, blocked.refresh).get(false));
    await vi.waitFor(() => expect(blocked.refresh).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 300));
    blocked.answer(fresh('shared'));
    const tokens = await Promise.all(both);
    expect(tokens.map(({ accessToken }) => accessToken)).toEqual(['shared', 'shared', 'shared']);
    expect(blocked.refresh).toHaveBeenCalledOnce();
  });

  it('renews when the claim of a killed worker expires', async () => {
    const connection = await connect();
    const { db } = server.product.background;
    await db.execute(sql`
    update connections set renewal_owner = ${crypto.randomUUID()}, renewal_until = now() + interval '1 second'
    where id = ${connection.id}`);
    const refresh = vi.fn(async () => fresh('healed'));
    const startedAt = performance.now();
    expect(await worker(connection, refresh).get(false)).toMatchObject({ accessToken: 'healed' });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('does not overwrite newer credentials after losing its claim', async () => {
    const connection = await connect();
    const { db } = server.product.background;
    const blocked = blockedRefresh();
    const late = worker(connection, blocked.refresh).get(false);
    await vi.waitFor(() => expect(blocked.refresh).toHaveBeenCalled());
    // Another process takes the claim over, or the user connects again.
    const credentials = sealCredentials(server.product.context, connection.userId, fresh('winner'));
    await db.execute(sql`
    update connections set credentials = ${JSON.stringify(credentials)}::jsonb, renewal_owner = null, renewal_until = null
    where id = ${connection.id}`);

    blocked.answer(fresh('late'));
    expect(await late).toMatchObject({ accessToken: 'winner' });
    expect(await worker(connection, vi.fn()).get(false)).toMatchObject({ accessToken: 'winner' });
  });

  it('releases its claim when the refresh fails', async () => {
    const connection = await connect();
    const failing = worker(connection, () => Promise.reject(new Error('down')));
    await expect(failing.get(false)).rejects.toThrow('down');
    expect(await worker(connection, async () => fresh('next')).get(false)).toMatchObject({
      accessToken: 'next',
    });
    const { rows } = await server.product.background.db.execute(
      sql`select renewal_owner from connections where id = ${connection.id}`,
    );
    expect(rows).toEqual([{ renewal_owner: null }]);
  });
});
