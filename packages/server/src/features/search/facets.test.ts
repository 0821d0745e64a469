import { FACET_VALUES, type SearchFacets, type SearchResults, type SearchValues } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;
let jonas: Client;

const query = (request: Record<string, string>) => new URLSearchParams(request).toString();
async function facetsOf(q: string, more: Record<string, string> = {}, client = ada): Promise<SearchFacets> {
  const request = query({ q, facets: 'true', ...more });
  const { facets } = await client.get<SearchResults>(`/api/data/search?${request}`);
  if (!facets) throw new Error('the response has no facets');
  return facets;
}
async function valuesOf(operator: string, text = '', client = ada): Promise<string[]> {
  const values = await client.get<SearchValues>(`/api/data/search/values?${query({ operator, text })}`);
  return values.map(({ value }) => value);
}

/** Reads rows of value and count. */
async function counts(select: string): Promise<{ value: string; count: number }[]> {
  const { rows } = await server.product.context.db.$client.query<{ value: string; count: number }>(select);
  return rows;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-labels');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  await server.product.context.db.$client.query(
    "update gmail_labels set name = 'Zażółć' where id = 'Label_1'",
  );
});
afterAll(() => server?.remove());

describe('facets of a search', () => {
  it('count all matches by provider, entity, person, label and month', async () => {
    const { facets, count, isLimited } = await facetsOf('');
    const valuesIn = (name: string) => facets.find((facet) => facet.name === name)?.values ?? [];
    const table = (column: string, from: string) =>
      counts(`select ${column} as value, count(*)::int as count from ${from} group by 1 order by 2 desc`);

    const mails = await table("'gmail-messages'", 'gmail_messages');
    const pulls = await table("'gh-pulls'", 'gh_pulls');
    expect(count).toBe((mails[0]?.count ?? 0) + (pulls[0]?.count ?? 0));
    expect(isLimited).toBe(false);
    expect(valuesIn('entity')).toEqual([
      { ...mails[0], title: 'Gmail · Messages' },
      { ...pulls[0], title: 'GitHub · Pull Requests' },
    ]);
    expect(valuesIn('provider')).toEqual([
      { value: 'google', title: 'Gmail', count: mails[0]?.count },
      { value: 'github', title: 'GitHub', count: pulls[0]?.count },
    ]);
    const senders = await table('sender', 'gmail_messages');
    expect(valuesIn('from').map((value) => value.count)).toEqual(
      senders.slice(0, FACET_VALUES).map((row) => row.count),
    );
    expect(senders).toEqual(
      expect.arrayContaining(valuesIn('from').map((row) => ({ value: row.value, count: row.count }))),
    );
    const authors = await table('author', 'gh_pulls');
    expect(valuesIn('author')).toHaveLength(authors.length);
    const [labelled] = await counts(
      `select 'Zażółć' as value, count(*)::int as count from gmail_messages where 'Label_1' = any(labels)`,
    );
    expect(valuesIn('label')).toContainEqual({ ...labelled, title: 'Zażółć' });
    const months = valuesIn('month').map(({ value }) => value);
    expect(months).toEqual([...months].sort().reverse());
    expect(valuesIn('month')).toContainEqual(
      expect.objectContaining({ value: '2026-11', title: 'November 2026' }),
    );
  });

  it('count what the same search finds', async () => {
    const search = (q: string) => ada.get<SearchResults>(`/api/data/search?${query({ q })}`);
    for (const q of ['harbor', 'in:inbox is:unread', 'from:jonsa', 'arbo', '-harbor before:2026-06'])
      expect((await facetsOf(q)).count, q).toBe((await search(q)).count);
  });

  it('narrow to a provider, and are empty without matches', async () => {
    const narrowed = await facetsOf('', { providerId: 'github' });
    expect(narrowed.facets.map(({ name }) => name)).not.toContain('from');
    expect(await facetsOf('zzzqqqxxx')).toEqual({ facets: [], count: 0, isLimited: false });
  });

  it("never count another user's records", async () => {
    expect(await facetsOf('', {}, jonas)).toEqual({ facets: [], count: 0, isLimited: false });
  });
});

