import { ENDPOINTS, type Profile } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';

const accountsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
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
  useLogoutMutation,
  useProfileQuery,
  useDeleteAccountMutation,
  useDeleteAllDataMutation,
  endpoints: accountsEndpoints,
} = accountsApi;
