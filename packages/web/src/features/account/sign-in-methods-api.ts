import { ENDPOINTS, type SignInMethod } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

const signInMethodsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    signInMethods: build.query<SignInMethod[], void>({
      query: () => callOf('signInMethods'),
      responseSchema: ENDPOINTS.signInMethods.response,
      providesTags: ['User'],
    }),
    /** Starts to add a method. Returns the address of the provider's page. */
    addSignInMethod: build.mutation<{ url: string }, string>({
      query: (provider) => callOf('addSignInMethod', { params: { provider } }),
      responseSchema: ENDPOINTS.addSignInMethod.response,
    }),
    removeSignInMethod: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('removeSignInMethod', { params: { id } }),
      invalidatesTags: refreshes('User'),
    }),
  }),
});

export const { useSignInMethodsQuery, useAddSignInMethodMutation, useRemoveSignInMethodMutation } =
  signInMethodsApi;
