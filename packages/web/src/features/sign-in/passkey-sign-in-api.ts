import type { PasskeyProof, PasskeyRequestOptions } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { handSchema, membersOf, textOf } from '../../api/hand-schema.ts';

function readOptions(value: unknown): PasskeyRequestOptions {
  const { challenge, rpId, timeout } = membersOf(value);
  return {
    challenge: textOf(challenge),
    rpId: textOf(rpId),
    timeout: Number(timeout),
    userVerification: 'required',
  };
}

/** The calls of a sign-in with a passkey. They are written by hand, as the others of the login screen. */
export const PASSKEY_CALLS = {
  startPasskeySignIn: { url: '/auth/passkeys/challenge', method: 'POST' },
  signInWithPasskey: { url: '/auth/passkeys/sign-in', method: 'POST' },
} as const;

const passkeySignInApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    startPasskeySignIn: build.mutation<PasskeyRequestOptions, void>({
      query: () => PASSKEY_CALLS.startPasskeySignIn,
      responseSchema: handSchema(readOptions),
    }),
    /** Exchanges the proof of a passkey for a session token. */
    signInWithPasskey: build.mutation<{ token: string }, PasskeyProof>({
      query: (credential) => ({ ...PASSKEY_CALLS.signInWithPasskey, body: { credential } }),
      responseSchema: handSchema((value) => ({ token: textOf(membersOf(value).token) })),
    }),
  }),
});

export const { useStartPasskeySignInMutation, useSignInWithPasskeyMutation } = passkeySignInApi;
