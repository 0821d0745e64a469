import { configureStore } from '@reduxjs/toolkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { baseApi } from '../../api/base-api.ts';
import { toSavedQuery } from '../../api/models.ts';
import { queriesEndpoints } from './queries-api.ts';

afterEach(() => vi.unstubAllGlobals());

const queriesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ _id: `${from + n}`, title: 't', jsonNataQuery: '$' }));
const expressionsOf = (queries: ReturnType<typeof queriesOf>) => queries.map(toSavedQuery);

async function load(pages: unknown[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return new Response(JSON.stringify(pages[asked.length - 1]));
  });
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
  const { data, error } = await store.dispatch(queriesEndpoints.savedQueries.initiate());
  return { asked, data, error };
}

describe('savedQueries', () => {
  it('loads the saved queries of all pages', async () => {
    const { asked, data } = await load([queriesOf(100), queriesOf(30, 100)]);
    expect(asked).toEqual(['/api/data/jnata-queries', '/api/data/jnata-queries?page=2']);
    expect(data).toEqual(expressionsOf([...queriesOf(100), ...queriesOf(30, 100)]));
  });

  it('requests one page when there are few queries', async () => {
    const { asked, data } = await load([queriesOf(3)]);
    expect(asked).toHaveLength(1);
    expect(data).toEqual(expressionsOf(queriesOf(3)));
  });

  it('reports a response that is not a list of queries', async () => {
    const { data, error } = await load([[{ title: 1 }]]);
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ status: 'PARSING_ERROR' });
  });
});
