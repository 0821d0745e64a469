import {
  type ApiToken,
  type CreatedToken,
  type CreateToken,
  ENDPOINTS,
  type TokenUses,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

const tokensApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    tokens: build.query<ApiToken[], void>({
      query: () => callOf('tokens'),
      responseSchema: ENDPOINTS.tokens.response,
      providesTags: ['Tokens'],
    }),
    createToken: build.mutation<CreatedToken, CreateToken>({
      query: (token) => callOf('createToken', { body: token }),
      responseSchema: ENDPOINTS.createToken.response,
      invalidatesTags: refreshes('Tokens'),
    }),
    revokeToken: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('revokeToken', { params: { id } }),
      invalidatesTags: refreshes('Tokens'),
    }),
    /** A page of the access log. */
    tokenUses: build.query<TokenUses, number>({
      query: (page) => callOf('tokenUses', { query: { page } }),
      responseSchema: ENDPOINTS.tokenUses.response,
    }),
  }),
});

export const { useTokensQuery, useCreateTokenMutation, useRevokeTokenMutation, useTokenUsesQuery } =
  tokensApi;
