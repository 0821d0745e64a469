import type { SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { readMonths } from './candidates.ts';

const ADA = 'ada.nowak@sandbox.example';
/** More than are searched first. */
const COPIES = 6500;
let server: TestServer;
let ada: Client;
let userId: string;

const db = () => server.product.context.db;
const search = (q: string, order: 'relevance' | 'newest') =>
  ada.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q, order })}`);
const facetsOf = (q: string) =>
  ada
    .get<SearchResults>(`/api/data/search?${new URLSearchParams({ q, facets: 'true' })}`)
    .then(({ facets }) => facets);

/** Makes the search believe that the user has this many mails. */
async function claimRecords(count: number): Promise<void> {
  await db().$client.query(
    `update record_versions set records = $1 where user_id = $2 and entity = 'gmail-messages'`,
    [count, userId],
  );
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  ({ _id: userId } = await ada.get<{ _id: string }>('/api/accounts'));
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  // One mail an hour for most of a year, and some of 1970, as senders without a clock write.
  await db().$client.query(
    `insert into gmail_messages select (json_populate_record(m, json_build_object('id', 'copy-' || n, 'occurred_at',
      case n % 2000 when 0 then timestamptz '1970-01-01 UTC' else now() - n * interval '1 hour' end))).*
    from (select row_number() over (order by id) as place, count(*) over () as count, m.* from gmail_messages m) numbered
    join gmail_messages m using (user_id, connection_id, id)
    join generate_series(1, ${COPIES}) n on n % numbered.count = numbered.place - 1`,
  );
}, 120_000);
afterAll(() => server?.remove());

describe('a large index', () => {
  it('is searched by months, as many as the number of records suggests', async () => {
    await claimRecords(1_000_000);

    const now = Date.now();
    const months = await readMonths(db(), userId, { until: now, parts: [], now });
    const spring = Date.UTC(2026, 2, 1);
    const before = await readMonths(db(), userId, { until: spring, parts: [], now });

    expect(months).toMatchObject({ records: expect.any(Number), future: undefined });
    expect(months?.first).toBeGreaterThan(2);
    expect(months?.first).toBeLessThan(7);
    expect(months?.newest.getTime()).toBeLessThanOrEqual(now);
    expect(before).toMatchObject({ future: undefined });
    expect(before?.newest.getTime()).toBeLessThanOrEqual(spring);
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
    'eetin',
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

  it('shows mails with dates in the future first, as a small one does', async () => {
    const { rows } = await db().$client.query<{ id: string }>(
      `update gmail_messages set hash = hash || 'x', occurred_at =
        case when id like '%1' then now() + interval '1 hour' else date_trunc('month', now()) + interval '400 days' end
      where id in (select id from gmail_messages where 'INBOX' = any(labels) order by id desc limit 30) returning id`,
    );
    const future = rows.map(({ id }) => id).sort();
    const now = Date.now();
    expect(await readMonths(db(), userId, { until: now, parts: [], now })).toMatchObject({
      future: expect.any(Date),
    });
    for (const q of ['in:inbox', 'in:inbox newer_than:1d', 'in:inbox before:2026-03']) {
      await claimRecords(100);
      const [small, facets] = [await search(q, 'newest'), await facetsOf(q)];

      await claimRecords(1_000_000);

      expect(await search(q, 'newest')).toEqual(small);
      expect(await facetsOf(q)).toEqual(facets);
    }
    const first = (await search('in:inbox', 'newest')).results.map(({ recordId }) => recordId);
    expect(future).toEqual(expect.arrayContaining(first));
  });

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
