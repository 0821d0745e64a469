import type { View } from '@datadeck/contract';
import { parquetReadObjects } from 'hyparquet';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

interface Page {
  results: unknown[];
  count: number;
  isArray: boolean;
  rows?: number;
  pushedDown?: { text: string; rows: number };
}

const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };
let server: TestServer;
let ada: Client;
let ben: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gh-pulls', HARBOR);
  ben = await new Client(server).demo();
});
afterAll(() => server?.remove());

function createView(title: string, jsonNataQuery: string, basedOn?: string): Promise<View> {
  return ada.post<View>('/api/data/views', {
    title,
    description: title,
    jsonNataQuery,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    ...(basedOn ? { basedOn } : { templateKey: 'pulls-all' }),
  });
}

function page(view: View, number = 1): Promise<Page> {
  return ada.get<Page>(`/api/data/views/aggregate/${view._id}?page=${number}`);
}

function query(client: Client, jsonNataQuery: string): Promise<Page> {
  return client.post<Page>('/api/data/query', {
    entryCollection: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery,
  });
}

async function download(view: View, format: string): Promise<string> {
  const response = await ada.call('GET', `/api/data/views/download/${view._id}?format=${format}`);
  expect(response.status).toBe(200);
  return response.text();
}

describe('a download', () => {
  it('as XLSX and Parquet has the rows and columns of the CSV', async () => {
    const view = await createView(
      'Table',
      '$.{"title": title, "number": number, "when": created_at, "labels": labels.name}',
    );
    const bytesOf = async (format: string) => {
      const response = await ada.call('GET', `/api/data/views/download/${view._id}?format=${format}`);
      expect(response.headers.get('content-disposition')).toContain(`.${format}"`);
      return response.arrayBuffer();
    };
    const rows = JSON.parse(await download(view, 'json')) as Record<string, unknown>[];
    const csv = await download(view, 'csv');
    const parquet = await parquetReadObjects({ file: await bytesOf('parquet') });
    expect(Object.keys(parquet[0] ?? {}).join(',')).toBe(csv.split('\r\n')[0]);
    expect(parquet.map(({ title, number }) => [title, Number(number)])).toEqual(
      rows.map(({ title, number }) => [title, number]),
    );
    expect(parquet[0]?.when).toEqual(new Date(String(rows[0]?.when)));
    const [sheet] = await readWorkbook(Buffer.from(await bytesOf('xlsx')));
    expect(sheet?.data.slice(1).map(([title, number]) => [title, number])).toEqual(
      rows.map(({ title, number }) => [title, number]),
    );
  });

  it('of a query has its whole result in each format, and ends with the errors of the query', async () => {
    const request = (jsonNataQuery: string, format: string, search?: string) =>
      ada.call('POST', '/api/data/query/download', {
        entryCollection: 'gh-pulls',
        templateKey: 'pulls-all',
        jsonNataQuery,
        format,
        search,
      });
    const expression = '$.{"number": number}';
    const json = await request(expression, 'json');
    const rows = (await json.json()) as { number: number }[];
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toHaveLength((await query(ada, expression)).count);
    expect(json.headers.get('content-disposition')).toContain('filename="query_gh-pulls.json"');
    const csv = await (await request(expression, 'csv')).text();
    expect(csv.trim().split('\r\n')).toEqual(['number', ...numbers.map(String)]);
    const parquet = await parquetReadObjects({
      file: await (await request(expression, 'parquet')).arrayBuffer(),
    });
    expect(parquet.map(({ number }) => Number(number))).toEqual(numbers);
    const [sheet] = await readWorkbook(Buffer.from(await (await request(expression, 'xlsx')).arrayBuffer()));
    expect(sheet?.data.slice(1).map(([number]) => number)).toEqual(numbers);

    const merged = (await (await request('$', 'json', 'is:merged')).json()) as { merged_at: unknown }[];
    expect(merged.length).toBeGreaterThan(0);
    expect(merged.every(({ merged_at }) => merged_at !== null)).toBe(true);
    expect((await request('$[', 'csv')).status).toBe(422);
    expect((await request('$', 'pdf')).status).toBe(422);
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    const foreign = await jonas.call('POST', '/api/data/query/download', {
      entryCollection: 'gh-pulls',
      templateKey: 'pulls-all',
      jsonNataQuery: '$',
    });
    expect(await foreign.json()).toEqual([]);
  });

  // @covers 7.download-header-names
  it('is named view_{title}.json for any title', async () => {
    const view = await createView(`Ada's "best" (100%) * / 日本`, '$count($)');
    const response = await ada.call('GET', `/api/data/views/download/${view._id}`);
    expect(await response.text()).toBe('260\n');
    const disposition = response.headers.get('content-disposition') ?? '';
    const [, extended] =
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(disposition) ?? [];
    expect(decodeURIComponent(extended ?? '')).toBe(`view_${view.title}.json`);
    await ada.json('DELETE', `/api/data/views/${view._id}`);
  });
});

