import {
  ENDPOINTS,
  type QueryAnswer,
  type RunQuery,
  type SavedQuery,
  type SaveQuery,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';

const queriesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    savedQueries: build.query<SavedQuery[], void>({
      query: () => callOf('savedQueries'),
      responseSchema: ENDPOINTS.savedQueries.response,
      providesTags: ['JnataQueries'],
    }),
    saveQuery: build.mutation<SavedQuery, SaveQuery>({
      query: (body) => callOf('saveQuery', { body }),
      invalidatesTags: ['JnataQueries'],
    }),
    updateQuery: build.mutation<SavedQuery, SaveQuery & { id: string }>({
      query: ({ id, ...body }) => callOf('updateQuery', { params: { id }, body }),
      invalidatesTags: ['JnataQueries'],
    }),
    deleteQuery: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('deleteQuery', { params: { id } }),
      invalidatesTags: ['JnataQueries'],
    }),
    runQuery: build.query<QueryAnswer, RunQuery>({
      query: (body) => callOf('runQuery', { body }),
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
