import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  documentWith,
  item,
  readerOf,
  readersOf,
  recordsOf,
} from '../../test-support/declarative/things.ts';

/** What a service answers past the end of a list. */
const ENDS = ['empty', 'not-found', 'last-page'] as const;
/** Sizes that documents ask for, and the most that services send. */
const SIZES = [1, 4, 10];
const CAPS = [3, 10];
const COUNTS = [0, 1, 3, 4, 10, 12, 23];

/** A way to ask for pages by numbers. */
interface Numbers {
  kind: 'page' | 'offset';
  first?: number;
  size: number;
  in?: 'query' | 'body' | 'header';
  sendFirst?: boolean;
}

const NUMBERS: readonly Numbers[] = [
  ...SIZES.flatMap((size) => [
    { kind: 'page' as const, first: 0, size },
    { kind: 'page' as const, first: 1, size },
    { kind: 'offset' as const, size },
  ]),
  ...(['query', 'body', 'header'] as const).flatMap((place, index) =>
    (place === 'query' ? [false] : [true, false]).flatMap((sendFirst) => [
      { kind: 'page' as const, first: [0, 7, 1_000_000][index] ?? 1, size: 4, in: place, sendFirst },
      { kind: 'offset' as const, size: 4, in: place, sendFirst },
    ]),
  ),
];

/** A service: how many records it has, the most that it sends, and its end. */
interface Service {
  count: number;
  cap: number;
  end: (typeof ENDS)[number];
}

/** Returns the services that ways of asking can be read whole: one page that is repeated looks like a parameter that is not read. */
const servicesOf = ({ size }: Numbers): Service[] =>
  COUNTS.flatMap((count) => CAPS.flatMap((cap) => ENDS.map((end) => ({ count, cap, end })))).filter(
    ({ count, cap, end }) => end !== 'last-page' || count > Math.min(size, cap),
  );

const allOf = (count: number) => Array.from({ length: count }, (_, index) => item(count - index));

/** Returns number and size of a page as a request sends them in its query, body or headers. */
async function sentNumbers({ searchParams }: URL, request: IncomingMessage, place: string) {
  const body = await text(request);
  const sent: Record<string, unknown> = {
    query: Object.fromEntries(searchParams),
    body: body === '' ? {} : JSON.parse(body).paging,
    header: request.headers,
  };
  return sent[place] as { at?: string | number; size: string | number };
}

/**
 * Answers one page of a list: `/page/1/query/true/12/3/empty` is asked for by pages from 1 in the query, also the first one, has 12
 * records and sends at most 3.
 */
const answerOf: Answer = async (url, request, response) => {
  const [, kind, first, place = '', isFirstSent, count, cap, end] = url.pathname.split('/');
  const sent = await sentNumbers(url, request, place);
  if (place === 'body' && typeof sent.size !== 'number') return response.writeHead(500).end();
  const size = Math.min(Number(cap), Number(sent.size));
  const at = Number(sent.at ?? first);
  // The first page is the only one that may be asked for without its number.
  if ((sent.at === undefined) !== (at === Number(first) && isFirstSent === 'false'))
    return response.writeHead(403).end();
  const last = Math.max(0, Math.ceil(Number(count) / size) - 1) * size;
  const from = kind === 'page' ? (at - Number(first)) * size : at;
  if (from > last && end === 'not-found') return response.writeHead(404).end();
  const start = from > last && end === 'last-page' ? last : from;
  return { items: allOf(Number(count)).slice(start, start + size) };
};

const paginationOf = (numbers: Numbers) => ({
  ...numbers,
  parameter: numbers.in === 'body' ? 'paging.at' : 'at',
  sizeParameter: numbers.in === 'body' ? 'paging.size' : 'size',
});
const field = (name: string) => ({ name, label: name });

/** Returns a document with an entity for each way to ask for pages. */
function documentOf(order: object) {
  const [entity] = documentWith(order).entities;
  return documentWith(
    {},
    {
      entities: NUMBERS.map((numbers, index) => ({
        ...entity,
        id: `things-${index}`,
        settings: ['count', 'cap', 'end'].map(field),
        request: {
          path: `/${numbers.kind}/${numbers.first ?? 0}/${numbers.in ?? 'query'}/${numbers.sendFirst ?? true}/{settings.count}/{settings.cap}/{settings.end}`,
        },
        pagination: paginationOf(numbers),
        templates: [{ kind: 'records', key: `things-${index}`, title: 'All', description: 'All.' }],
      })),
    },
  );
}

