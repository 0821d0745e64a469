import { describe, expect, it } from 'vitest';
import {
  type Answer,
  documentWith,
  item,
  readerOf,
  recordsOf,
  SECRET,
} from '../../test-support/declarative/things.ts';
import { EntityMapper } from './entity-mapper.ts';
import { FAILED_ANSWER } from './expression.ts';
import { declarativeConnector } from './index.ts';

describe('an answer', () => {
  it('keeps its charset', async () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><rss version="2.0"><channel><title>M\u00fcller</title>
      <item><guid>1</guid><title>Gr\u00fc\u00dfe</title><pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate></item></channel></rss>`;
    const document = documentWith({
      request: { path: '/feed', decode: 'feed' },
      date: 'record.published',
      columns: { name: { type: 'text', value: 'record.title' } },
    });
    const reader = await readerOf(() => Buffer.from(xml, 'latin1'), document);
    expect(recordsOf(await reader.run()).map(({ columns }) => columns.name)).toEqual(['Gr\u00fc\u00dfe']);
  });

  it.each([undefined, [], null, false, '', 0])('is no failure if its errors are %j', async (errors) => {
    const reader = await readerOf(
      () => ({ items: [item(1)], errors }),
      documentWith({}, { failed: 'response.errors' }),
    );
    expect(recordsOf(await reader.run())).toHaveLength(1);
  });

  it('is a failure with errors, without their text', async () => {
    const errors = [{ message: `bad ${SECRET}` }];
    const reader = await readerOf(
      () => ({ items: [item(1)], errors }),
      documentWith({}, { failed: 'response.errors' }),
    );
    expect(await reader.failure()).toBe('malformed');
  });

  it.each([
    [FAILED_ANSWER.permanent, 'malformed'],
    [FAILED_ANSWER.temporary, 'unavailable'],
  ])('is a failure by an expression of records: %s', async (text, failure) => {
    const records = `response.errors ? $error(${JSON.stringify(text)}) : response.items`;
    const reader = await readerOf(() => ({ items: [item(1)], errors: [1] }), documentWith({ records }));
    expect(await reader.failure()).toBe(failure);
  });

  it('keeps the records of which an expression fails, with the values of the others', async () => {
    const document = documentWith({
      add: { double: 'record.size * 2' },
      key: "record.kind & '/' & record.id",
      columns: {
        name: { type: 'text', value: 'record.name' },
        double: { type: 'number', value: 'record.double' },
        upper: { type: 'text', value: '$uppercase(record.name)' },
      },
    });
    const items = [
      { ...item(1), kind: 'a', size: 4 },
      { ...item(2), kind: 'b', size: 'x' },
      { ...item(3), kind: 'c', name: 7 },
    ];
    const reader = await readerOf(() => ({ items }), document);
    const found = recordsOf(await reader.run()).map(({ id, columns }) => [id, columns.double, columns.upper]);
    expect(found).toEqual([
      ['c/3', null, null],
      ['b/2', null, 'ITEM 2'],
      ['a/1', 8, 'ITEM 1'],
    ]);
  });

  it('may have the key among the added fields', async () => {
    const document = documentWith({ add: { uid: "'x' & record.id" }, key: 'record.uid' });
    const reader = await readerOf(() => ({ items: [item(1), item(2)] }), document);
    expect(recordsOf(await reader.run()).map(({ id }) => id)).toEqual(['x2', 'x1']);
  });

  it('with fewer records than the provider counts is a partial list', async () => {
    const document = documentWith({ sortedBy: 'at', total: 'response.total' });
    for (const total of [2, 40]) {
      const reader = await readerOf(() => ({ items: [item(2), item(1)], total }), document);
      const { completion } = await reader.run();
      expect(completion.isListPartial).toBe(total === 40 ? true : undefined);
    }
  });
});

describe('the address of a next page', () => {
  const names = { link: 'link', address: 'address', cursor: 'cursor' } as const;
  const secrets = [SECRET, encodeURIComponent(SECRET), SECRET.replace('a', '%61')];

  it.each(Object.keys(names))('has no secret in a checkpoint (%s)', async (kind) => {
    for (const secret of secrets) {
      const pagination =
        kind === 'link'
          ? { kind }
          : kind === 'address'
            ? { kind, next: 'response.next' }
            : { kind, in: 'query', parameter: 'after', next: 'response.next' };
      const reader = await readerOf(
        (url, _, response) => {
          if (url.searchParams.has('after')) return { items: [item(1)] };
          const next = kind === 'cursor' ? `after-${SECRET}` : `/items?access_token=${secret}&after=1`;
          if (kind === 'link') response.setHeader('link', `<${next}>; rel="next"`);
          return { items: [item(2)], next };
        },
        documentWith({ pagination, sortedBy: 'at' }),
      );
      if (kind === 'cursor') expect(await reader.failure()).toBe('malformed');
      else {
        const run = await reader.run();
        expect(recordsOf(run)).toHaveLength(2);
        expect(JSON.stringify(run.pages.map(({ checkpoint }) => checkpoint))).not.toContain(SECRET);
      }
    }
  });
});

describe('the lists of parents', () => {
  const parts = {
    date: 'record.at',
    titleColumn: 'name',
    columns: { name: { type: 'text', value: 'record.name' } },
  };
  const template = (key: string) => [{ kind: 'records', key, title: 'All', description: 'All.' }];
  const document = documentWith(
    {},
    {
      entities: [
        {
          id: 'things-lists',
          title: 'Lists',
          description: 'Lists.',
          request: { path: '/lists' },
          records: 'response',
          ...parts,
          templates: template('things-lists'),
        },
        {
          ...{ id: 'things-items', title: 'Items', description: 'Items.', parent: 'things-lists', ...parts },
          request: { path: '/lists/{parent.id}' },
          records: 'response.items',
          pagination: { kind: 'cursor', in: 'query', parameter: 'after', next: 'response.next' },
          templates: template('things-items'),
        },
      ],
    },
  );

  /** Answers with two lists; `gone` says which requests are answered by 404. */
  const answering =
    (gone: (list: string, page: string) => boolean): Answer =>
    (url, _, response) => {
      if (url.pathname === '/lists') return [item(1), item(2)];
      const list = url.pathname.split('/')[2] ?? '';
      const page = url.searchParams.get('after') ?? 'first';
      if (gone(list, page)) return response.writeHead(404).end();
      return {
        items: [item(Number(list) * 10 + (page === 'first' ? 0 : 1))],
        ...(page === 'first' && { next: 'second' }),
      };
    };

  it('leave out a parent that is gone', async () => {
    const reader = await readerOf(
      answering((list) => list === '1'),
      document,
    );
    expect(recordsOf(await reader.run()).map(({ id }) => id)).toEqual(['21', '20']);
  });

  it.each([
    ['all parents are gone', () => true],
    ['a later page is gone', (list: string, page: string) => list === '1' && page === 'second'],
  ])('fail, so that nothing counts as deleted, if %s', async (_, gone) => {
    const reader = await readerOf(answering(gone), document);
    expect(await reader.failure()).toBe('not-found');
  });
});

describe('a list that a change reorders', () => {
  it('misses no record that changes during a run, also after a resume at the limit', async () => {
    const items = Array.from({ length: 30 }, (_, index) => item(30 - index));
    const document = documentWith({
      sortedBy: 'at',
      incremental: { column: 'at' },
      pagination: { kind: 'page', parameter: 'page', size: 10 },
    });
    const reader = await readerOf((url) => {
      const page = Number(url.searchParams.get('page'));
      return { items: items.slice(10 * (page - 1), 10 * page) };
    }, document);
    const source = reader.read(reader.request({ limit: 40 }));
    const { value } = await source.next();
    await source.return({ cursor: null, truncated: false });
    if (!value || !('records' in value)) throw new Error('the run has no page');
    // The last one moves to the start.
    items.pop();
    items.unshift({ ...item(1), at: '2026-03-01T00:00:00.000Z' });
    const rest = await reader.run({ checkpoint: value.checkpoint, limit: 30 });
    const ids = [...value.records, ...recordsOf(rest)].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(items.map(({ id }) => String(id))));
  });
});

describe('an expression', () => {
  it.each([
    { request: { path: '/items', headers: { 'x-a': `'v'\n), "host": ('internal.example'` } } },
    { request: { path: '/items', query: { a: '1 /*', b: '*/ 2' } } },
    { add: { a: '1), "b": (2' } },
    { key: '$$.rows[0].record.id' },
    { columns: { name: { type: 'text', value: '$count($$.rows)' } } },
  ])('reaches neither into another one nor into other records: %j', (entity) => {
    const document = documentWith(entity);
    expect(() => new EntityMapper(document, document.entities[0] as never)).toThrow();
  });
});

describe('a secret', () => {
  it('is not sent to another address than the one that it was entered for', () => {
    const connector = declarativeConnector(documentWith(), { baseUrl: 'https://other.example' });
    const credentials = { accessToken: SECRET, scopes: [] };
    const boundTo = (address: string) => ({ ...credentials, fields: { '@base': address } });
    expect(() => connector.accessOf?.(boundTo('https://things.example.com'))).toThrow(/another address/);
    expect(connector.accessOf?.(boundTo('https://other.example'))?.apiUrl).toBe('https://other.example');
  });
});
