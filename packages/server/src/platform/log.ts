import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/** Paths whose values are redacted in every log line. */
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
  '*.secrets',
  'token',
  'accessToken',
  'refreshToken',
  'secrets',
];

const SECRET_PARAMETERS =
  /([?&](?:res|code|state|token|access_token|refresh_token|id_token|client_secret)=)[^&#\s"]*/gi;
const SIGN_IN_LINK = /(\/auth\/link\/)[^/?#\s"]+/g;
const CREDENTIALS_IN_URL = /(:\/\/[^:/\s]{1,500}:)[^@/\s]{1,500}@/g;

/** Markers of the parameter values in a failed statement, which may contain user data or secrets. */
const STATEMENT = 'Failed query: ';
const STATEMENT_VALUES = '\nparams: ';

function withoutValues(text: string): string {
  const statement = text.indexOf(STATEMENT);
  const values = statement < 0 ? -1 : text.indexOf(STATEMENT_VALUES, statement);
  return values < 0 ? text : `${text.slice(0, values + STATEMENT_VALUES.length)}[redacted]`;
}

/** Redacts secrets in a URL or message. */
export function redactText(text: string): string {
  return withoutValues(text)
    .replace(SECRET_PARAMETERS, '$1[redacted]')
    .replace(SIGN_IN_LINK, '$1[redacted]')
    .replace(CREDENTIALS_IN_URL, '$1[redacted]@');
}

/** Converts an error to its log form with its causes, one of which contains the database's message. */
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
    // The stack contains the message; redact it separately, because only the message's own end is known.
    stack: (error.stack ?? '')
      .split(error.message || '\n')
      .map(redactText)
      .join(message || '\n'),
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined || depth === 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/**
 * Creates the logger: JSON lines on standard output with redacted secrets.
 * @param level a pino level, e.g. `info`; `silent` to log nothing
 * @param to where the lines go. Default: standard output
 */
export function createLogger(level: string, to?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
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
  };
  return to ? pino(options, to) : pino(options);
}
