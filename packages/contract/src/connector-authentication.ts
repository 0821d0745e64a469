import { z } from 'zod';
import {
  documentFieldSchema,
  fieldNameSchema,
  parameterNameSchema,
  pathSchema,
  RESERVED_HEADERS,
} from './connector-parts.ts';

/** Address of a provider without a hole. Without TLS only hosts are called that the operator names. */
const tokenAddressSchema = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?$/);

const scopesSchema = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^[\x21-\x7e]+$/),
  )
  .max(30)
  .default([]);

/** Name of a header or query parameter that proves the identity. */
const proofNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/)
  .refine((name) => !RESERVED_HEADERS.test(name), 'The product sets this header itself');
/** Text before a secret: `Token `. */
const prefixSchema = z
  .string()
  .max(20)
  .regex(/^[\x20-\x7e]*$/);
const placeSchema = z.enum(['header', 'query']);

/** How an account is connected: the fields are those of `connect`, one of which is secret unless nothing is. */
export const authenticationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** `authorization: Bearer <secret>`. */
  z.strictObject({ kind: z.literal('bearer') }),
  /** A header (`in: header`) or a query parameter that has the secret behind a prefix, e.g. `Token `. */
  z.strictObject({
    kind: z.literal('api-key'),
    in: placeSchema,
    name: proofNameSchema,
    prefix: prefixSchema.default(''),
    /** Further headers and parameters, which have the values of hidden fields; one whose field is empty is left out. */
    others: z
      .array(
        z.strictObject({
          in: placeSchema,
          name: proofNameSchema,
          prefix: prefixSchema.default(''),
          field: fieldNameSchema,
        }),
      )
      .max(4)
      .optional(),
  }),
  /** Basic, with the value of a field as the user; without one the secret is the user. */
  z.strictObject({
    kind: z.literal('basic'),
    user: fieldNameSchema.optional(),
    /** Fixed password where the secret is the user: `x`. Default: an empty one. */
    password: z.string().max(100).optional(),
  }),
  /**
   * OAuth 2.0 client credentials: the person enters the id of a client in a field, and its secret. The token that they yield is sent
   * as `authorization: Bearer`.
   */
  z.strictObject({
    kind: z.literal('client-credentials'),
    /** Field with the id of the client. */
    user: fieldNameSchema,
    tokenUrl: tokenAddressSchema,
    scopes: scopesSchema,
    /** How id and secret are sent. */
    send: z.enum(['header', 'body']).default('header'),
  }),
  /**
   * OAuth 2.0 with a refresh token that the person enters as the secret, and the client of their own to which it was given. It yields
   * tokens, which are sent as `authorization: Bearer`; a refresh token that the provider sends with one replaces the entered one.
   */
  z.strictObject({
    kind: z.literal('refresh-token'),
    tokenUrl: tokenAddressSchema,
    /** Field with the id of the client. */
    client: fieldNameSchema,
    /** Hidden field with the secret of the client; absent for clients without one. */
    clientSecret: fieldNameSchema.optional(),
    scopes: scopesSchema,
    /** How id and secret of the client are sent. */
    send: z.enum(['header', 'body']).default('body'),
  }),
  /**
   * OAuth 2.0 with the page of the provider: authorization code, PKCE, and renewal. The administrator enters the client; the address of
   * the callback is `/auth/<key>/callback`. The form has no fields.
   */
  z.strictObject({
    kind: z.literal('oauth-code'),
    authorizationUrl: tokenAddressSchema,
    tokenUrl: tokenAddressSchema,
    scopes: scopesSchema,
    /** How id and secret of the client are sent. */
    send: z.enum(['header', 'body']).default('body'),
    /** Further parameters of the page: `{"access_type": "offline", "prompt": "consent"}`. */
    parameters: z
      .record(parameterNameSchema, z.string().max(200))
      .refine((given) => Object.keys(given).length <= 10, 'At most ten parameters')
      .default({}),
    /** What the provider names itself in the callback (`iss`), if it does. Default: the origin of `authorizationUrl`. */
    issuer: tokenAddressSchema.optional(),
  }),
  /** A sign-in with user and password that answers with a token, which is renewed when the provider no longer accepts it. */
  z.strictObject({
    kind: z.literal('session-token'),
    user: fieldNameSchema,
    /** Path of the sign-in, which is sent by POST. */
    path: pathSchema.refine((path) => !/[{}]/.test(path), 'This path has no expressions'),
    /** `header`: as Basic. `body`: as members of a JSON object. */
    send: z.enum(['header', 'body']).default('body'),
    userParameter: z.string().min(1).max(100).default('username'),
    secretParameter: z.string().min(1).max(100).default('password'),
    /** Field of the answer (JSON) that has the token: `data.token`. */
    token: documentFieldSchema,
    /** Header by which the token is sent, and what precedes it. */
    name: proofNameSchema.default('authorization'),
    prefix: prefixSchema.default('Bearer '),
  }),
]);
