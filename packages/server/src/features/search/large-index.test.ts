import type { SearchFacets, SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { readMonths } from './candidates.ts';

const ADA = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;
let userId: string;

const db = () => server.product.context.db;
const search = (q: string, order: 'relevance' | 'newest') =>
  ada.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q, order })}`);
const facetsOf = (q: string) =>
  ada.get<SearchFacets>(`/api/data/search/facets?${new URLSearchParams({ q })}`);

/** Makes the search believe that the user has this many mails. */
async function claimRecords(count: number): Promise<void> {
  await db().$client.query(
    `update record_versions set records = $1 where user_id = $2 and entity = 'gmail-messages'`,
    [count, userId],
  );
}

beforeAll(async () => {
  server = await startTestServer();
  ada = await new Client(server).signIn(ADA);
  ({ _id: userId } = await ada.get<{ _id: string }>('/api/accounts'));
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  // Some mails have dates in the future, as those of careless senders have.
  await db().$client.query(
    `update gmail_messages set occurred_at = now() + interval '400 days', hash = hash || 'x'
    where id in (select id from gmail_messages order by id limit 3)`,
  );
});
afterAll(() => server?.remove());

// @covers search.large
describe('a large index', () => {
  it('is searched by months, as many as the number of records suggests', async () => {
    await claimRecords(1_000_000);

    const months = await readMonths(db(), userId, Date.now());
    const before = await readMonths(db(), userId, Date.UTC(2026, 2, 1));

    expect(months).toMatchObject({ first: 1 });
    expect(months?.count).toBeGreaterThan(3);
    expect(months?.newest.getTime()).toBeLessThanOrEqual(Date.now());
    expect(before?.newest.getTime()).toBeLessThanOrEqual(Date.UTC(2026, 2, 1));
  });

  it.each([
    '',
    'in:inbox',
    'in:inbox before:2026-03-01',
    'older_than:30d -is:unread',
    'after:2026-02 in:sent',
    'before:2026-06 after:2026-01',
    'from:jonas',
    'meeting OR invoice OR the',
    'thewordthatnomailhas',
  ])('finds what a small one finds by "%s"', async (q) => {
    await claimRecords(100);
    const small = await search(q, 'newest');
    const facets = await facetsOf(q);

    await claimRecords(1_000_000);
    const large = await search(q, 'newest');
    const ranked = await search(q, 'relevance');

    expect(large).toEqual(small);
    expect(ranked.count).toBe(small.count);
    expect(await facetsOf(q)).toEqual(facets);
  });

  // @covers search.timeout
  it('is not searched for longer than the timeout, which is explained', async () => {
    const blocker = await db().$client.connect();
    await blocker.query('begin; lock table search_entries in access exclusive mode');

    const response = await ada.call('GET', '/api/data/search?q=meeting');
    await blocker.query('rollback');
    blocker.release();

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { code: 'query-too-complex', fields: { q: expect.stringContaining('longer than 5 seconds') } },
    });
    expect((await search('meeting', 'newest')).count).toBeGreaterThan(0);
  });
});
