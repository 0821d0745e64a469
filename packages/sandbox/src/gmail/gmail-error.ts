/** An error response of the Gmail API. */
export class GmailError extends Error {
  readonly statusCode: number;
  readonly reason: string;
  readonly headers: Record<string, string>;

  constructor(
    statusCode: number,
    reason: string,
    text: { message: string; headers?: Record<string, string> },
  ) {
    super(text.message);
    this.statusCode = statusCode;
    this.reason = reason;
    this.headers = text.headers ?? {};
  }
}

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Returns the body of an error in the format of Google's JSON APIs. */
export function googleErrorBody(
  status: number,
  message: string,
  reason = defaultReason(status),
): Record<string, unknown> {
  const location = reason === 'authError' ? { location: 'Authorization', locationType: 'header' } : {};
  const domain = /LimitExceeded$/.test(reason) ? 'usageLimits' : 'global';
  return {
    error: {
      code: status,
      message,
      errors: [
        { message: reason === 'authError' ? 'Invalid Credentials' : message, domain, reason, ...location },
      ],
      status: STATUS_NAMES[status] ?? 'UNKNOWN',
    },
  };
}

/** Returns the error for an invalid argument. */
export function invalidArgument(message: string): GmailError {
  return new GmailError(400, 'invalidArgument', { message });
}

/** Returns the error for a message, thread, label or history that does not exist. */
export function notFound(): GmailError {
  return new GmailError(404, 'notFound', { message: 'Requested entity was not found.' });
}

function defaultReason(status: number): string {
  if (status === 404) return 'notFound';
  if (status === 400) return 'invalidArgument';
  return status >= 500 ? 'backendError' : 'forbidden';
}
