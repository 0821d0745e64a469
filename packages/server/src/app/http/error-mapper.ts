import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@datadeck/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, appErrorOf } from '../../platform/app-error.ts';
import {
  isConnectionFailure,
  isStatementTimeout,
  isStorageFull,
  isUnstorableText,
} from '../../platform/db/failures.ts';
import { ClientGoneError } from './client-gone.ts';

interface Known {
  code: ErrorCode;
  message: string;
}

const NOTHING_THERE: Known = { code: 'not-found', message: 'There is nothing at this address.' };
const UNREADABLE_ADDRESS: Known = { code: 'malformed-request', message: 'The address cannot be read.' };

/** Fastify's own errors, by status; 403 is the file server's, for a path that is no file's. */
const BY_STATUS: Record<number, Known> = {
  400: { code: 'malformed-request', message: 'The request cannot be read: its body must be JSON.' },
  403: NOTHING_THERE,
  404: NOTHING_THERE,
  413: { code: 'payload-too-large', message: 'The request is too large.' },
  // Of a part of the address that is longer than any id.
  414: NOTHING_THERE,
  415: { code: 'malformed-request', message: 'The request cannot be read: its body must be JSON.' },
};

function knownOf(error: unknown): Known | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { code, statusCode } = error as FastifyError;
  return code === 'FST_ERR_BAD_URL' ? UNREADABLE_ADDRESS : BY_STATUS[Number(statusCode)];
}

/**
 * Any thrown thing -> an error of the closed list. The one place where errors become HTTP.
 * @param isDiskFull of the database: PostgreSQL ends when it cannot write its log
 */
function toAppError(error: unknown, isDiskFull: () => boolean): AppError {
  const known = appErrorOf(error);
  if (known) return known;
  const isUnreachable = isConnectionFailure(error);
  if (isStorageFull(error) || (isUnreachable && isDiskFull())) {
    return new AppError(
      'storage-full',
      'The disk of the database is full; nothing was changed. Free some space, then try again.',
      { cause: error },
    );
  }
  if (isUnreachable) {
    return new AppError('unavailable', 'The database cannot be reached at the moment. Try again shortly.', {
      cause: error,
    });
  }
  if (isStatementTimeout(error)) {
    return new AppError('unavailable', 'The database took too long and was stopped. Try again shortly.', {
      cause: error,
    });
  }
  if (isUnstorableText(error)) {
    return new AppError('validation-failed', 'The request contains characters that cannot be stored.');
  }
  const answer = knownOf(error);
  if (answer) return new AppError(answer.code, answer.message);
  return new AppError('internal', 'Something went wrong in Datadeck itself; its log says more. Try again.', {
    cause: error,
  });
}

function bodyOf(error: AppError): ErrorBody {
  const { fields, position, retryAfter } = error.detail;
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(fields === undefined ? {} : { fields }),
      ...(position === undefined ? {} : { position }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  };
}

/** Whether the client left while its request was being read or worked on: nobody is there for the answer. */
function isClientGone(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof ClientGoneError || (raw.errored === error && raw.destroyed);
}

/** Fastify's error handler. @param isDiskFull of the database */
export function errorHandler(isDiskFull: () => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const appError = toAppError(error, isDiskFull);
    const status = ERROR_STATUS[appError.code];
    // A provider's failure is no defect of ours: its sentence is enough.
    if (isClientGone(error, request)) request.log.debug({ err: error }, 'the client left');
    else if (appError.code === 'provider-unavailable')
      request.log.info({ reason: appError.message }, 'provider failed');
    else if (status >= 500) request.log.error({ err: error }, 'request failed');
    if (appError.detail.retryAfter !== undefined)
      reply.header('retry-after', String(appError.detail.retryAfter));
    reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(bodyOf(appError)));
  };
}

/** Fastify's handler for addresses that no route has. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const error = new AppError(
    'not-found',
    `There is nothing at ${request.method} ${request.url.split('?')[0]}.`,
  );
  reply
    .code(404)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(bodyOf(error)));
}
