import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../test-support/new-user.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

const ENDLESS = '($f := function(){ $f() }; $f())';
const DEMOS = 6;
const CONCURRENCY = 5;
const QUERIES = 12;
const PAGE = '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { liveMs: 1000 });
});
afterAll(() => server?.remove());

const query = (client: Client, jsonNataQuery: string) =>
  client.call('POST', '/api/data/query', {
    entryCollection: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery,
  });

describe('the fair queue of demo users', () => {
  it('serves a signed-in user while demo users send endless queries', async () => {
    const demos = await Promise.all(Array.from({ length: DEMOS }, () => new Client(server).demo()));
    const user = await newUser(server, 'ada');
    await query(user, '1');
    let isOver = false;
    const attack = async (send: () => Promise<Response>) => {
      while (!isOver) await (await send()).text();
    };
    const attackers = demos.flatMap((demo) => [
      ...Array.from({ length: CONCURRENCY }, () => attack(() => query(demo, ENDLESS))),
      ...Array.from({ length: CONCURRENCY }, () => attack(() => demo.call('GET', PAGE))),
    ]);

    const statuses: number[] = [];
    for (let count = 0; count < QUERIES; count++) statuses.push((await query(user, '$sum([1..10])')).status);
    isOver = true;
    await Promise.all(attackers);

    // Without a fair queue of their own, the queries would wait too long and be refused.
    expect(statuses).toEqual(Array(QUERIES).fill(200));
  }, 240_000);
});
