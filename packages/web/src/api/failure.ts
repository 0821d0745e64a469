import { type ErrorBody, errorBodySchema } from '@datadeck/contract';

/** The error of an answer, when the server gave one in the agreed form. */
export function errorOf(error: unknown): ErrorBody['error'] | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined;
  return errorBodySchema.safeParse(error.data).data?.error;
}

/** A sentence for people about a failed call: the server's own, or one about the connection. */
export function sentenceOf(error: unknown): string {
  const known = errorOf(error);
  if (known) return known.message;
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 'FETCH_ERROR') return 'The server could not be reached. Check the connection and try again.';
  if (status === 'TIMEOUT_ERROR') return 'The server took too long to answer. Try again.';
  return 'The server gave an answer that was not expected. Try again.';
}
