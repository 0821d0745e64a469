import { type Logger, pino } from 'pino';

export type { Logger };

/** Paths whose values never reach a log, whatever logs them. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  '*.access_token',
  '*.refresh_token',
  '*.id_token',
  '*.client_secret',
  '*.accessToken',
  '*.refreshToken',
  '*.token',
  '*.password',
  'token',
  'accessToken',
  'refreshToken',
];

const SECRET_PARAMETERS =
  /([?&](?:res|code|state|token|access_token|refresh_token|id_token|client_secret)=)[^&#\s"]*/gi;
const CREDENTIALS_IN_URL = /(\w+:\/\/[^:/\s]+:)[^@/\s]+@/g;

/** What a failed statement was given: what people wrote, what providers hold, what is sealed. */
const STATEMENT_VALUES = /(Failed query: [\s\S]*?\nparams: )[\s\S]*/;

/** Removes secrets from an address or a message that may quote one. */
export function redactText(text: string): string {
  return text
    .replace(STATEMENT_VALUES, '$1[redacted]')
    .replace(SECRET_PARAMETERS, '$1[redacted]')
    .replace(CREDENTIALS_IN_URL, '$1[redacted]@');
}

/** An error as it is logged: with what caused it, which alone says what a database had against a statement. */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) {
    const { message, code } = Object(error) as { message?: unknown; code?: unknown };
    const text = typeof error === 'object' ? (message ?? code ?? 'of an unknown kind') : error;
    return { message: redactText(String(text)) };
  }
  const message = redactText(error.message);
  return {
    type: error.name,
    message,
    // The message is a part of it, whose end is known from the message alone.
    stack: (error.stack ?? '')
      .split(error.message || '\n')
      .map(redactText)
      .join(message || '\n'),
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined || depth === 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/**
 * The product's logger: JSON lines on standard output, secrets redacted.
 * @param level a pino level; 'silent' for none
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: {
      req: (request: { method: string; url: string; id: string }) => ({
        id: request.id,
        method: request.method,
        url: redactText(request.url),
      }),
      err: (error: unknown) => describeError(error),
    },
  });
}
