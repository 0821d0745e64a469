import { describe, expect, it } from 'vitest';
import { LISTS, OF_LISTS } from '../../test-support/declarative/lists.ts';
import { documentWith, item, readerOf, recordsOf } from '../../test-support/declarative/things.ts';
import { afterOf, NextParentCursor } from './parent-cursors.ts';

const child = {
  ...OF_LISTS,
  request: { ...OF_LISTS.request, query: { since: '$substring(cursor, 0, 10)' } },
  incremental: { column: 'at', lookBack: 0 },
};
const failures = [{ status: 403, means: 'no-records' }];
const document = documentWith({}, { failures, entities: [LISTS, child] });
const day = (id: number) => item(id).at.slice(0, 10);

/** A service with lists of items by their days. A list without items is refused. */
async function startService() {
  const service: { items: Record<string, number[] | undefined>; asked: string[] } = { items: {}, asked: [] };
  const reader = await readerOf(({ pathname, searchParams }, _, response) => {
    const [, , list] = pathname.split('/');
    if (list === undefined) return { items: Object.keys(service.items).map((id) => item(Number(id))) };
    const since = searchParams.get('since');
    service.asked.push(`${list} ${since}`);
    const ids = service.items[list];
    if (ids) return { items: ids.map(item).filter(({ at }) => since === null || at >= since) };
    response.statusCode = 403;
    return {};
  }, document);
  /** Runs once more. @returns what was asked for, the ids of the records, and the cursor of the next run */
  const run = async (cursor: unknown) => {
    service.asked = [];
    const done = await reader.run({ cursor: cursor as never });
    const ids = recordsOf(done).map(({ id }) => Number(id));
    return {
      asked: service.asked,
      ids: ids.sort((one, other) => one - other),
      cursor: done.completion.cursor,
    };
  };
  return { service, run };
}

describe('an incremental run of the records of parents', () => {
  it('reads those of each parent from its own largest value', async () => {
    const { service, run } = await startService();
    service.items = { 1: [10, 11], 2: [20, 25] };
    const first = await run(null);
    expect(first.asked).toEqual(['1 null', '2 null']);
    service.items = { 1: [10, 11, 15], 2: [20, 25, 26] };
    const second = await run(first.cursor);
    expect(second.asked).toEqual([`1 ${day(11)}`, `2 ${day(25)}`]);
    expect(second.ids).toEqual([11, 15, 25, 26]);
    expect((await run(second.cursor)).asked).toEqual([`1 ${day(15)}`, `2 ${day(26)}`]);
  });

  it('reads all of a parent that is new, or had no records', async () => {
    const { service, run } = await startService();
    service.items = { 1: [30], 3: [] };
    const { cursor } = await run(null);
    service.items = { 1: [30], 2: [4, 5], 3: [6] };
    const second = await run(cursor);
    expect(second.asked).toEqual([`1 ${day(30)}`, '2 null', '3 null']);
    expect(second.ids).toEqual([4, 5, 6, 30]);
    expect((await run(second.cursor)).asked).toEqual([`1 ${day(30)}`, `2 ${day(5)}`, `3 ${day(6)}`]);
  });

  it('reads a parent again from where it was before it was refused', async () => {
    const { service, run } = await startService();
    service.items = { 1: [30], 2: [12] };
    const { cursor } = await run(null);
    service.items = { 1: [30, 31], 2: undefined };
    const second = await run(cursor);
    service.items = { 1: [30, 31], 2: [12, 13] };
    const third = await run(second.cursor);
    expect(third.asked).toEqual([`1 ${day(31)}`, `2 ${day(12)}`]);
    expect(third.ids).toContain(13);
  });

  it('reads all parents from one value with a cursor of an earlier version', async () => {
    const { service, run } = await startService();
    service.items = { 1: [10], 2: [20] };
    const { parents: _, ...cursor } = (await run(null)).cursor as Record<string, unknown>;
    service.items = { 1: [10], 2: [20, 21] };
    const next = await run(cursor);
    expect(next.asked).toEqual([`1 ${day(20)}`, `2 ${day(20)}`]);
    // One without changes is not read from the beginning because of that.
    expect((await run(next.cursor)).asked).toEqual([`1 ${day(20)}`, `2 ${day(21)}`]);
  });
});

describe('the values of parents', () => {
  it('are none for too many parents', () => {
    for (const count of [1000, 1001]) {
      const cursors = new NextParentCursor(undefined, null);
      for (let index = 0; index < count; index++) cursors.add(`parent ${index}`, [index, 7], undefined);
      const next = cursors.next(500);
      expect(next === undefined).toBe(count > 1000);
      if (next) expect([0, 8, 900].map((index) => afterOf(next, `parent ${index}`))).toEqual([7, 8, 500]);
    }
  });

  it('stay where it is not known which parents there are', () => {
    const before = new NextParentCursor(undefined, null);
    for (const parent of ['a', 'b']) before.add(parent, [3], undefined);
    for (const gap of ['list', undefined] as const) {
      const cursors = new NextParentCursor(before.next(9), 3);
      cursors.add('a', [5], undefined);
      cursors.add(undefined, [], gap);
      const next = cursors.next(9) ?? {};
      expect(['a', 'b', 'c'].map((parent) => afterOf(next, parent))).toEqual([5, gap && 3, undefined]);
    }
  });

  it('are found for a page of very many records', () => {
    const cursors = new NextParentCursor(undefined, null);
    cursors.add(
      'a',
      Array.from({ length: 200_000 }, (_, index) => index),
      undefined,
    );
    expect(afterOf(cursors.next(1e9) ?? {}, 'a')).toBe(199_999);
  });
});
