import { ENDPOINTS, type ScopeChoices, type StartedAll, type SyncScope } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Sync, toSync } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';

/** An entity of an account. */
export interface SourceKey {
  providerId: string;
  entityLabel: string;
  account: string;
}

interface SaveSource extends SourceKey {
  /** Names and patterns; none to read what the settings select. */
  scopes: readonly string[];
  since: string | null;
}

/** The syncs that were started of all sources, and why others were not. */
export type StartedSyncs = Omit<StartedAll, 'started'> & { started: Sync[] };

const sourcesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    scopeChoices: build.infiniteQuery<ScopeChoices, SourceKey & { search: string }, number>({
      infiniteQueryOptions: {
        initialPageParam: 1,
        getNextPageParam: (last, pages, page) => {
          const listed = pages.reduce((sum, { results }) => sum + results.length, 0);
          return last.results.length > 0 && listed < last.count ? page + 1 : undefined;
        },
      },
      query: ({ queryArg: { providerId, entityLabel, ...query }, pageParam }) =>
        callOf('scopeChoices', { params: { providerId, entityLabel }, query: { ...query, page: pageParam } }),
      rawResponseSchema: ENDPOINTS.scopeChoices.response,
    }),
    saveSource: build.mutation<unknown, SaveSource>({
      query: ({ providerId, entityLabel, ...body }) =>
        callOf('saveSource', { params: { providerId, entityLabel }, body }),
      // A plan over the scopes of the source has the same request before and after.
      invalidatesTags: refreshes('Entities', 'Synchronizations'),
    }),
    syncScopes: build.query<{ results: SyncScope[]; count: number }, { id: string; page: number }>({
      query: ({ id, page }) => callOf('syncScopes', { params: { id }, query: { page } }),
      rawResponseSchema: ENDPOINTS.syncScopes.response,
      providesTags: ['Synchronizations'],
    }),
    startAllSyncs: build.mutation<StartedSyncs, void>({
      query: () => callOf('startAllSyncs'),
      rawResponseSchema: ENDPOINTS.startAllSyncs.response,
      transformResponse: ({ started, ...rest }: StartedAll) => ({ ...rest, started: started.map(toSync) }),
      invalidatesTags: refreshes('Synchronizations', 'Entities'),
    }),
  }),
});

export const {
  useScopeChoicesInfiniteQuery,
  useSaveSourceMutation,
  useSyncScopesQuery,
  useStartAllSyncsMutation,
} = sourcesApi;
