/** SQLSTATE of an error of the driver, looked for along its causes. */
function sqlState(error: unknown): string | undefined {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth++
  ) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What the database itself says of an error, without the statement that it is about. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // Of an address of two families, for example.
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.message;
}

/**
 * True when the database could not be reached, went away or takes nothing at the moment (SQLSTATE class 08, 57P01 to 57P03,
 * 53300 for too many connections, 25006 for one that may only be read, as after a fail-over; socket errors).
 */
export function isConnectionFailure(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== undefined) return /^(08...|57P0[1-3]|53300|25006)$/.test(code) || SOCKET_CODES.has(code);
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth++
  ) {
    if (
      /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/.test(
        current.message,
      )
    )
      return true;
  }
  return false;
}

/** True when the server's disk is full (53100), or the file system said so. */
export function isStorageFull(error: unknown): boolean {
  const code = sqlState(error);
  return code === '53100' || code === 'ENOSPC';
}

/** True when the database takes no writes (25006), or has no unlogged tables (0A000), as a standby server. */
export function isReadOnly(error: unknown): boolean {
  const code = sqlState(error);
  return code === '25006' || code === '0A000';
}

/** True for a statement that took too long and was stopped (57014). */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** True for a violated unique index or key (23505). */
export function isDuplicate(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** True for text that PostgreSQL cannot store: an invalid byte (22021), an untranslatable character (22P05). */
export function isUnstorableText(error: unknown): boolean {
  const code = sqlState(error);
  return code === '22021' || code === '22P05';
}
