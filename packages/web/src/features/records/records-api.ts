import {
  type ChangeKind,
  type Conversation,
  ENDPOINTS,
  type RecordChange,
  type RecordReading,
  type Results,
  type SyncChanges,
  type RecordVersions as WireVersions,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type RecordVersions, toRecordVersions } from '../../api/models.ts';

interface ExampleQuery {
  providerId: string;
  entityLabel: string;
  limit: number;
  account?: string | undefined;
}

interface RecordAddress {
  providerId: string;
  entityLabel: string;
  record: string;
  /** The account whose copy is meant; any without it. */
  account?: string | undefined;
}

const recordsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    exampleRecords: build.query<Results, ExampleQuery>({
      query: ({ limit, account, ...params }) =>
        callOf('exampleRecords', { params, query: { limit, account } }),
      responseSchema: ENDPOINTS.exampleRecords.response,
      providesTags: ['Entities'],
    }),
    syncChanges: build.query<SyncChanges, { id: string; kind: ChangeKind | ''; page: number }>({
      query: ({ id, ...query }) => callOf('syncChanges', { params: { id }, query }),
      responseSchema: ENDPOINTS.syncChanges.response,
      providesTags: ['Changes'],
    }),
    recordChange: build.query<RecordChange, { id: string; record: string }>({
      query: ({ id, record }) => callOf('recordChange', { params: { id }, query: { record } }),
      responseSchema: ENDPOINTS.recordChange.response,
      providesTags: ['Changes'],
    }),
    recordVersions: build.query<RecordVersions, RecordAddress>({
      query: ({ record, account, ...params }) =>
        callOf('recordVersions', { params, query: { record, account } }),
      rawResponseSchema: ENDPOINTS.recordVersions.response,
      transformResponse: (answer: WireVersions) => toRecordVersions(answer),
      providesTags: ['Changes'],
    }),
    recordReading: build.query<RecordReading, RecordAddress>({
      query: ({ record, account, ...params }) =>
        callOf('recordReading', { params, query: { record, account } }),
      responseSchema: ENDPOINTS.recordReading.response,
      providesTags: ['Entities'],
    }),
    recordConversation: build.query<Conversation, RecordAddress>({
      query: ({ record, account, ...params }) =>
        callOf('recordConversation', { params, query: { record, account } }),
      responseSchema: ENDPOINTS.recordConversation.response,
      providesTags: ['Entities'],
    }),
  }),
});

export const {
  useExampleRecordsQuery,
  useSyncChangesQuery,
  useRecordChangeQuery,
  useRecordVersionsQuery,
  useRecordReadingQuery,
  useRecordConversationQuery,
  endpoints: recordsEndpoints,
} = recordsApi;
