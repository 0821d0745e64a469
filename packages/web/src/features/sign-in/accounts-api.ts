import { type DiskUse, ENDPOINTS, type Profile, type ProfileChange, STALE_TAGS } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

export const accountsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    logout: build.mutation<{ ok: true }, void>({ query: () => callOf('logout') }),
    profile: build.query<Profile, void>({
      query: () => callOf('profile'),
      responseSchema: ENDPOINTS.profile.response,
      providesTags: ['User'],
    }),
    updateProfile: build.mutation<{ ok: true }, ProfileChange>({
      query: (body) => callOf('updateProfile', { body }),
      invalidatesTags: refreshes('User'),
    }),
    diskUse: build.query<DiskUse, void>({
      query: () => callOf('diskUse'),
      responseSchema: ENDPOINTS.diskUse.response,
      // Stored records change its answer.
      providesTags: ['Entities'],
    }),
    // The store signs out before the invalidated data is refetched, since the account no longer exists.
    deleteAccount: build.mutation<{ ok: true }, void>({
      query: () => callOf('deleteAccount'),
      invalidatesTags: refreshes('User', 'Providers', 'Synchronizations'),
    }),
    deleteAllData: build.mutation<{ ok: true }, void>({
      query: () => callOf('deleteAllData'),
      invalidatesTags: refreshes(...STALE_TAGS.allData),
    }),
  }),
});

export const {
  useLogoutMutation,
  useProfileQuery,
  useUpdateProfileMutation,
  useDiskUseQuery,
  useDeleteAccountMutation,
  useDeleteAllDataMutation,
  endpoints: accountsEndpoints,
} = accountsApi;
