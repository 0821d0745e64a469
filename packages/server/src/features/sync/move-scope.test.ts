import type { Sync } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { allRows, awaitEnd, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const OWNER = 'moving';
let server: TestServer;
let ada: Client;
let first: string;
const renamed = `${OWNER}/renamed`;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.json('DELETE', '/api/accounts/delete-account');
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  const order = { owner: OWNER, count: 1, pulls: 4, members: ['ada-nowak'] };
  [first = ''] = server.control.github.addRepositories(order);
});

async function run(scopes: readonly string[]): Promise<Sync> {
  const body = { providerId: 'github', entityLabel: 'gh-pulls', scopes };
  const ended = await awaitEnd(ada, (await ada.post<Sync>(SYNCS, body))._id);
  expect(ended.status).toBe('finished');
  return ended;
}

const numbers = async () => {
  const rows = (await allRows(ada, 'gh-pulls', 'pulls-all')) as { number: number }[];
  return rows.map(({ number }) => number).sort((one, other) => one - other);
};

describe('a scope that moved', () => {
  it('is read in full where the new place was read before, so that no deleted record joins it', async () => {
    await run([first]);
    server.control.github.renameRepository(first, 'renamed');
    server.control.github.removePull(renamed, 2);
    await run([renamed]);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    await run([renamed, first]);
    expect(await numbers()).toEqual([1, 3, 4]);
  });

  it('stays at its new place when runs before the move are undone', async () => {
    await run([first]);
    server.control.github.changePull(first, 2, { title: 'Changed' });
    const changed = await run([]);
    server.control.github.renameRepository(first, 'renamed');
    const followed = await run([]);
    for (const { _id } of [followed, changed]) await ada.json('DELETE', `${SYNCS}/${_id}`);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    server.control.github.removePull(renamed, 2);
    await run([]);
    expect(await numbers()).toEqual([1, 3, 4]);
  });
});
