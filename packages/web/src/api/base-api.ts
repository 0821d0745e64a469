import { CACHE_TAGS } from '@datadeck/contract/cache-tags';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import { pageToken } from './auth-token.ts';
import { type RequestError, type RequestOptions, type RequestSettings, request } from './request.ts';
import { requestWhenFree } from './request-when-free.ts';

/** Timeout of a request, ms. */
const TIMEOUT = 60_000;

/** The settings of every request: same origin, with this page's token when it has one. */
export const REQUEST_SETTINGS: RequestSettings = {
  baseUrl: '',
  timeout: TIMEOUT,
  prepareHeaders(headers) {
    const token = pageToken();
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
  },
};

const baseQuery: BaseQueryFn<RequestOptions, unknown, RequestError> = (options, { signal, type }) =>
  (type === 'query' ? requestWhenFree : request)({ ...options, signal }, REQUEST_SETTINGS);

/** The RTK Query API without endpoints; each feature injects its own. */
export const baseApi = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: CACHE_TAGS,
  keepUnusedDataFor: 60,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  invalidationBehavior: 'delayed',
  catchSchemaFailure: (failure) => ({
    status: 'PARSING_ERROR' as const,
    originalStatus: 200,
    data: '',
    error: failure.message,
  }),
  endpoints: () => ({}),
});
