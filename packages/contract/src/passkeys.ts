import { z } from 'zod';
import { oneLineNameSchema, tokenSchema } from './accounts.ts';
import { defineEndpoints, okSchema } from './endpoint.ts';

/** Maximum number of passkeys of an account, and the lifetime of a challenge, s. */
export const PASSKEY_LIMITS = { perUser: 20, challengeSeconds: 120 } as const;

/** A passkey of the account: `{ _id: '0b1f…', name: 'Phone', createdAt: '…', lastUsedAt: null, isBackedUp: true }`. */
export const passkeySchema = z.object({
  _id: z.string(),
  name: z.string(),
  /** When the passkey was added, ISO 8601. */
  createdAt: z.string(),
  /** Last sign-in with it, ISO 8601; null before the first. */
  lastUsedAt: z.string().nullable(),
  /** Whether its provider keeps a copy, such as iCloud Keychain, so that it survives the loss of the device. */
  isBackedUp: z.boolean(),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** The passkeys of the account, oldest first, and the origin for which they are valid: `{ passkeys: […], origin: 'https://…' }`. */
export const passkeysSchema = z.object({
  passkeys: z.array(passkeySchema).max(PASSKEY_LIMITS.perUser),
  /** Origin of PUBLIC_URL, e.g. `https://data.example.org`. */
  origin: z.string(),
  /** Why this server cannot use passkeys, as a sentence. */
  problem: z.string().optional(),
});
export type Passkeys = z.infer<typeof passkeysSchema>;

/** Bytes in base64url, e.g. `q2n5…`. @param max characters */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'Must be base64url');

/** Id of a credential: at most 1,023 bytes. */
const credentialId = bytes(1364);
const credentialType = z.literal('public-key');
const transports = z.array(z.string().max(30)).max(10);
const verification = z.literal('required');

/** Options of `navigator.credentials.create()` as JSON (WebAuthn `PublicKeyCredentialCreationOptionsJSON`). */
const creationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: credentialType })),
  /** ms. */
  timeout: z.number().int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(z.object({ id: z.string(), type: credentialType, transports })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: verification,
  }),
});
export type PasskeyCreationOptions = z.infer<typeof creationOptionsSchema>;

/** Options of `navigator.credentials.get()` as JSON (WebAuthn `PublicKeyCredentialRequestOptionsJSON`). */
const requestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** ms. */
  timeout: z.number().int(),
  userVerification: verification,
});
export type PasskeyRequestOptions = z.infer<typeof requestOptionsSchema>;

/** The new credential of an authenticator (WebAuthn `RegistrationResponseJSON`); other members are ignored. */
export const newCredentialSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: credentialType,
  response: z.object({
    clientDataJSON: bytes(6000),
    attestationObject: bytes(16_000),
    transports: transports.optional(),
  }),
});
export type NewCredential = z.infer<typeof newCredentialSchema>;

/** The proof of a passkey (WebAuthn `AuthenticationResponseJSON`); other members are ignored. */
export const passkeyProofSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: credentialType,
  response: z.object({
    clientDataJSON: bytes(6000),
    authenticatorData: bytes(4000),
    signature: bytes(8000),
    /** Names the account: the bytes of its id. */
    userHandle: bytes(86),
  }),
});
export type PasskeyProof = z.infer<typeof passkeyProofSchema>;

/** Id of a passkey in a path. */
const params = z.object({ id: z.uuid().max(36) });

/** Endpoints for passkeys. Those below `/auth` have the cookie that binds a challenge to its browser. */
export const PASSKEY_ENDPOINTS = defineEndpoints({
  passkeys: {
    method: 'GET',
    path: '/api/accounts/passkeys',
    summary: 'Passkeys of the account, oldest first, at most 20, and why this server cannot use any',
    access: 'user',
    response: passkeysSchema,
  },
  startPasskey: {
    method: 'POST',
    path: '/auth/passkeys/new',
    summary:
      'Start to add a passkey; needs a sign-in of the last ten minutes. The challenge works once and for two minutes',
    access: 'change',
    response: creationOptionsSchema,
  },
  addPasskey: {
    method: 'POST',
    path: '/auth/passkeys',
    summary: 'Add the passkey that the authenticator made',
    access: 'change',
    body: z.object({ name: oneLineNameSchema, credential: newCredentialSchema }),
    response: passkeySchema,
    status: 201,
  },
  renamePasskey: {
    method: 'PUT',
    path: '/api/accounts/passkeys/{id}',
    summary: 'Rename a passkey',
    access: 'change',
    params,
    body: z.object({ name: oneLineNameSchema }),
    response: okSchema,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/accounts/passkeys/{id}',
    summary: 'Remove a passkey and end all other sessions; the last sign-in method cannot be removed',
    access: 'change',
    params,
    response: okSchema,
  },
  startPasskeySignIn: {
    method: 'POST',
    path: '/auth/passkeys/challenge',
    summary: 'Start to sign in with a passkey. The challenge works once and for two minutes',
    access: 'none',
    response: requestOptionsSchema,
  },
  signInWithPasskey: {
    method: 'POST',
    path: '/auth/passkeys/sign-in',
    summary: 'Sign in with a passkey; returns a session token',
    access: 'none',
    body: z.object({ credential: passkeyProofSchema }),
    response: tokenSchema,
  },
});
