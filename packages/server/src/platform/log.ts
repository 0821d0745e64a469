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

/** Removes secrets from an address or a message that may quote one. */
export function redactText(text: string): string {
  return text.replace(SECRET_PARAMETERS, '$1[redacted]').replace(CREDENTIALS_IN_URL, '$1[redacted]@');
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
      err: (error: unknown) => {
        if (!(error instanceof Error)) return { message: redactText(String(error)) };
        const code = 'code' in error ? { code: error.code } : {};
        return {
          type: error.name,
          message: redactText(error.message),
          stack: redactText(error.stack ?? ''),
          ...code,
        };
      },
    },
  });
}
