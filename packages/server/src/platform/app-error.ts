import type { ErrorCode } from '@datadeck/contract';

/** Details of an `AppError`. */
export interface AppErrorDetail {
  /** Error messages by field of the request. */
  fields?: Record<string, string>;
  /** Offset in a JSONata expression, UTF-16 units. */
  position?: number;
  /** Seconds until the next attempt. */
  retryAfter?: number;
  cause?: unknown;
}

/** An expected failure: an error code of the contract and a message for the user. */
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

/** Finds the AppError among an error and its causes, because the database library wraps errors. */
export function appErrorOf(error: unknown): AppError | undefined {
  let current = error;
  for (let depth = 0; depth < 5; depth++) {
    if (current instanceof AppError) return current;
    if (!(current instanceof Error)) return undefined;
    current = current.cause;
  }
  return undefined;
}

/** Runs the work and adds the field of the request to an AppError that it throws. */
export async function withField<Result>(field: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fields = { [field]: error.message, ...error.detail.fields };
    throw new AppError(error.code, error.message, { ...error.detail, fields });
  }
}

/** Creates the error for a missing object or one of another user; both must look the same. */
export function notFound(what: string): AppError {
  return new AppError('not-found', `${what} does not exist.`);
}
