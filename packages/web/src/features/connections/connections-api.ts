import { ENDPOINTS, STALE_TAGS, type Provider as WireProvider } from '@datadeck/contract';
import type { z } from 'zod';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Provider, toProvider } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';

type ConnectedAccount = z.infer<(typeof ENDPOINTS)['connect']['response']>;

/** All accounts of a provider, or one of them. */
interface AccountAddress {
  provider: string;
  account?: string | undefined;
}

export const connectionsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    providers: build.query<Provider[], void>({
      query: () => callOf('providers'),
      rawResponseSchema: ENDPOINTS.providers.response,
      transformResponse: (providers: WireProvider[]) => providers.map(toProvider),
      providesTags: ['Providers'],
    }),
    connect: build.mutation<ConnectedAccount, { provider: string; values: Record<string, string> }>({
      query: ({ provider, values }) => callOf('connect', { params: { provider }, body: { values } }),
      rawResponseSchema: ENDPOINTS.connect.response,
      invalidatesTags: refreshes(...STALE_TAGS.connection),
    }),
    nameAccount: build.mutation<unknown, { provider: string; account: string; title: string }>({
      query: ({ provider, ...body }) => callOf('nameAccount', { params: { provider }, body }),
      invalidatesTags: refreshes(...STALE_TAGS.connection),
    }),
    disconnect: build.mutation<{ ok: true }, AccountAddress>({
      query: (query) => callOf('disconnect', { query: { ...query } }),
      invalidatesTags: refreshes(...STALE_TAGS.connection),
    }),
    deleteProviderData: build.mutation<{ ok: true }, AccountAddress>({
      query: (query) => callOf('deleteProviderData', { query: { ...query } }),
      invalidatesTags: refreshes(...STALE_TAGS.providerData),
    }),
  }),
});

export const {
  useProvidersQuery,
  useConnectMutation,
  useDisconnectMutation,
  useNameAccountMutation,
  useDeleteProviderDataMutation,
  endpoints: connectionsEndpoints,
} = connectionsApi;
