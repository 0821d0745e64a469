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
/**
 * Text with holes that name fields of the form, or the secret: `OAuth key="{key}", token="{token}"`. It has no other braces.
 */
const fieldTextSchema = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(?:[\x20-\x7a|~]|\{[a-z][a-zA-Z0-9]{0,30}\})*$/);
/** Further headers and parameters, each with the value of a hidden field or the secret; one whose field is empty is left out. */
const keysSchema = z
  .array(
    z.strictObject({
      in: placeSchema,
      name: proofNameSchema,
      prefix: prefixSchema.default(''),
      field: fieldNameSchema,
    }),
  )
  .max(4)
  .optional();
/** Further parts of the request that yields a token, but of no later one. A part whose holes are all empty is left out. */
const tokenPartsSchema = z
  .array(
    z
      .strictObject({
        in: z.enum(['body', 'query', 'header']),
        name: z
          .string()
          .min(1)
          .max(100)
          .regex(/^[\x21-\x7e]+$/),
        value: fieldTextSchema,
      })
      .refine(({ in: place, name }) => place !== 'header' || proofNameSchema.safeParse(name).success, {
        message: 'It names no header that can be sent',
        path: ['name'],
      }),
  )
  .max(20)
  .optional();

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
    /** What is sent in place of prefix and secret: `UserId={user}, UserToken={token}`. */
    value: fieldTextSchema.optional(),
    others: keysSchema,
  }),
  /** Basic, with the value of a field as the user; without one the secret is the user. */
  z.strictObject({
    kind: z.literal('basic'),
    user: fieldNameSchema.optional(),
    /** What is sent as the user in place of the value of `user`: `{email}/token`. */
    userText: fieldTextSchema.optional(),
    /** Fixed password where the secret is the user: `x`. Default: an empty one. */
    password: z.string().max(100).optional(),
    keys: keysSchema,
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
    /** How id and secret are sent. `basic`: as Basic, without the encoding that OAuth 2.0 asks for in a header. */
    send: z.enum(['header', 'body', 'basic']).default('header'),
    tokenParts: tokenPartsSchema,
    /** Keys of requests in addition to the token. They may name the secret, unless it is a refresh token. */
    keys: keysSchema,
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
    /** How id and secret of the client are sent; see client credentials. */
    send: z.enum(['header', 'body', 'basic']).default('body'),
    tokenParts: tokenPartsSchema,
    keys: keysSchema,
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
  /** A sign-in that answers with a token, which is renewed after `expiresAfter`, and when the provider no longer accepts it. */
  z.strictObject({
    kind: z.literal('session-token'),
    /** Field with the user. Without one, `tokenParts` have the secret, and `send` has no effect. */
    user: fieldNameSchema.optional(),
    /** Path of the sign-in below the base address. */
    path: pathSchema.refine((path) => !/[{}]/.test(path), 'This path has no expressions').optional(),
    /** Address of the sign-in in place of a path. */
    tokenUrl: tokenAddressSchema.optional(),
    /** Default: POST. */
    method: z.enum(['GET', 'POST']).optional(),
    /** `header`: as Basic. `body`: as members of the body. */
    send: z.enum(['header', 'body']).default('body'),
    userParameter: z.string().min(1).max(100).default('username'),
    secretParameter: z.string().min(1).max(100).default('password'),
    tokenParts: tokenPartsSchema,
    keys: keysSchema,
    /** Whether the body is a form; otherwise it is a JSON object. */
    form: z.boolean().optional(),
    /** Field of the answer (JSON) that has the token: `data.token`. */
    token: documentFieldSchema,
    /** Seconds after which a token is renewed. Default: when the provider no longer accepts it. */
    expiresAfter: z.int().min(60).max(31_536_000).optional(),
    /** Where the token is sent. Default: a header. */
    in: placeSchema.optional(),
    /** Header or parameter by which the token is sent, and what precedes it. */
    name: proofNameSchema.default('authorization'),
    prefix: prefixSchema.default('Bearer '),
  }),
]);