describe('days of a search', () => {
  it.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Calcutta'])(
    'begin at midnight in the time zone of the user (%s)',
    async (timeZone) => {
      await ada.json('PUT', '/api/accounts', { timeZone });
      const local = `occurred_at at time zone '${timeZone}'`;
      const days = await counts(
        `select to_char(${local}, 'YYYY-MM-DD') as value, count(*)::int as count from search_entries
        where occurred_at <= now() group by 1 order by 1 desc limit 20`,
      );
      for (const { value, count } of days) {
        const next = new Date(Date.parse(value) + 86_400_000).toISOString().slice(0, 10);
        expect((await facetsOf(`after:${value} before:${next}`)).count, value).toBe(count);
      }
      const months = await counts(
        `select to_char(${local}, 'YYYY-MM') as value, count(*)::int as count from search_entries group by 1 order by 1 desc`,
      );
      const found = (await facetsOf('')).facets.find(({ name }) => name === 'month')?.values ?? [];
      expect(found.map(({ value, count }) => ({ value, count }))).toEqual(months);
    },
  );

  it('refuse a time zone that does not exist', async () => {
    const response = await ada.call('PUT', '/api/accounts', { timeZone: 'Europe/Nowhere' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { fields: { timeZone: 'Must be a time zone, such as Europe/Berlin' } },
    });
  });
});

describe('values of an operator', () => {
  it('begin with the text, or contain it, in any case and without accents', async () => {
    const values = await valuesOf('from', 'KA');
    const isPrefixed = values.map((value) => value.toLowerCase().startsWith('ka'));
    expect(values).toEqual(expect.arrayContaining(['kasia.wojcik@poczta.example', 'Kasia Wójcik']));
    expect(isPrefixed).toEqual([...isPrefixed].sort().reverse());
    expect(await valuesOf('from', 'wojcik')).toContain('Kasia Wójcik');
    expect(await valuesOf('to', 'wojcik')).toContain('Kasia Wójcik');
    expect(await valuesOf('author', 'okaf')).toEqual(['samuel-okafor']);
    expect(await valuesOf('repo', 'dot')).toEqual(['dotfiles', 'ada-nowak/dotfiles']);
  });

  it('are the most frequent ones of the newest records without a text', async () => {
    const [frequent] = await counts(
      'select sender as value, count(*)::int as count from gmail_messages group by 1 order by 2 desc, 1',
    );
    const values = await valuesOf('from');
    expect(values).toHaveLength(10);
    expect(values[0]).toBe(frequent?.value);
  });

  it('are the names of labels', async () => {
    expect(await valuesOf('label', 'zazo')).toEqual(['Zażółć']);
    expect(await valuesOf('in', 'Zażó')).toEqual(['Zażółć']);
    expect(await valuesOf('label', 'Label_1')).toEqual([]);
    expect(
      (await ada.get<SearchResults>(`/api/data/search?${query({ q: 'label:zazolc' })}`)).count,
    ).toBeGreaterThan(0);
  });

  it.each(['%', '_', '\\', "'; --", '\ud800', '\u202e', '＼'])('survive the text %j', async (text) => {
    expect(await valuesOf('from', text)).toBeInstanceOf(Array);
  });

  it('are not read for other operators or long texts', async () => {
    for (const request of [
      { operator: 'subject' },
      { operator: 'from', text: 'x'.repeat(101) },
      { operator: 'from', text: '\u0000' },
    ])
      expect((await ada.call('GET', `/api/data/search/values?${query(request)}`)).status).toBe(422);
  });

  it('are of the current connections of the user only', async () => {
    expect(await valuesOf('from', 'kasia', jonas)).toEqual([]);

    await ada.post('/api/integrations/entities/delete-all-data?provider=github');

    expect(await valuesOf('author')).toEqual([]);
    expect(await valuesOf('from', 'kasia')).not.toEqual([]);
  });
});
