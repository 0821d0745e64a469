import { describe, expect, it } from 'vitest';
import { documentWith, item, readerOf, recordsOf } from '../../test-support/declarative/things.ts';

describe('a list that is asked for by numbers', () => {
  it('of each of 5,100 parents is read', async () => {
    const [entity] = documentWith().entities;
    const lists = { ...entity, id: 'things-lists', request: { path: '/lists' }, records: 'response' };
    const templates = [{ kind: 'records', key: 'things-lists', title: 'All', description: 'All.' }];
    const document = documentWith(
      {},
      {
        entities: [
          { ...lists, templates },
          {
            ...entity,
            parent: 'things-lists',
            request: { path: '/lists/{parent.id}' },
            pagination: { kind: 'page', parameter: 'at', size: 10 },
          },
        ],
      },
    );
    const reader = await readerOf((url) => {
      const list = url.pathname.split('/')[2];
      if (list === undefined) return Array.from({ length: 5100 }, (_, id) => ({ ...item(1), id }));
      return { items: url.searchParams.get('at') === '1' ? [{ ...item(1), id: Number(list) }] : [] };
    }, document);
    expect(recordsOf(await reader.run({ limit: 6000 }))).toHaveLength(5100);
  });
});
