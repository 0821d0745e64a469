import { type CreatedToken, ENDPOINTS, type EndpointName } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const TOKENS = '/api/accounts/tokens';
/** More than any endpoint allows a caller in its time. */
const CALLS = 610;

let server: TestServer;
let owner: Client;

beforeAll(async () => {
  server = await shareServer();
  owner = await new Client(server).signIn('mei.tanaka@sandbox.example');
});
afterAll(() => server?.remove());

async function createToken(scope: string): Promise<{ id: string; client: Client }> {
  const { _id, token } = await owner.post<CreatedToken>(TOKENS, { name: scope, scope, expiresInDays: 1 });
  const client = new Client(server);
  client.token = token;
  return { id: _id, client };
}

/** Calls an endpoint many times at once. @returns how often each status came */
async function flood(client: Client, method: string, path: string): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < CALLS; sent += 61)
    for (const { status } of await Promise.all(
      Array.from({ length: 61 }, () => client.call(method, path, {})),
    ))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return statuses;
}

const pathOf = (name: EndpointName) => ENDPOINTS[name].path.replaceAll(/\{\w+\}/g, crypto.randomUUID());

describe('a token that calls without end', () => {
  it.each(['revokeToken', 'logout', 'deleteView', 'saveQuery'] as const)(
    'is refused %s without counting against its owner',
    async (name) => {
      const { client } = await createToken('read');
      const { method } = ENDPOINTS[name];
      expect([...(await flood(client, method, pathOf(name))).keys()]).toEqual([403]);
      // Not for a session of its own: it would be ended.
      if (name !== 'logout') expect((await owner.call(method, pathOf(name), {})).status).not.toBe(429);
    },
  );

  it.each(['deleteView', 'testAlert', 'connect'] as const)(
    'of a larger scope uses up %s for itself alone',
    async (name) => {
      const [{ id, client }, other] = [await createToken('manage'), await createToken('manage')];
      const { method } = ENDPOINTS[name];
      expect((await flood(client, method, pathOf(name))).get(429)).toBeGreaterThan(0);
      for (const caller of [owner, other.client])
        expect((await caller.call(method, pathOf(name), {})).status).not.toBe(429);
      await owner.json('DELETE', `${TOKENS}/${id}`);
      expect((await client.call(method, pathOf(name), {})).status).toBe(401);
    },
  );

  it('has a limit of its own for messages of an assistant, as have callers without a token', async () => {
    const [one, other] = [await createToken('read'), await createToken('read')];
    expect((await flood(one.client, 'POST', '/mcp')).get(429)).toBeGreaterThan(0);
    expect((await other.client.call('POST', '/mcp', {})).status).not.toBe(429);
    expect([...(await flood(new Client(server), 'POST', '/mcp')).keys()]).toEqual([401, 429]);
    expect((await other.client.call('POST', '/mcp', {})).status).not.toBe(429);
  });
});
