import { type ChartData, ENDPOINTS, type SharedPage, type ViewResults } from '@datadeck/contract';
import { configureStore } from '@reduxjs/toolkit';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import { callOf } from '../../api/call-of.ts';
import { unreadable } from '../../api/failure.ts';
import type { RequestError, RequestOptions } from '../../api/request.ts';
import type { ShareClient } from './share-client.ts';

/** A page of the rows of a tile; without a sort, in the order that the owner chose. */
export interface SharedRowsPage {
  tileId: string;
  page: number;
  sort?: string;
}

// The client is the extra argument of the store, so that each page has a session of its own.
const baseQuery: BaseQueryFn<RequestOptions, unknown, RequestError> = (options, { signal, extra }) =>
  (extra as ShareClient).send({ ...options, signal });

/** The API of a shared page. It knows no account. */
export const sharedApi = createApi({
  reducerPath: 'shared',
  baseQuery,
  tagTypes: ['Share'],
  refetchOnFocus: false,
  refetchOnReconnect: false,
  catchSchemaFailure: ({ message }) => unreadable(message),
  endpoints: (build) => ({
    sharedPage: build.query<SharedPage, void>({
      query: () => callOf('sharedPage'),
      responseSchema: ENDPOINTS.sharedPage.response,
      providesTags: ['Share'],
    }),
    sharedRows: build.query<ViewResults, SharedRowsPage>({
      query: ({ tileId, ...query }) => callOf('sharedRows', { params: { tileId }, query }),
      responseSchema: ENDPOINTS.sharedRows.response,
      providesTags: ['Share'],
    }),
    sharedChart: build.query<ChartData, { tileId: string; timeZone: string }>({
      query: ({ tileId, timeZone }) => callOf('sharedChart', { params: { tileId }, query: { timeZone } }),
      responseSchema: ENDPOINTS.sharedChart.response,
      providesTags: ['Share'],
    }),
  }),
});

export const { useSharedPageQuery, useSharedRowsQuery, useSharedChartQuery } = sharedApi;

/** Creates the store of a shared page that is open. */
export function createSharedStore(client: ShareClient) {
  return configureStore({
    reducer: { [sharedApi.reducerPath]: sharedApi.reducer },
    middleware: (defaults) => defaults({ thunk: { extraArgument: client } }).concat(sharedApi.middleware),
    // Not with the next frame, which is the default: a page in the background has none.
    enhancers: (defaults) => defaults({ autoBatch: { type: 'tick' } }),
  });
}

export type SharedState = ReturnType<ReturnType<typeof createSharedStore>['getState']>;