describe('a chain of views', () => {
  it('equals the composed expression in pages and downloads', async () => {
    const first = await createView('Short', '$.{"n": number, "who": user.login}');
    const second = await createView('Even', '$[n % 2 = 0]', first._id);
    const third = await createView('Sorted', '$^(>n)', second._id);
    const composed = await createView('Composed', '$.{"n": number, "who": user.login}[n % 2 = 0]^(>n)');

    const expected: unknown[] = [];
    for (let number = 1, count = 1; expected.length < count; number++) {
      const [chain, one] = [await page(third, number), await page(composed, number)];
      expect(chain).toEqual(one);
      expected.push(...one.results);
      count = one.count;
    }

    expect(expected.length).toBeGreaterThan(40);
    expect(JSON.parse(await download(third, 'json'))).toEqual(expected);
    const lines = (await download(third, 'ndjson')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(expected);
    expect((await download(third, 'csv')).trim().split('\r\n')).toHaveLength(expected.length + 1);
  });
});

describe('the result of a view', () => {
  it('changes with syncs, undone syncs and edits of a base only', async () => {
    const counting = await createView('Numbers', '$.number');
    const total = await createView('Total', '{"count": $count($), "most": $max($)}', counting._id);
    const before = await page(total);
    expect(await page(total)).toEqual(before);

    server.control.github.insertOddity('aurora-labs/harbor', 'null-author');
    expect(await page(total)).toEqual(before);
    const run = await runSync(ada, 'gh-pulls', HARBOR);
    const after = await page(total);
    const countOf = ({ results }: Page) => (results[0] as { count: number }).count;
    expect(countOf(after)).toBe(countOf(before) + 1);

    expect((await ada.call('DELETE', `/api/integrations/synchronizations/${run._id}`)).ok).toBe(true);
    expect(await page(total)).toEqual(before);

    await ada.json('PUT', `/api/data/views/${counting._id}`, {
      title: 'Numbers',
      description: 'Numbers',
      jsonNataQuery: '$.number[$ <= 10]',
    });
    const [low] = (await query(ada, '$count($[number <= 10])')).results;
    expect(low).toBeLessThan(countOf(before));
    expect(countOf(await page(total))).toBe(low);
  });
});

describe('a view whose expression fails', () => {
  it('is refused with the error of the expression', async () => {
    const view = await createView('Broken', '$error("no such luck")');
    const response = await ada.call('GET', `/api/data/views/aggregate/${view._id}?page=1`);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(response.status).toBe(422);
    expect(error).toMatchObject({ code: 'expression-failed', message: 'no such luck' });
  });
});

describe('POST /api/data/query', () => {
  it('reports the pushed-down condition and the number of rows', async () => {
    const all = await query(ada, '$');
    const rows = all.count;
    expect(all).toMatchObject({ rows });
    expect(all.pushedDown).toBeUndefined();
    const mine = await query(ada, '$[user.login = "nobody-of-that-name"]');
    expect(mine).toMatchObject({
      count: 0,
      rows,
      pushedDown: { text: 'user.login = "nobody-of-that-name"' },
    });
    expect(mine.pushedDown?.rows).toBeLessThan(rows);
    const sorted = await query(ada, '$^(>created_at)[[0..4]].number');
    expect(sorted).toMatchObject({ count: 5, rows });
    expect(sorted.pushedDown).toEqual({ text: '^(>created_at)[[0..4]]', rows: 5 });
  });

  it('returns only records of the caller', async () => {
    const mine = await query(ada, '$[state = "open"].id');
    const theirs = await query(ben, '$[state = "open"].id');
    expect(mine.count).toBeGreaterThan(0);
    expect(theirs.results).not.toEqual(mine.results);
  });
});