describe('a list that is asked for by numbers', () => {
  it.each([{}, { sortedBy: 'at' }, { sortedBy: 'at', incremental: { column: 'at' } }])(
    'is read whole, by services with pages and ends of all kinds: %j',
    async (order) => {
      const readers = await readersOf(answerOf, documentOf(order));
      for (const [index, numbers] of NUMBERS.entries())
        for (const { count, cap, end } of servicesOf(numbers)) {
          const reader = readers(`things-${index}`, { count: `${count}`, cap: `${cap}`, end });
          const run = await reader.run();
          const ids = recordsOf(run).map(({ id }) => Number(id));
          const what = JSON.stringify({ ...numbers, count, cap, end });
          expect(new Set(ids), what).toEqual(new Set(allOf(count).map(({ id }) => id)));
          expect(run.completion.truncated, what).toBe(false);
        }
    },
  );

  it('fails if the service answers each page with the first one', async () => {
    const reader = await readerOf(
      () => ({ items: allOf(10) }),
      documentWith({ pagination: paginationOf({ kind: 'page', first: 1, size: 10 }) }),
    );
    expect(await reader.failure()).toBe('malformed');
  });

  it('fails if it is gone, so that nothing counts as deleted', async () => {
    let requests = 0;
    const reader = await readerOf(
      (_url, _request, response) => (++requests > 1 ? response.writeHead(404).end() : { items: allOf(10) }),
      documentWith({ pagination: paginationOf({ kind: 'page', first: 1, size: 10 }) }),
    );
    expect(await reader.failure()).toBe('not-found');
  });

  it('ends at a shorter page, without another request, if the document says so', async () => {
    let requests = 0;
    const pagination = { ...paginationOf({ kind: 'page', first: 1, size: 10 }), end: 'short-page' };
    const reader = await readerOf((url) => {
      requests++;
      const from = (Number(url.searchParams.get('at')) - 1) * 10;
      return { items: allOf(15).slice(from, from + 10) };
    }, documentWith({ pagination }));
    expect(recordsOf(await reader.run())).toHaveLength(15);
    expect(requests).toBe(2);
  });

  /** Answers pages of 10 of a list in the order of its items. */
  const pageOf = (url: URL, count: number) => {
    const from = (Number(url.searchParams.get('at')) - 1) * 10;
    return allOf(count).slice(from, from + 10);
  };
  const sorted = { sortedBy: 'at', pagination: paginationOf({ kind: 'page', first: 1, size: 10 }) };

  it('fails if each page is the first one, also when a run continues', async () => {
    const reader = await readerOf(() => ({ items: allOf(10) }), documentWith(sorted));
    const source = reader.read(reader.request());
    const { value } = await source.next();
    await source.return({ cursor: null, truncated: false });
    if (!value || !('records' in value)) throw new Error('the run has no page');
    expect(await reader.failure({ checkpoint: value.checkpoint })).toBe('malformed');
  });

  it('is read whole from a service that has one page and says so', async () => {
    const reader = await readerOf(
      () => ({ items: allOf(5), total: 5 }),
      documentWith({ ...sorted, total: 'response.total' }),
    );
    expect(recordsOf(await reader.run())).toHaveLength(5);
  });

  it.each([undefined, 0])(
    'is partial if it lists fewer than it counts, with a last total of %j',
    async (total) => {
      const reader = await readerOf(
        (url) => {
          const items = pageOf(url, 25);
          return { items, total: items.length > 0 ? 50 : total };
        },
        documentWith({ ...sorted, total: 'response.total' }),
      );
      const { completion, pages } = await reader.run();
      expect(completion.isListPartial).toBe(true);
      const rest = await reader.run({ checkpoint: pages.at(-1)?.checkpoint ?? null });
      expect(rest.completion.isListPartial).toBe(true);
    },
  );

  it.each([400, 422])('ends where the page after a shorter one is refused with %i', async (status) => {
    const reader = await readerOf((url, _request, response) => {
      const items = pageOf(url, 15);
      return items.length > 0 ? { items } : response.writeHead(status).end('{"code":"invalid page"}');
    }, documentWith(sorted));
    const { pages } = await reader.run();
    expect(new Set(pages.flatMap(({ records }) => records.map(({ id }) => id))).size).toBe(15);
    // A run that continues there does not know the page before it: it begins again.
    const failures: unknown[] = [];
    for (const { checkpoint } of pages)
      failures.push(await reader.failure({ checkpoint }).catch((error: Error) => error.message));
    expect(failures).toContain('cursor-expired');
  });

  it('fails where a page after a full one is refused', async () => {
    const reader = await readerOf((url, _request, response) => {
      const items = pageOf(url, 20);
      return items.length > 0 ? { items } : response.writeHead(400).end('{"code":"window too large"}');
    }, documentWith(sorted));
    expect(await reader.failure()).toBe('invalid');
  });

  it.each(['page', 'offset'] as const)(
    'counts the records of a %s before some are left out, where the document says so',
    async (kind) => {
      const asked: (string | null)[] = [];
      const numbers = { kind, parameter: 'at', size: 4, end: 'short-page', count: '$count(response.items)' };
      const reader = await readerOf(
        ({ searchParams }) => {
          asked.push(searchParams.get('at'));
          const at = Number(searchParams.get('at'));
          const from = kind === 'page' ? (at - 1) * 4 : at;
          return { items: allOf(10).slice(from, from + 4) };
        },
        documentWith({ records: 'response.items[id % 3 = 0]', pagination: numbers }),
      );
      const ids = recordsOf(await reader.run()).map(({ id }) => Number(id));
      expect(ids).toEqual([9, 6, 3]);
      expect(asked).toEqual(kind === 'page' ? ['1', '2', '3'] : ['0', '4', '8']);
    },
  );
});
