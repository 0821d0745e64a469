import { describe, expect, it } from 'vitest';
import {
  failsFrom,
  LISTS,
  NOTHING_HERE,
  OF_LISTS,
  PAGINATIONS,
} from '../../test-support/declarative/lists.ts';
import {
  type Answer,
  documentWith,
  item,
  readerOf,
  recordsOf,
} from '../../test-support/declarative/things.ts';

/** Statuses by which services say that there is nothing, and others. */
const STATUSES = [200, 400, 404, 422, 401, 402, 403, 429, 451, 500, 503];
const SAY_NOTHING = STATUSES.slice(0, 4);
/** Those that refuse a request, which may be for any reason after a full page. */
const REFUSED = [400, 422];
const incremental = { column: 'at', lookBack: 0 };

describe('a list of which a refusal leaves something unknown', () => {
  it.each(PAGINATIONS)('does not count as whole: %j', async (pagination) => {
    const isNumbered = 'size' in pagination;
    for (const order of [{ sortedBy: 'at' }, {}]) {
      let answer = failsFrom(1, 200);
      const document = documentWith({ pagination, incremental, ...order }, NOTHING_HERE);
      const reader = await readerOf((...request) => answer(...request), document);
      for (const [status, page] of STATUSES.flatMap((one) => [1, 2, 3].map((at) => [one, at] as const))) {
        answer = failsFrom(page, status);
        const run = await reader.run();
        const { cursor, isListPartial = false, truncated } = run.completion;
        const mayEnd = page === 1 || (isNumbered && !REFUSED.includes(status));
        const isEnd = SAY_NOTHING.includes(status) && mayEnd;
        const context = `status ${status} from page ${page}`;
        expect(recordsOf(run), context).toHaveLength(2 * (page - 1));
        expect(isListPartial, context).toBe(!isEnd);
        // A list that was not read to its end is read again.
        if (page > 1) expect(cursor === null, context).toBe(!isEnd);
        expect(truncated, context).toBe(false);
      }
    }
  });

  it.each([{ sortedBy: 'at' }, {}])('keeps the cursor in an incremental run: %j', async (order) => {
    let page = 9;
    const answer: Answer = (url, request, response) =>
      url.searchParams.get('page') === '4' ? { items: [] } : failsFrom(page, 403)(url, request, response);
    const pagination = { kind: 'cursor', in: 'query', parameter: 'page', next: 'response.next' };
    const reader = await readerOf(answer, documentWith({ pagination, incremental, ...order }, NOTHING_HERE));
    const { cursor } = (await reader.run()).completion;
    page = 2;
    const next = await reader.run({ cursor });
    expect(next.completion.cursor).toEqual(cursor);
  });

  it.each([2, 1])('ends a numbered list by a refusal after a short page only: %i records', async (count) => {
    const answer: Answer = ({ searchParams }, _, response) => {
      if (searchParams.get('page') === '1') return { items: [2, 1].slice(0, count).map(item) };
      response.statusCode = 400;
      return { error: 'nothing here' };
    };
    const pagination = { kind: 'page', parameter: 'page', size: 2 };
    const { completion } = await (await readerOf(answer, documentWith({ pagination }, NOTHING_HERE))).run();
    expect(completion.isListPartial).toBe(count === 2 ? true : undefined);
  });

  it('keeps the cursor of an incremental run in which a parent is refused', async () => {
    let [isRefused, newest] = [false, 3];
    const reader = await readerOf(
      ({ pathname }, _, response) => {
        if (pathname === '/lists') return { items: [1, 2].map(item) };
        if (pathname === '/lists/1') return { items: [item(newest)] };
        if (!isRefused) return { items: [item(4)] };
        response.statusCode = 403;
        return { error: 'nothing here' };
      },
      documentWith({}, { ...NOTHING_HERE, entities: [LISTS, { ...OF_LISTS, incremental }] }),
    );
    const { cursor } = (await reader.run()).completion;
    [isRefused, newest] = [true, 9];
    const after = (cursor as { after: number }).after;
    expect((await reader.run({ cursor })).completion.cursor).toMatchObject({ after });
    isRefused = false;
    expect((await reader.run({ cursor })).completion.cursor).not.toMatchObject({ after });
  });

  it('is noticed when the start of a list is read again', async () => {
    let requests = 0;
    const document = documentWith({ sortedBy: 'at' }, NOTHING_HERE);
    const reader = await readerOf((_url, _request, response) => {
      if (++requests === 1) return { items: [2, 1].map(item) };
      response.statusCode = 403;
      return { error: 'nothing here' };
    }, document);
    expect((await reader.run()).completion.isListPartial).toBe(true);
  });

  it.each([1, 2])('is that of each parent, and of those that are not known: %i', async (level) => {
    const pagination = { kind: 'cursor', in: 'query', parameter: 'page', next: 'response.next' };
    const document = documentWith({}, { ...NOTHING_HERE, entities: [{ ...LISTS, pagination }, OF_LISTS] });
    const reader = await readerOf(({ pathname, searchParams }, _, response) => {
      const isList = pathname === '/lists';
      if (level === 1 ? searchParams.get('page') === '2' : pathname === '/lists/2') {
        response.statusCode = 403;
        return { error: 'nothing here' };
      }
      if (!isList) return { items: [item(Number(pathname.split('/')[2]))] };
      return { items: [1, 2, 3].map(item), ...(level === 1 && { next: 2 }) };
    }, document);
    const run = await reader.run();
    expect(recordsOf(run)).toHaveLength(level === 1 ? 3 : 2);
    expect(run.completion.isListPartial).toBe(true);
  });
});

describe('an entity whose service lists recent records only', () => {
  it.each([{ sortedBy: 'at' }, {}])('keeps what it no longer lists: %j', async (order) => {
    const answer: Answer = () => ({ items: [2, 1].map(item) });
    for (const keepUnlisted of [true, undefined]) {
      const reader = await readerOf(answer, documentWith({ ...order, incremental, keepUnlisted }));
      const { completion } = await reader.run();
      expect(completion.isListPartial).toBe(keepUnlisted);
      expect(completion.cursor).not.toBeNull();
    }
  });
});
