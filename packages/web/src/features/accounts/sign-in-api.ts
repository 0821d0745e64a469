import type { Product } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { handSchema, membersOf, textOf } from '../../api/hand-schema.ts';

interface Token {
  token: string;
}

function readProduct(value: unknown): Product {
  const { signInProviders, sandbox, version } = membersOf(value);
  if (!Array.isArray(signInProviders)) throw new TypeError('no list of providers');
  return {
    signInProviders: signInProviders.map((entry) => {
      const { identifier, title } = membersOf(entry);
      return { identifier: textOf(identifier), title: textOf(title) };
    }),
    sandbox: sandbox === true,
    version: textOf(version),
  };
}

/** The two calls of the login screen, written by hand: the contract's schemas are loaded with the dashboard. */
export const SIGN_IN_CALLS = {
  product: { url: '/api/product', method: 'GET' },
  demoLogin: { url: '/auth/demo', method: 'GET' },
} as const;

const signInApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    product: build.query<Product, void>({
      query: () => SIGN_IN_CALLS.product,
      responseSchema: handSchema(readProduct),
    }),
    demoLogin: build.mutation<Token, void>({
      query: () => SIGN_IN_CALLS.demoLogin,
      responseSchema: handSchema((value) => ({ token: textOf(membersOf(value).token) })),
    }),
  }),
});

export const { useProductQuery, useDemoLoginMutation } = signInApi;
