import { ENDPOINTS, type SearchRequest, type SearchResults, type SearchValues } from '@datadeck/contract';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';

type ValuesQuery = { operator: 'from' | 'to' | 'author' | 'label' | 'in' | 'repo' | 'account'; text: string };

const searchApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    search: build.query<SearchResults, SearchRequest>({
      query: (query) => callOf('search', { query: { ...query } }),
      responseSchema: ENDPOINTS.search.response,
      // Found records change with the stored records and with the connections.
      providesTags: ['Entities'],
    }),
    searchValues: build.query<SearchValues, ValuesQuery>({
      query: (query) => callOf('searchValues', { query: { ...query } }),
      responseSchema: ENDPOINTS.searchValues.response,
      providesTags: ['Entities'],
    }),
  }),
});

export const { useSearchValuesQuery } = searchApi;

/** Time between two loads while records are still being indexed, ms. */
const INDEXING_INTERVAL = 5000;

/** Returns whether a load ended because a later one made it useless. */
const isCancelled = (error: unknown) =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';

/** Loads the results of a search; cancels the request of the one before. Undefined loads nothing. */
export function useSearch(query: SearchRequest | undefined) {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const last = searchApi.useSearchQuery(query ?? skipToken);
  const isIndexing = (last.data?.unindexed ?? 0) > 0;
  const { refetch, isUninitialized } = last;
  const canPoll = isIndexing && !isUninitialized;
  useEffect(() => {
    if (!canPoll) return;
    const timer = setInterval(() => void refetch(), INDEXING_INTERVAL);
    return () => clearInterval(timer);
  }, [canPoll, refetch]);
  const key = query && JSON.stringify(query);
  useEffect(() => {
    if (key === undefined) return;
    return () => {
      const request = JSON.parse(key) as SearchRequest;
      dispatch(searchApi.util.getRunningQueryThunk('search', request))?.abort();
    };
  }, [key, dispatch]);
  const error = isCancelled(last.error) ? undefined : last.error;
  return { data: last.data, currentData: last.currentData, error, isFetching: last.isFetching, refetch };
}
