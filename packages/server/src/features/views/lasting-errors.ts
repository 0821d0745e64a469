import { AppError } from '../../platform/app-error.ts';

const LASTING = new Set([
  'expression-invalid',
  'expression-failed',
  'query-too-complex',
  'validation-failed',
  'not-found',
]);

/** Returns whether a view failed in a way that a later attempt at the same data would meet again. */
export function isLasting(error: unknown): error is AppError {
  return error instanceof AppError && LASTING.has(error.code);
}
