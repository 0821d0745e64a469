import type { Alerts, Notifications, QueryAnswer, Results, View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NAME = 'ada-nowak/dotfiles';
const PAGES = '/api/integrations/entities/aggregation';
const TEMPLATES = { gmail_messages: ['gmail-messages', 'messages-all'], gh_pulls: ['gh-pulls', 'pulls-all'] };
type Table = keyof typeof TEMPLATES;
let server: TestServer;
let ada: Client;
let jonas: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-labels');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  await runSync(ada, 'gh-pulls', DOTFILES);
});
afterAll(() => server?.remove());

/** Returns the ids of records by a condition on their table, newest first. */
async function idsOf(table: string, condition: string): Promise<string[]> {
  const { rows } = await server.product.context.db.$client.query<{ id: string }>(
    `select id from ${table} where ${condition} order by occurred_at desc, id desc`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the page of a template with the records that a search finds. */
function pageOf(client: Client, table: Table, search: string, page = 1): Promise<Results> {
  return client.get<Results>(
    `${PAGES}/${TEMPLATES[table].join('/')}?${new URLSearchParams({ search, page: String(page) })}`,
  );
}

/** Evaluates an expression over the records that a search finds. */
function query(client: Client, table: Table, search: string, jsonNataQuery: string): Promise<QueryAnswer> {
  const [entryCollection, templateKey] = TEMPLATES[table];
  return client.post<QueryAnswer>('/api/data/query', { entryCollection, templateKey, search, jsonNataQuery });
}

/** The request for a view of pull requests. */
function viewOf(more: object): object {
  const [entityLabel, templateKey] = TEMPLATES.gh_pulls;
  const texts = { title: 'Found', description: 'd', jsonNataQuery: '$' };
  return { ...texts, providerId: 'github', entityLabel, templateKey, ...more };
}
const createView = (more: object) => ada.post<View>('/api/data/views', viewOf(more));
const rowsOf = (client: Client, { _id }: View) => client.get<Results>(`/api/data/views/aggregate/${_id}`);

/** Calls an endpoint that may refuse. */
async function attempt(method: string, path: string, body?: unknown) {
  const response = await ada.call(method, path, body);
  return { status: response.status, body: (await response.json()) as Results };
}

const refused = (message: string) => ({
  status: 422,
  body: {
    error: { code: 'validation-failed', fields: { search: expect.stringContaining(message) } },
  },
});

describe('a search over a template', () => {
  it.each<[string, Table, string]>([
    ['is:unread', 'gmail_messages', 'unread'],
    ['has:attachment', 'gmail_messages', 'attachments > 0'],
    ['from:jonas.weber@sandbox.example', 'gmail_messages', "sender = 'jonas.weber@sandbox.example'"],
    ['in:inbox -is:unread', 'gmail_messages', "'INBOX' = any(labels) and not unread"],
    ['before:2026-03-01', 'gmail_messages', "occurred_at < '2026-03-01Z'"],
    ['after:2026-10', 'gmail_messages', "occurred_at >= '2026-10-01Z'"],
    [
      'in:inbox (before:2026-03-01 OR label:sent OR is:unread)',
      'gmail_messages',
      "'INBOX' = any(labels) and ('SENT' = any(labels) or unread or occurred_at < '2026-03-01Z')",
    ],
    ['newer_than:3m', 'gmail_messages', "occurred_at >= now() - interval '90 days'"],
    ['older_than:3m', 'gmail_messages', "occurred_at < now() - interval '90 days'"],
    ['()', 'gmail_messages', 'true'],
    ['', 'gmail_messages', 'true'],
    ['is:merged author:ada-nowak', 'gh_pulls', "merged_at is not null and author = 'ada-nowak'"],
    ['from:me', 'gmail_messages', `sender = '${ADA}'`],
    ['author:@me', 'gh_pulls', "author = 'ada-nowak'"],
  ])('%s selects what the table has, in pages and for expressions', async (search, table, condition) => {
    const expected = await idsOf(table, condition);

    const pages: unknown[] = [];
    for (let page = 1; pages.length < expected.length; page++) {
      const { results, count } = await pageOf(ada, table, search, page);
      expect(count).toBe(expected.length);
      expect(results.length).toBeGreaterThan(0);
      pages.push(...results.map((row) => String((row as { id: unknown }).id)));
    }
    const { results } = await query(ada, table, search, '[[$.$string(id)]]');

    expect(expected.length).toBeGreaterThan(0);
    expect(pages).toEqual(expected);
    expect(results).toEqual([expected]);
    expect((await pageOf(ada, table, search, 1000)).results).toEqual([]);
  });

  it('is joined with the conditions of the expression in the database', async () => {
    const expected = await idsOf('gmail_messages', "'INBOX' = any(labels) and unread");

    const answer = await query(ada, 'gmail_messages', 'in:inbox', '$["UNREAD" in labelIds].id');

    expect(answer.count).toBe(expected.length);
    expect(answer.results).toEqual(expected.slice(0, 20));
    expect(answer.pushedDown?.text).toContain('search "in:inbox"');
    expect(answer.rows).toBe((await idsOf('gmail_messages', 'true')).length);
  });

  it('knows at once that a label has another name', async () => {
    const { $client } = server.product.context.db;
    const expected = await idsOf('gmail_messages', "'Label_1' = any(labels)");
    expect(expected.length).toBeGreaterThan(0);
    expect((await pageOf(ada, 'gmail_messages', 'label:"posted ones"')).count).toBe(0);
    expect((await query(ada, 'gmail_messages', 'label:"posted ones"', '$count($)')).results).toEqual([0]);

    await $client.query("update gmail_labels set name = 'Posted ones' where id = 'Label_1'");

    expect((await pageOf(ada, 'gmail_messages', 'label:"posted ones"')).count).toBe(expected.length);
    const counted = await query(ada, 'gmail_messages', 'label:"posted ones"', '$count($)');
    expect(counted.results).toEqual([expected.length]);
  });

  it('never selects records of another user', async () => {
    await jonas.connect('google', 'jonas.weber@sandbox.example');
    expect((await pageOf(jonas, 'gmail_messages', 'in:inbox OR harbor')).count).toBe(0);
    expect((await query(jonas, 'gmail_messages', 'in:inbox', '$count($)')).results).toEqual([0]);
  });

  it.each([
    ['gh-pulls/pulls-all', 'form:jonas', 'There is no operator form:'],
    ['gh-pulls/pulls-all', 'before:tomorrow', 'needs a day'],
    ['gh-pulls/pulls-all', 'x'.repeat(1001), '1,000 characters or less'],
    ['gmail-labels/labels-all', 'inbox', 'A search cannot select labels'],
    ['gmail-messages/messages-by-sender', 'inbox', 'because they are no records'],
  ])('of %s by %s is refused with the reason', async (path, search, message) => {
    const [entryCollection = '', templateKey = ''] = path.split('/');
    const body = { entryCollection, templateKey, search, jsonNataQuery: '$' };
    const view = viewOf({ entityLabel: entryCollection, templateKey, search });
    const provider = entryCollection.startsWith('gh-') ? 'github' : 'google';
    const requests = [
      await attempt('GET', `${PAGES}/${path}?${new URLSearchParams({ search })}`),
      await attempt('POST', '/api/data/query', body),
      await attempt('POST', '/api/data/views', { ...view, providerId: provider }),
    ];
    for (const answer of requests) expect(answer).toMatchObject(refused(message));
  });

  it.each([
    `'; drop table users; --`,
    `'a' & !!! <-> :* \\`,
    '"unbalanced (a OR -',
    'x'.repeat(999),
    '\u202eevil\u200f',
    '%_\\%',
    '$1 $2 $$',
    'before:2026 OR $1 OR "$2" OR in:$3',
    'before:0001-01-01',
    'older_than:9999y',
    '東',
    '💥',
    'from:\'" subject:\\ OR after:2026',
    Array.from({ length: 40 }, (_, at) => `-from:"${at}'\\" OR before:2026`)
      .slice(0, 20)
      .join(' '),
  ])('survives %j', async (search) => {
    const [entryCollection, templateKey] = TEMPLATES.gmail_messages;
    const body = { entryCollection, templateKey, search, jsonNataQuery: '$count($)' };
    const paged = await attempt(
      'GET',
      `${PAGES}/${entryCollection}/${templateKey}?${new URLSearchParams({ search })}`,
    );
    const counted = await attempt('POST', '/api/data/query', body);

    expect([200, 422]).toContain(paged.status);
    expect(counted.status).toBe(paged.status);
    if (paged.status === 200) expect(counted.body.results).toEqual([paged.body.count]);
    else expect(paged).toMatchObject(refused(''));
  });

  it('waits until all records are in the index', async () => {
    const { $client } = server.product.context.db;
    await $client.query(
      "insert into search_pending (user_id, connection_id, entity) select distinct user_id, connection_id, 'gh-pulls' from gh_pulls",
    );
    try {
      const [entryCollection, templateKey] = TEMPLATES.gh_pulls;
      const answer = await attempt('GET', `${PAGES}/${entryCollection}/${templateKey}?search=is:open`);
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
      expect((await pageOf(ada, 'gmail_messages', 'in:inbox')).count).toBeGreaterThan(0);
    } finally {
      await $client.query('delete from search_pending');
    }
  });
});

describe('a view with a search', () => {
  it('is created, changed, removed and restored with it', async () => {
    const isMerged = await idsOf('gh_pulls', 'merged_at is not null');
    const isClosed = await idsOf('gh_pulls', "state = 'closed'");
    expect(isClosed.length).toBeGreaterThan(isMerged.length);
    const view = await createView({ search: ' is:closed ' });
    expect(view.search).toBe('is:closed');
    expect(await rowsOf(ada, view)).toMatchObject({ count: isClosed.length });

    const path = `/api/data/views/${view._id}`;
    const texts = { title: 'Found', description: 'd', jsonNataQuery: '$' };
    expect(await ada.json<View>('PUT', path, texts)).toMatchObject({ search: 'is:closed' });
    expect(await ada.json<View>('PUT', path, { ...texts, search: 'is:merged' })).toMatchObject({
      search: 'is:merged',
    });
    expect(await rowsOf(ada, view)).toMatchObject({ count: isMerged.length });

    const { undo } = await ada.json<{ undo: string }>('DELETE', path);
    expect(await ada.post<View>('/api/data/views/restore', { undo })).toMatchObject({
      _id: view._id,
      search: 'is:merged',
    });
    expect(await rowsOf(ada, view)).toMatchObject({ count: isMerged.length });

    expect(await ada.json<View>('PUT', path, { ...texts, search: '' })).toMatchObject({ search: '' });
    expect(await rowsOf(ada, view)).toMatchObject({ count: (await idsOf('gh_pulls', 'true')).length });
  });

  it('passes its records on to views based on it, to expressions over it and to downloads', async () => {
    const expected = await idsOf('gh_pulls', "state = 'closed'");
    const base = await createView({ search: 'is:closed', jsonNataQuery: '$.title' });
    const { templateKey, ...onView } = viewOf({ basedOn: base._id, jsonNataQuery: '$count($)' }) as View;
    const top = await ada.post<View>('/api/data/views', onView);

    expect(top).toMatchObject({ search: '', templateKey: '' });
    expect((await rowsOf(ada, top)).results).toEqual([expected.length]);
    const over = await ada.post<QueryAnswer>(`/api/data/views/query/${base._id}`, {
      jsonNataQuery: '$count($)',
    });
    expect(over.results).toEqual([expected.length]);
    const download = await ada.call('GET', `/api/data/views/download/${base._id}`);
    expect(await download.json()).toHaveLength(expected.length);
    const message = 'A search cannot select rows of another view';
    const body = { ...onView, search: 'is:closed' };
    expect(await attempt('POST', '/api/data/views', body)).toMatchObject(refused(message));
    const texts = { title: 'Top', description: 'd', jsonNataQuery: '$', search: 'is:closed' };
    expect(await attempt('PUT', `/api/data/views/${top._id}`, texts)).toMatchObject(refused(message));
  });

  it('is not found by another user, and is left unchanged', async () => {
    const view = await createView({ search: 'is:closed' });
    const path = `/api/data/views/${view._id}`;
    const texts = { title: 'Mine', description: 'd', jsonNataQuery: '$', search: 'is:merged' };

    const foreign = await jonas.call('PUT', path, texts);
    const read = await jonas.call('GET', `/api/data/views/aggregate/${view._id}`);

    expect([foreign.status, read.status]).toEqual([404, 404]);
    expect(await ada.get<View[]>('/api/data/views')).toContainEqual(
      expect.objectContaining({ _id: view._id, search: 'is:closed' }),
    );
  });

  it('reports what a sync adds to the found records, not what it adds to others', async () => {
    const { github } = server.control;
    const view = await createView({ title: 'Zanzibar', search: 'zanzibar author:ada-nowak' });
    const alert = { kinds: ['appeared', 'disappeared'], digest: 'each', bell: true, email: false };
    const { _id } = await ada.post<{ _id: string }>('/api/data/alerts', { ...alert, viewId: view._id });
    const find = async () => {
      const { results } = await ada.get<Alerts>('/api/data/alerts');
      return results.find((one) => one._id === _id);
    };
    await until(async () => (await find())?.comparedAt !== null);
    expect(await find()).toMatchObject({ rowCount: 0, problem: null });

    const { results } = await query(ada, 'gh_pulls', 'author:ada-nowak', '$[0].number');
    github.changePull(NAME, Number(results[0]), { title: 'Ship to Zanzibar' });
    github.insertPull(NAME);
    const { _id: sync } = await runSync(ada, 'gh-pulls', DOTFILES);

    const notices = async () => {
      const all = await ada.get<Notifications>('/api/notifications');
      return all.results.filter(({ title }) => title === 'Zanzibar changed').map(({ message }) => message);
    };
    await until(async () => (await notices()).length === 1);
    expect(await notices()).toEqual(['1 row appeared.']);
    expect((await rowsOf(ada, view)).count).toBe(1);

    await ada.json('DELETE', `${SYNCS}/${sync}`);
    await until(async () => (await notices()).length === 2);
    expect(await notices()).toContain('1 row disappeared.');
    expect((await rowsOf(ada, view)).count).toBe(0);

    // Rows of another search cannot be compared with those of this one.
    const texts = { title: 'Zanzibar', description: 'd', jsonNataQuery: '$' };
    await ada.json('PUT', `/api/data/views/${view._id}`, { ...texts, search: 'author:ada-nowak' });
    await runSync(ada, 'gh-pulls', DOTFILES);
    const { count } = await rowsOf(ada, view);
    expect(count).toBeGreaterThan(1);
    await until(async () => (await find())?.rowCount === count);
    expect(await notices()).toHaveLength(2);
  });

  it('has no rows after its provider was disconnected, and again after a new sync', async () => {
    const view = await createView({ search: 'author:ada-nowak' });
    const before = (await rowsOf(ada, view)).count;
    expect(before).toBeGreaterThan(0);
    await ada.post('/api/integrations/entities/delete-all-data?provider=github');
    await until(async () => (await rowsOf(ada, view)).count === 0);
    await ada.connect('github', 'ada-nowak');
    expect((await rowsOf(ada, view)).count).toBe(0);
    await runSync(ada, 'gh-pulls', DOTFILES);
    const stored = await idsOf('gh_pulls', "author = 'ada-nowak'");
    expect(stored.length).toBeGreaterThanOrEqual(before);
    expect((await rowsOf(ada, view)).count).toBe(stored.length);
  });
});
