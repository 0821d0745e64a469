import type { ErrorCode } from '@datadeck/contract';

export interface AppErrorDetail {
  /** What is wrong with which field of the request. */
  fields?: Record<string, string>;
  /** Offset in a JSONata expression, UTF-16 units. */
  position?: number;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  cause?: unknown;
}

/** An expected failure: a code of the contract's closed list and a sentence for the person who reads it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: AppErrorDetail;

  constructor(code: ErrorCode, message: string, detail: AppErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
  }
}

/** The expected failure behind an error, looked for along its causes: the database's library wraps what it is given. */
export function appErrorOf(error: unknown): AppError | undefined {
  let current = error;
  for (let depth = 0; depth < 5; depth++) {
    if (current instanceof AppError) return current;
    if (!(current instanceof Error)) return undefined;
    current = current.cause;
  }
  return undefined;
}

/** Names the field of the request that an expected failure is about. */
export async function withField<Result>(field: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fields = { [field]: error.message, ...error.detail.fields };
    throw new AppError(error.code, error.message, { ...error.detail, fields });
  }
}

/** The error for something that does not exist, or belongs to somebody else: the two must look alike. */
export function notFound(what: string): AppError {
  return new AppError('not-found', `${what} does not exist.`);
}
