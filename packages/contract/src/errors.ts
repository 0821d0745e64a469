import { z } from 'zod';

/**
 * The closed list of error codes on the wire, each with its HTTP status.
 * A code is stable; the sentence beside it is for people and may change.
 */
export const ERROR_STATUS = {
  'validation-failed': 422,
  'malformed-request': 400,
  unauthenticated: 401,
  'plan-forbids': 403,
  'usage-exhausted': 403,
  'demo-forbids': 403,
  'sign-in-provider': 403,
  'not-found': 404,
  'already-signed-in': 409,
  'sync-running': 409,
  'sync-outdated': 409,
  'sync-not-running': 409,
  'view-in-use': 409,
  'title-taken': 409,
  'limit-reached': 409,
  'not-connected': 409,
  'reconnect-needed': 409,
  'method-not-allowed': 405,
  'payload-too-large': 413,
  'expression-invalid': 422,
  'expression-failed': 422,
  'query-too-complex': 422,
  'rate-limited': 429,
  'provider-unavailable': 502,
  'storage-full': 507,
  unavailable: 503,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Body of every answer that is not a success. `fields` maps a field of the request to what is wrong with it. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    /** Of a JSONata error: offset in the expression, in UTF-16 units. */
    position: z.number().int().optional(),
    /** Of `rate-limited`: seconds after which a retry makes sense. */
    retryAfter: z.number().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
