import {
  type AdminAccountDetail,
  type AdminAccounts,
  type AdminFindings,
  type AdminHealth,
  type AdminPlans,
  type AuditLog,
  ENDPOINTS,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

interface AccountsQuery {
  search: string;
  page: number;
}

const adminApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    adminAccounts: build.query<AdminAccounts, AccountsQuery>({
      query: (query) => callOf('adminAccounts', { query: { ...query } }),
      responseSchema: ENDPOINTS.adminAccounts.response,
      providesTags: ['Administration'],
    }),
    adminAccount: build.query<AdminAccountDetail, string>({
      query: (id) => callOf('adminAccount', { params: { id } }),
      responseSchema: ENDPOINTS.adminAccount.response,
      providesTags: ['Administration'],
    }),
    adminPlans: build.query<AdminPlans, void>({
      query: () => callOf('adminPlans'),
      responseSchema: ENDPOINTS.adminPlans.response,
      providesTags: ['Administration'],
    }),
    adminHealth: build.query<AdminHealth, void>({
      query: () => callOf('adminHealth'),
      responseSchema: ENDPOINTS.adminHealth.response,
    }),
    adminAudit: build.query<AuditLog, number>({
      query: (page) => callOf('adminAudit', { query: { page } }),
      responseSchema: ENDPOINTS.adminAudit.response,
      providesTags: ['Administration'],
    }),
    /** Runs the doctor. It changes nothing, but calls the providers, so it runs on demand. */
    adminFindings: build.mutation<AdminFindings, void>({
      query: () => callOf('adminFindings'),
      responseSchema: ENDPOINTS.adminFindings.response,
    }),
    changePlan: build.mutation<{ ok: true }, { id: string; plan: 'standard' | 'pro' }>({
      query: ({ id, plan }) => callOf('adminChangePlan', { params: { id }, body: { plan } }),
      invalidatesTags: refreshes('Administration'),
    }),
    setAdministrator: build.mutation<{ ok: true }, { id: string; isAdministrator: boolean }>({
      query: ({ id, isAdministrator }) =>
        callOf('adminSetAdministrator', { params: { id }, body: { isAdministrator } }),
      invalidatesTags: refreshes('Administration'),
    }),
    signOutEverywhere: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('adminSignOut', { params: { id } }),
      invalidatesTags: refreshes('Administration'),
    }),
    deleteAccountOf: build.mutation<{ ok: true }, { id: string; confirmation: string }>({
      query: ({ id, confirmation }) =>
        callOf('adminDeleteAccount', { params: { id }, body: { confirmation } }),
      // Invalidates nothing: the open details would be read again, and the account no longer exists.
    }),
  }),
});

export const {
  useAdminAccountsQuery,
  useAdminAccountQuery,
  useAdminPlansQuery,
  useAdminHealthQuery,
  useAdminAuditQuery,
  useAdminFindingsMutation,
  useChangePlanMutation,
  useSetAdministratorMutation,
  useSignOutEverywhereMutation,
  useDeleteAccountOfMutation,
} = adminApi;
