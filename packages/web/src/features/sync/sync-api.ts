import {
  ENDPOINTS,
  STALE_TAGS,
  type StartSync,
  type SyncDays,
  type SyncNews,
  type SyncPlan,
  type SyncStatus,
  type UserEntity,
  type Verification,
  type SyncHistory as WireHistory,
  type Sync as WireSync,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Sync, toSync } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';

/** The syncs of the history that are meant. */
export interface HistoryFilter {
  provider?: string;
  entity?: string;
  account?: string;
  status?: SyncStatus | '';
}

export interface HistoryQuery extends HistoryFilter {
  /** ISO instants between which a sync ended. */
  from?: string;
  to?: string;
  page: number;
}

export const syncApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    syncs: build.query<Sync[], string>({
      query: (providers) => callOf('syncs', { query: { providers } }),
      rawResponseSchema: ENDPOINTS.syncs.response,
      transformResponse: (syncs: WireSync[]) => syncs.map(toSync),
      providesTags: ['Synchronizations'],
    }),
    syncHistory: build.query<{ results: Sync[]; count: number }, HistoryQuery>({
      query: (query) => callOf('syncHistory', { query: { ...query } }),
      rawResponseSchema: ENDPOINTS.syncHistory.response,
      transformResponse: ({ results, count }: WireHistory) => ({ results: results.map(toSync), count }),
      providesTags: ['Synchronizations'],
    }),
    syncDays: build.query<SyncDays, HistoryFilter & { timeZone: string }>({
      query: (query) => callOf('syncDays', { query: { ...query } }),
      responseSchema: ENDPOINTS.syncDays.response,
      providesTags: ['Synchronizations'],
    }),
    syncNews: build.query<SyncNews, string>({
      query: (from) => callOf('syncNews', { query: { from } }),
      responseSchema: ENDPOINTS.syncNews.response,
      providesTags: ['Synchronizations'],
    }),
    entities: build.query<UserEntity[], void>({
      query: () => callOf('entities'),
      responseSchema: ENDPOINTS.entities.response,
      providesTags: ['Entities'],
    }),
    planSync: build.query<SyncPlan, Omit<StartSync, 'prevSyncId' | 'generalSettings'>>({
      query: (body) => callOf('planSync', { body }),
      responseSchema: ENDPOINTS.planSync.response,
      providesTags: ['Synchronizations'],
    }),
    verifySync: build.mutation<Verification, string>({
      query: (id) => callOf('verifySync', { params: { id } }),
      responseSchema: ENDPOINTS.verifySync.response,
    }),
    startSync: build.mutation<Sync, StartSync>({
      query: (body) => callOf('startSync', { body }),
      rawResponseSchema: ENDPOINTS.startSync.response,
      transformResponse: toSync,
      invalidatesTags: refreshes('Synchronizations', 'Entities'),
    }),
    deleteSync: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('deleteSync', { params: { id } }),
      invalidatesTags: refreshes(...STALE_TAGS.records),
    }),
    cancelSync: build.mutation<unknown, string>({
      query: (id) => callOf('cancelSync', { params: { id } }),
      invalidatesTags: refreshes('Synchronizations', 'Entities'),
    }),
  }),
});

export const {
  useSyncsQuery,
  useSyncHistoryQuery,
  useSyncDaysQuery,
  useSyncNewsQuery,
  useEntitiesQuery,
  usePlanSyncQuery,
  useVerifySyncMutation,
  useStartSyncMutation,
  useDeleteSyncMutation,
  useCancelSyncMutation,
  endpoints: syncEndpoints,
} = syncApi;
