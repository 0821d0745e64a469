import { ENDPOINTS, ERROR_STATUS, type ErrorBody, type ErrorCode } from '@datadeck/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, appErrorOf } from '../../platform/app-error.ts';
import {
  isConnectionFailure,
  isStatementTimeout,
  isStorageFull,
  isUnstorableText,
} from '../../platform/db/failures.ts';
import { ClientDisconnectedError } from './client-disconnect.ts';

interface ErrorDescription {
  code: ErrorCode;
  message: string;
}

const NOTHING_FOUND: ErrorDescription = { code: 'not-found', message: 'There is nothing at this address.' };
const UNREADABLE_ADDRESS: ErrorDescription = {
  code: 'malformed-request',
  message: 'The address cannot be read.',
};

/** Fastify's own errors by status. 403 comes from the file server, for a path outside its folder. */
const BY_STATUS: Record<number, ErrorDescription> = {
  400: { code: 'malformed-request', message: 'The request cannot be read: its body must be JSON.' },
  403: NOTHING_FOUND,
  404: NOTHING_FOUND,
  413: { code: 'payload-too-large', message: 'The request is too large.' },
  // A path parameter longer than any id.
  414: NOTHING_FOUND,
  415: { code: 'malformed-request', message: 'The request cannot be read: its body must be JSON.' },
};

function frameworkErrorOf(error: unknown): ErrorDescription | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { code, statusCode } = error as FastifyError;
  return code === 'FST_ERR_BAD_URL' ? UNREADABLE_ADDRESS : BY_STATUS[Number(statusCode)];
}

/**
 * Converts any thrown value to an AppError. The only place where errors become HTTP responses.
 * @param isDiskFull of the database: PostgreSQL stops when it cannot write its log
 */
function toAppError(error: unknown, isDiskFull: () => boolean): AppError {
  const appError = appErrorOf(error);
  if (appError) return appError;
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
  const described = frameworkErrorOf(error);
  if (described) return new AppError(described.code, described.message);
  return new AppError(
    'internal',
    'Something went wrong in Datadeck itself; the server log has the details. Try again.',
    {
      cause: error,
    },
  );
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

/** Returns whether the client disconnected while its request was read or processed. */
function isClientDisconnected(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof ClientDisconnectedError || (raw.errored === error && raw.destroyed);
}

/** Creates Fastify's error handler. @param isDiskFull of the database */
export function errorHandler(isDiskFull: () => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const appError = toAppError(error, isDiskFull);
    const status = ERROR_STATUS[appError.code];
    // A provider failure is not a defect of Datadeck, so no stack trace is logged.
    if (isClientDisconnected(error, request)) request.log.debug({ err: error }, 'the client disconnected');
    else if (appError.code === 'provider-unavailable')
      request.log.info({ reason: appError.message }, 'provider failed');
    else if (status >= 500) request.log.error({ err: error }, 'request failed');
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    if (appError.detail.retryAfter !== undefined)
      reply.header('retry-after', String(appError.detail.retryAfter));
    reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(bodyOf(appError)));
  };
}

/** Returns whether a path is one of an endpoint, such as `/api/data/views/{viewId}`. */
function isPathOf(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]))
  );
}

/** Fastify's handler for URLs without a route. Another method of an endpoint is 405. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const { method, url, originalUrl } = request;
  const path = url.split('?')[0] ?? '';
  // As the caller wrote it, with or without the version.
  const shown = originalUrl.split('?')[0];
  const methods = new Set<string>(
    Object.values(ENDPOINTS).flatMap((one) => (isPathOf(one.path, path) ? [one.method] : [])),
  );
  // The endpoint itself may refuse an id that is too long.
  const isNothing = methods.size === 0 || methods.has(method);
  const error = isNothing
    ? new AppError('not-found', `There is nothing at ${method} ${shown}.`)
    : new AppError('method-not-allowed', `${shown} takes ${[...methods].join(', ')}, not ${method}.`);
  if (!isNothing) reply.header('allow', [...methods].join(', '));
  reply
    .code(ERROR_STATUS[error.code])
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(bodyOf(error)));
}
