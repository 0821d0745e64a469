/** Returns the SQLSTATE or error code of a driver error or one of its causes. */
export function sqlState(error: unknown): string | undefined {
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

/** Returns the database's own error message, without the failed statement. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // For example for a host with IPv4 and IPv6 addresses.
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.message;
}

/**
 * Returns whether the database was unreachable, disconnected or temporarily unavailable (SQLSTATE class 08, 57P01 to
 * 57P03, 53300: too many connections, 25006: read-only, as after a failover; socket errors).
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

/** Returns whether the disk is full (53100 or ENOSPC). */
export function isStorageFull(error: unknown): boolean {
  const code = sqlState(error);
  return code === '53100' || code === 'ENOSPC';
}

/** Returns whether the database rejects writes (25006) or unlogged tables (0A000), like a standby server. */
export function isReadOnly(error: unknown): boolean {
  const code = sqlState(error);
  return code === '25006' || code === '0A000';
}

/** SQLSTATE of a missing right. */
export const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns whether a statement was cancelled by a timeout (57014). */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/**
 * Returns whether PostgreSQL refuses the data itself, so that only other data can succeed: SQLSTATE classes 22 (data), 23
 * (constraints), 54 (limits, such as the size of an index entry), P0 (raised by triggers) and XX000 (e.g. too much memory).
 */
export function isRefusedData(error: unknown): boolean {
  return /^(22...|23...|54...|P0...|XX000)$/.test(sqlState(error) ?? '');
}

/** Returns whether PostgreSQL cannot store a text: invalid byte (22021) or untranslatable character (22P05). */
export function isUnstorableText(error: unknown): boolean {
  const code = sqlState(error);
  return code === '22021' || code === '22P05';
}
