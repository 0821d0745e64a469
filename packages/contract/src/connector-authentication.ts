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

/** How an account is connected: the fields are those of `connect`, one of which is secret unless nothing is. */
export const authenticationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** `authorization: Bearer <secret>`. */
  z.strictObject({ kind: z.literal('bearer') }),
  /** A header (`in: header`) or a query parameter that has the secret behind a prefix, e.g. `Token `. */
  z.strictObject({
    kind: z.literal('api-key'),
    in: z.enum(['header', 'query']),
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[A-Za-z0-9_-]+$/)
      .refine((name) => !RESERVED_HEADERS.test(name), 'The product sets this header itself'),
    prefix: z
      .string()
      .max(20)
      .regex(/^[\x20-\x7e]*$/)
      .default(''),
  }),
  /** Basic, with the value of a field as the user. */
  z.strictObject({ kind: z.literal('basic'), user: fieldNameSchema }),
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
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[A-Za-z0-9_-]+$/)
      .refine((name) => !RESERVED_HEADERS.test(name), 'The product sets this header itself')
      .default('authorization'),
    prefix: z
      .string()
      .max(20)
      .regex(/^[\x20-\x7e]*$/)
      .default('Bearer '),
  }),
]);
