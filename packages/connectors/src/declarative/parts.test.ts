import { describe, expect, it } from 'vitest';
import {
  type Answer,
  documentWith,
  item,
  readerOf,
  recordsOf,
} from '../../test-support/declarative/things.ts';

/** Records of each part by two pages; the services write down what they were asked for. */
function service(parts: readonly string[]) {
  const asked: string[] = [];
  const answer: Answer = (url) => {
    asked.push(`${url.pathname}${url.search}`);
    const index = parts.indexOf(url.searchParams.get('of') ?? '');
    const page = Number(url.searchParams.get('at'));
    if (index < 0 || page > 2) return { items: [] };
    return { items: [item(index * 10 + page)] };
  };
  return { asked, answer };
}

const PAGES = { kind: 'page', parameter: 'at', size: 1 };

describe('an entity with parts', () => {
  it.each([['["a"]'], ['["a", "b", "c"]'], ["$split('a,b', ',')"], ['"a"']])(
    'is requested once for each value of %s, with the pages of each',
    async (parts) => {
      const values = parts.match(/[abc]/g) ?? [];
      const { asked, answer } = service(values);
      const request = { path: '/things', query: { of: 'part' } };
      const reader = await readerOf(answer, documentWith({ parts, request, pagination: PAGES }));
      const run = await reader.run();
      expect(asked).toEqual(values.flatMap((one) => [1, 2, 3].map((page) => `/things?of=${one}&at=${page}`)));
      expect(recordsOf(run)).toHaveLength(2 * values.length);
      expect(run.completion.truncated).toBe(false);
    },
  );

  it('is empty without a part, and asks for nothing', async () => {
    const { asked, answer } = service([]);
    const reader = await readerOf(answer, documentWith({ parts: '[]' }));
    expect(recordsOf(await reader.run())).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('has parts of what changed in a later run, such as days', async () => {
    const asked: string[] = [];
    const day = 86_400_000;
    const parts = `($from := cursor ? $toMillis(cursor) : $toMillis(now) - ${3 * day};
      $map([0..$floor(($toMillis(now) - $from) / ${day})], function($i){ {"from": $from + $i * ${day}} }))`;
    const reader = await readerOf(
      (url) => {
        asked.push(url.searchParams.get('from') ?? '');
        return {
          items: [
            { ...item(asked.length), at: new Date(Number(url.searchParams.get('from'))).toISOString() },
          ],
        };
      },
      documentWith({
        parts,
        request: { path: '/things', query: { from: '$string(part.from)' } },
        incremental: { column: 'at', lookBack: 0 },
      }),
    );
    const { completion } = await reader.run();
    expect(asked).toHaveLength(4);
    await reader.run({ cursor: completion.cursor });
    // The provider's clock has whole seconds.
    expect(completion.cursor).toMatchObject({ after: expect.any(Number) });
    expect(asked.slice(4)).toEqual([String((completion.cursor as { after: number }).after)]);
  });

  it('fails if a part of a parent is gone, of which the others would count as deleted', async () => {
    const [entity] = documentWith().entities;
    const templates = [{ kind: 'records', key: 'things-lists', title: 'All', description: 'All.' }];
    const lists = { ...entity, id: 'things-lists', request: { path: '/lists' }, templates };
    const request = { path: '/lists/{parent.id}/{part}' };
    const child = { ...entity, parent: 'things-lists', parts: '["a", "b"]', request };
    const document = documentWith({}, { entities: [lists, child] });
    const reader = await readerOf(({ pathname }, _, response) => {
      if (pathname === '/lists/1/a') return response.writeHead(404).end();
      return {
        items: pathname === '/lists' ? [item(1), item(2)] : [item(pathname === '/lists/2/a' ? 3 : 4)],
      };
    }, document);
    expect(await reader.failure()).toBe('not-found');
  });

  it('fails with a sentence for parts that are no values, or too many', async () => {
    for (const [parts, failure] of [
      ['[$pad("x", 3000)]', 'malformed'],
      ['[0..20000]', 'invalid'],
      ['config.missing', 'invalid'],
      ['null', 'invalid'],
      ['$error("x")', 'malformed'],
    ] as const) {
      const reader = await readerOf(() => ({ items: [] }), documentWith({ parts }));
      expect(await reader.failure(), parts).toBe(failure);
    }
  });
});
