import type { View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { sortItems } from '../../platform/evaluation/sort-items.ts';

interface Page {
  results: unknown[];
  count: number;
}

const PULLS = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
const PAGE = 20;
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' });
});
afterAll(() => server?.remove());

/** Reads all pages of a result. */
async function readAll(read: (page: number) => Promise<Page>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let page = 1; ; page++) {
    const { results, count } = await read(page);
    rows.push(...results);
    if (results.length < PAGE) {
      expect(rows).toHaveLength(count);
      return rows;
    }
  }
}

function template(path: string, sort = ''): Promise<unknown[]> {
  const query = sort === '' ? '' : `&sort=${encodeURIComponent(sort)}`;
  return readAll((page) => ada.get<Page>(`${path}?page=${page}${query}`));
}

function createView(jsonNataQuery: string): Promise<View> {
  return ada.post<View>('/api/data/views', {
    title: jsonNataQuery.slice(0, 20),
    description: 'For sorting',
    jsonNataQuery,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
}

describe('the sort of a call', () => {
  it.each(['additions', 'number', 'title', 'draft', 'created_at', 'closed_at', 'user.login', 'account'])(
    'orders all documents of a template by %s, in the database as in a process',
    async (field) => {
      const all = await template(PULLS);
      const path = field.split('.');
      for (const isDescending of [false, true]) {
        const sorted = await template(PULLS, `${isDescending ? '-' : ''}${field}`);
        expect(sorted).toEqual(sortItems(all, { path, isDescending }));
      }
    },
  );

  it('orders by a field that is no column', async () => {
    const all = await template(PULLS);
    const sorted = await template(PULLS, '-body');
    expect(sorted).toEqual(sortItems(all, { path: ['body'], isDescending: true }));
  });

  it('orders the documents that a search finds', async () => {
    const read = (sort: string) =>
      readAll((page) => ada.get<Page>(`${PULLS}?page=${page}&search=is:merged${sort}`));
    const all = await read('');
    expect(all.length).toBeGreaterThan(0);
    const sorted = sortItems(all, { path: ['additions'], isDescending: false });
    expect(await read('&sort=additions')).toEqual(sorted);
  });

  it('orders the rows of a template that counts', async () => {
    const path = '/api/integrations/entities/aggregation/gh-pulls/pulls-by-author';
    const rows = (await template(path)) as Record<string, unknown>[];
    const [name = ''] = Object.keys(rows[0] ?? {});
    expect(await template(path, `-${name}`)).toEqual(sortItems(rows, { path: [name], isDescending: true }));
  });

  it.each(['$', '$.{"number": number, "size": additions, "title": title}', '$.number'])(
    'orders all results of a view, of a query and of a query over a view: %s',
    async (expression) => {
      const view = await createView(expression);
      const field = expression === '$.number' ? '$' : 'number';
      const read = (sort: Record<string, string>) =>
        readAll((page) =>
          ada.get<Page>(
            `/api/data/views/aggregate/${view._id}?${new URLSearchParams({ page: String(page), ...sort })}`,
          ),
        );
      const all = await read({});
      const path = field === '$' ? [] : [field];
      const sorted = sortItems(all, { path, isDescending: true });
      expect(await read({ sort: `-${field}` })).toEqual(sorted);
      const body = { jsonNataQuery: expression, sort: `-${field}` };
      const query = { ...body, entryCollection: 'gh-pulls', templateKey: 'pulls-all' };
      expect(await readAll((page) => ada.post<Page>('/api/data/query', { ...query, page }))).toEqual(sorted);
      const overView = { jsonNataQuery: '$', sort: `-${field}` };
      const path2 = `/api/data/views/query/${view._id}`;
      expect(await readAll((page) => ada.post<Page>(path2, { ...overView, page }))).toEqual(sorted);
    },
  );

  it('is refused for values that are lists or objects, and for a text that names no field', async () => {
    const view = await createView('$.{"labels": labels}');
    for (const path of [`${PULLS}?sort=labels`, `/api/data/views/aggregate/${view._id}?sort=labels`]) {
      const response = await ada.call('GET', path);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        error: { code: 'validation-failed', fields: { sort: expect.stringContaining("'labels'") } },
      });
    }
    expect((await ada.call('GET', `${PULLS}?sort=a..b`)).status).toBe(422);
  });

  it('leaves a result that is no list as it is', async () => {
    const body = {
      entryCollection: 'gh-pulls',
      templateKey: 'pulls-all',
      jsonNataQuery: '$count($)',
      sort: 'a',
    };
    expect(await ada.post<Page>('/api/data/query', body)).toMatchObject({ isArray: false, count: 1 });
  });
});
