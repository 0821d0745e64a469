import type { ErrorBody, ErrorCode } from '../errors.ts';

/** Examples of errors that many endpoints return. */
export const ERROR_EXAMPLES = {
  unauthenticated: { error: { code: 'unauthenticated', message: 'Your session has ended. Sign in again.' } },
  'token-forbids': { error: { code: 'token-forbids', message: 'This API token does not allow this call.' } },
  'plan-forbids': {
    error: {
      code: 'plan-forbids',
      message: 'Your plan does not allow this. It needs the plan standard or pro.',
    },
  },
  'administrator-only': {
    error: { code: 'administrator-only', message: 'Only an administrator of this server may do this.' },
  },
  'not-found': { error: { code: 'not-found', message: 'This view does not exist.' } },
  'validation-failed': {
    error: { code: 'validation-failed', message: 'The request is not valid.', fields: { title: 'Required' } },
  },
  'expression-invalid': {
    error: { code: 'expression-invalid', message: 'Expected ")" before the end.', position: 12 },
  },
  'rate-limited': {
    error: {
      code: 'rate-limited',
      message: 'Too many requests. Wait a little, then try again.',
      retryAfter: 30,
    },
  },
  internal: { error: { code: 'internal', message: 'Something went wrong on the server. Try again later.' } },
} as const satisfies Partial<Record<ErrorCode, ErrorBody>>;
