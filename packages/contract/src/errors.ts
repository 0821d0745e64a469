import { z } from 'zod';

/**
 * All error codes of the API with their HTTP status, e.g. `'not-found': 404`.
 * Codes are stable; the message in the response is for users and may change.
 */
export const ERROR_STATUS = {
  'validation-failed': 422,
  'malformed-request': 400,
  unauthenticated: 401,
  'plan-forbids': 403,
  'usage-exhausted': 403,
  'demo-forbids': 403,
  'demo-off': 403,
  'administrator-only': 403,
  'token-forbids': 403,
  'token-exhausted': 403,
  'sharing-off': 403,
  /** The shared page has a password, and the request none; or another one. */
  'password-needed': 403,
  'password-wrong': 403,
  /** The share is unknown, has expired or was ended. */
  'share-ended': 404,
  /** What is shared cannot be read, for a reason that only its owner may know. */
  'share-unreadable': 422,
  'sign-in-provider': 403,
  'not-found': 404,
  /** The provider no longer has the mail, or the mail there no longer has the file. */
  'mail-gone': 410,
  'attachment-gone': 410,
  'already-signed-in': 409,
  'address-taken': 409,
  'profile-of-provider': 409,
  'other-session': 409,
  'last-sign-in-method': 409,
  'sign-in-too-old': 403,
  'passkeys-unavailable': 409,
  'passkey-refused': 422,
  'last-administrator': 409,
  'administrator-account': 409,
  'sync-running': 409,
  'sync-outdated': 409,
  'sync-not-running': 409,
  'view-in-use': 409,
  /** The board was changed elsewhere since it was read. */
  'board-outdated': 409,
  /** The draft of a connector was changed elsewhere since it was read. */
  'draft-outdated': 409,
  'limit-reached': 409,
  'not-connected': 409,
  'reconnect-needed': 409,
  'method-not-allowed': 405,
  'payload-too-large': 413,
  'attachment-too-large': 413,
  'host-not-allowed': 421,
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
/** All error codes, e.g. `not-found`. */
export const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Body of every error response: `{ error: { code: 'not-found', message: 'The view does not exist.' } }`. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    /** Error messages by field of the request: `{ title: 'Required' }`. */
    fields: z.record(z.string(), z.string()).optional(),
    /** For JSONata errors: offset in the expression, UTF-16 units. */
    position: z.number().int().optional(),
    /** For `rate-limited`: seconds until the next attempt, e.g. 30. */
    retryAfter: z.number().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
