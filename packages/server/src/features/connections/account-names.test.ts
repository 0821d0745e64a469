import { BOUNDS } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { saveGrant } from './save-grant.ts';
import { requireAccount } from './store.ts';

let server: TestServer;
let userId: string;

beforeAll(async () => {
  server = await shareServer();
  const client = await new Client(server).signIn('ada.nowak@sandbox.example');
  userId = (await client.get<{ _id: string }>('/api/accounts'))._id;
});
afterAll(() => server?.remove());

async function connect(subject: string, account: string): Promise<string> {
  const identity = { issuer: 'github', subject, account, email: '', name: '' };
  const credentials = { accessToken: 'token', scopes: [] };
  const { context } = server.product;
  return (await saveGrant(context, userId, 'github', { identity, credentials })).connection.account;
}

describe('the names of accounts', () => {
  it('have a number where two subjects have one name, and keep it', async () => {
    expect([await connect('1', 'ada'), await connect('2', 'ada'), await connect('3', 'ada')]).toEqual([
      'ada',
      'ada (2)',
      'ada (3)',
    ]);
    expect([await connect('2', 'ada'), await connect('1', 'other')]).toEqual(['ada (2)', 'other']);
    expect([await connect('2', 'ada'), await connect('4', 'ada')]).toEqual(['ada (2)', 'ada']);
  });

  it('fit into requests, and differ although they are long', async () => {
    const long = `${'x'.repeat(311)}\u{1f600}${'y'.repeat(100)}`;
    const names = [await connect('5', long), await connect('6', long), await connect('5', long)];
    expect(new Set(names).size).toBe(2);
    expect(names[0]).toBe(names[2]);
    for (const name of names) {
      expect(name.length).toBeLessThanOrEqual(BOUNDS.accountName);
      const found = requireAccount(server.product.context.db, userId, { key: 'github', title: '' }, name);
      expect((await found).account).toBe(name);
    }
  });
});
