import { ENDPOINTS, STALE_TAGS, type Provider as WireProvider } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Provider, toProvider } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';

export const connectionsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    providers: build.query<Provider[], void>({
      query: () => callOf('providers'),
      rawResponseSchema: ENDPOINTS.providers.response,
      transformResponse: (providers: WireProvider[]) => providers.map(toProvider),
      providesTags: ['Providers'],
    }),
    connect: build.mutation<{ ok: true }, { provider: string; values: Record<string, string> }>({
      query: ({ provider, values }) => callOf('connect', { params: { provider }, body: { values } }),
      invalidatesTags: refreshes(...STALE_TAGS.connection),
    }),
    disconnect: build.mutation<{ ok: true }, string>({
      query: (provider) => callOf('disconnect', { query: { provider } }),
      invalidatesTags: refreshes(...STALE_TAGS.connection),
    }),
    deleteProviderData: build.mutation<{ ok: true }, string>({
      query: (provider) => callOf('deleteProviderData', { query: { provider } }),
      invalidatesTags: refreshes(...STALE_TAGS.providerData),
    }),
  }),
});

export const {
  useProvidersQuery,
  useConnectMutation,
  useDisconnectMutation,
  useDeleteProviderDataMutation,
  endpoints: connectionsEndpoints,
} = connectionsApi;
