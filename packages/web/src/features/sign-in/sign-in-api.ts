import type { Product, SignInPreview } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { handSchema, membersOf, textOf } from '../../api/hand-schema.ts';

interface Token {
  token: string;
}

function readProduct(value: unknown): Product {
  const { signInProviders, sandbox, demo, passkeys, sharing, version } = membersOf(value);
  if (!Array.isArray(signInProviders)) throw new TypeError('signInProviders is not a list');
  return {
    signInProviders: signInProviders.map((entry) => {
      const { identifier, title, problem } = membersOf(entry);
      return {
        identifier: textOf(identifier),
        title: textOf(title),
        ...(typeof problem === 'string' && { problem }),
      };
    }),
    sandbox: sandbox === true,
    demo: demo !== false,
    passkeys: passkeys === true,
    sharing: sharing === true,
    version: textOf(version),
  };
}

function readToken(value: unknown): Token {
  return { token: textOf(membersOf(value).token) };
}

function readPreview(value: unknown): SignInPreview {
  const { name, email, beganHere } = membersOf(value);
  return { name: textOf(name), email: typeof email === 'string' ? email : '', beganHere: beganHere === true };
}

/** The calls of the login screen. They are written by hand, because the contract's schemas load with the dashboard. */
export const SIGN_IN_CALLS = {
  product: { url: '/api/product', method: 'GET' },
  demoLogin: { url: '/auth/demo', method: 'GET' },
  signInPreview: { url: '/auth/sign-in', method: 'GET' },
  signIn: { url: '/auth/sign-in', method: 'POST' },
} as const;

const signInApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    product: build.query<Product, void>({
      query: () => SIGN_IN_CALLS.product,
      responseSchema: handSchema(readProduct),
    }),
    demoLogin: build.mutation<Token, void>({
      query: () => SIGN_IN_CALLS.demoLogin,
      responseSchema: handSchema(readToken),
    }),
    /** Returns whose account a sign-in token belongs to. */
    signInPreview: build.query<SignInPreview, string>({
      query: (token) => ({ ...SIGN_IN_CALLS.signInPreview, token }),
      responseSchema: handSchema(readPreview),
    }),
    /** Exchanges a sign-in token for a session token. */
    signIn: build.mutation<Token, string>({
      query: (token) => ({ ...SIGN_IN_CALLS.signIn, token }),
      responseSchema: handSchema(readToken),
    }),
  }),
});

export const { useProductQuery, useDemoLoginMutation, useSignInPreviewQuery, useSignInMutation } = signInApi;
