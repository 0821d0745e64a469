import { BOUNDS, ENDPOINTS, type QueryAnswer } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { unreadable } from '../../api/failure.ts';
import {
  type RunQuery,
  type SavedQuery,
  type SaveQuery,
  toRunQuery,
  toSavedQuery,
  withWireExpression,
} from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';

const queriesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    savedQueries: build.query<SavedQuery[], void>({
      async queryFn(_none, _api, _options, fetchBase) {
        const all: SavedQuery[] = [];
        for (let page = 1; page <= BOUNDS.queriesPerUser / BOUNDS.queriesPage; page++) {
          const answer = await fetchBase(callOf('savedQueries', page > 1 ? { query: { page } } : {}));
          if (answer.error !== undefined) return { error: answer.error };
          const queries = ENDPOINTS.savedQueries.response.safeParse(answer.data);
          if (!queries.success) return { error: unreadable(queries.error.message) };
          all.push(...queries.data.map(toSavedQuery));
          if (queries.data.length < BOUNDS.queriesPage) break;
        }
        return { data: all };
      },
      providesTags: ['JnataQueries'],
    }),
    saveQuery: build.mutation<unknown, SaveQuery>({
      query: (query) => callOf('saveQuery', { body: withWireExpression(query) }),
      invalidatesTags: refreshes('JnataQueries'),
    }),
    updateQuery: build.mutation<unknown, SaveQuery & { id: string }>({
      query: ({ id, ...query }) => callOf('updateQuery', { params: { id }, body: withWireExpression(query) }),
      invalidatesTags: refreshes('JnataQueries'),
    }),
    deleteQuery: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('deleteQuery', { params: { id } }),
      invalidatesTags: refreshes('JnataQueries'),
    }),
    runQuery: build.query<QueryAnswer, RunQuery>({
      query: (run) => callOf('runQuery', { body: toRunQuery(run) }),
      responseSchema: ENDPOINTS.runQuery.response,
      providesTags: ['Aggregation'],
    }),
  }),
});

export const {
  useSavedQueriesQuery,
  useSaveQueryMutation,
  useUpdateQueryMutation,
  useDeleteQueryMutation,
  useRunQueryQuery,
  endpoints: queriesEndpoints,
} = queriesApi;
