import { ENDPOINTS, type Product, type Profile } from '@datadeck/contract';
import { baseApi, callOf } from '../../api/base-api.ts';

interface Token {
  token: string;
}

const accountsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    product: build.query<Product, void>({
      query: () => callOf('product'),
      responseSchema: ENDPOINTS.product.response,
    }),
    demoLogin: build.mutation<Token, void>({
      query: () => callOf('demoLogin'),
      responseSchema: ENDPOINTS.demoLogin.response,
    }),
    logout: build.mutation<{ ok: true }, void>({ query: () => callOf('logout') }),
    profile: build.query<Profile, void>({
      query: () => callOf('profile'),
      responseSchema: ENDPOINTS.profile.response,
      providesTags: ['User'],
    }),
    // Invalidates everything: the sign-out that follows drops the whole cache, and nothing is fetched without a session.
    deleteAccount: build.mutation<{ ok: true }, void>({ query: () => callOf('deleteAccount') }),
    deleteAllData: build.mutation<{ ok: true }, void>({
      query: () => callOf('deleteAllData'),
      invalidatesTags: [
        'Providers',
        'Synchronizations',
        'Entities',
        'Aggregation',
        'Views',
        'View',
        'ViewsCategories',
        'JnataQueries',
      ],
    }),
  }),
});

export const {
  useProductQuery,
  useDemoLoginMutation,
  useLogoutMutation,
  useProfileQuery,
  useDeleteAccountMutation,
  useDeleteAllDataMutation,
  endpoints: accountsEndpoints,
} = accountsApi;
