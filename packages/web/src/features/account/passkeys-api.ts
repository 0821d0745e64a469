import {
  ENDPOINTS,
  type NewCredential,
  type Passkey,
  type PasskeyCreationOptions,
  type Passkeys,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

const passkeysApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    passkeys: build.query<Passkeys, void>({
      query: () => callOf('passkeys'),
      responseSchema: ENDPOINTS.passkeys.response,
      providesTags: ['User'],
    }),
    /** Starts to add a passkey. Returns the options for the browser. */
    startPasskey: build.mutation<PasskeyCreationOptions, void>({
      query: () => callOf('startPasskey'),
      responseSchema: ENDPOINTS.startPasskey.response,
    }),
    addPasskey: build.mutation<Passkey, { name: string; credential: NewCredential }>({
      query: (body) => callOf('addPasskey', { body }),
      responseSchema: ENDPOINTS.addPasskey.response,
      invalidatesTags: refreshes('User'),
    }),
    renamePasskey: build.mutation<{ ok: true }, { id: string; name: string }>({
      query: ({ id, name }) => callOf('renamePasskey', { params: { id }, body: { name } }),
      invalidatesTags: refreshes('User'),
    }),
    removePasskey: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('removePasskey', { params: { id } }),
      invalidatesTags: refreshes('User'),
    }),
  }),
});

export const {
  usePasskeysQuery,
  useStartPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
} = passkeysApi;
