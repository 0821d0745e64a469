import {
  type ConnectorDetail,
  type ConnectorProblem,
  type ConnectorProof,
  type Connectors,
  type ConnectorTrialRequest,
  type ConnectorTrialResult,
  type DocumentStart,
  ENDPOINTS,
  type StartedDocument,
} from '@datadeck/contract';
import type { CacheTag } from '@datadeck/contract/cache-tags';
import { baseApi, REQUEST_SETTINGS } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { unreadable } from '../../api/failure.ts';
import { refreshes } from '../../api/refreshes.ts';
import { request } from '../../api/request.ts';

/** Time that a proof may take, ms: its server side ends after a minute. */
const PROOF_TIMEOUT = 120_000;

/** What depends on the published connectors. */
const PUBLISHED_TAGS: readonly CacheTag[] = ['Administration', 'Providers', 'Entities', 'Templates'];

/** A draft as it was read: when its text was changed, ISO 8601. */
interface SeenDraft {
  key: string;
  changedAt: string;
}

interface Versioned {
  key: string;
  version: number;
}

const connectorsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    connectors: build.query<Connectors, void>({
      query: () => callOf('connectors'),
      responseSchema: ENDPOINTS.connectors.response,
      providesTags: ['Administration'],
    }),
    connector: build.query<ConnectorDetail, string>({
      query: (key) => callOf('connector', { params: { key } }),
      responseSchema: ENDPOINTS.connector.response,
      providesTags: ['Administration'],
    }),
    /** Writes a document; stores nothing. */
    startConnector: build.mutation<StartedDocument, DocumentStart>({
      query: (body) => callOf('connectorStart', { body }),
      rawResponseSchema: ENDPOINTS.connectorStart.response,
    }),
    saveConnector: build.mutation<
      { problems: ConnectorProblem[]; draftAt: string },
      { key: string; document: string; changedAt: string | null }
    >({
      query: ({ key, ...body }) => callOf('connectorSave', { params: { key }, body }),
      rawResponseSchema: ENDPOINTS.connectorSave.response,
      invalidatesTags: refreshes('Administration'),
    }),
    /** Stores the OAuth client of a connector. */
    setConnectorClient: build.mutation<{ ok: true }, { key: string; id: string; secret: string }>({
      query: ({ key, ...body }) => callOf('connectorClient', { params: { key }, body }),
      invalidatesTags: refreshes('Administration', 'Providers'),
    }),
    discardDraft: build.mutation<{ ok: true }, SeenDraft>({
      query: ({ key, changedAt }) => callOf('connectorDiscard', { params: { key }, query: { changedAt } }),
      invalidatesTags: refreshes('Administration'),
    }),
    tryConnector: build.mutation<ConnectorTrialResult, { key: string; trial: ConnectorTrialRequest }>({
      query: ({ key, trial }) => callOf('connectorTry', { params: { key }, body: trial }),
      rawResponseSchema: ENDPOINTS.connectorTry.response,
      // The answer is recorded, and *Prove* lists it.
      invalidatesTags: refreshes('Administration'),
    }),
    proveConnector: build.mutation<ConnectorProof, { key: string; document: string }>({
      async queryFn({ key, document }) {
        const call = callOf('connectorProve', { params: { key }, body: { document } });
        const { data, error } = await request(call, { ...REQUEST_SETTINGS, timeout: PROOF_TIMEOUT });
        if (error) return { error };
        const read = ENDPOINTS.connectorProve.response.safeParse(data);
        return read.success ? { data: read.data } : { error: unreadable(read.error.message) };
      },
    }),
    publishConnector: build.mutation<{ version: number }, SeenDraft>({
      query: ({ key, ...body }) => callOf('connectorPublish', { params: { key }, body }),
      rawResponseSchema: ENDPOINTS.connectorPublish.response,
      invalidatesTags: refreshes(...PUBLISHED_TAGS),
    }),
    restoreConnector: build.mutation<{ version: number }, Versioned>({
      query: ({ key, version }) => callOf('connectorRestore', { params: { key }, body: { version } }),
      rawResponseSchema: ENDPOINTS.connectorRestore.response,
      invalidatesTags: refreshes(...PUBLISHED_TAGS),
    }),
    withdrawConnector: build.mutation<{ ok: true }, { key: string; isWithdrawn: boolean }>({
      query: ({ key, isWithdrawn }) =>
        callOf('connectorWithdraw', { params: { key }, body: { isWithdrawn } }),
      invalidatesTags: refreshes(...PUBLISHED_TAGS),
    }),
    deleteConnector: build.mutation<{ ok: true }, { key: string; confirmation: string }>({
      query: ({ key, confirmation }) =>
        callOf('connectorDelete', { params: { key }, body: { confirmation } }),
      // Not 'Administration': the open connector would be read again, and it no longer exists.
      invalidatesTags: refreshes('Providers', 'Entities', 'Templates'),
    }),
  }),
});

export const {
  useConnectorsQuery,
  useConnectorQuery,
  useStartConnectorMutation,
  useSaveConnectorMutation,
  useSetConnectorClientMutation,
  useDiscardDraftMutation,
  useTryConnectorMutation,
  useProveConnectorMutation,
  usePublishConnectorMutation,
  useRestoreConnectorMutation,
  useWithdrawConnectorMutation,
  useDeleteConnectorMutation,
} = connectorsApi;
