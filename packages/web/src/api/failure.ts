import type { ErrorBody } from '@datadeck/contract';
import type { RequestError } from './request.ts';

type WireError = ErrorBody['error'];

// Written by hand: the login screen uses it, and does not load the schema library.
function isWireError(value: unknown): value is WireError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

/** Returns the error object of a failed call, if the server sent one in the contract's format. */
export function errorOf(error: unknown): WireError | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  return isWireError(data.error) ? data.error : undefined;
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
}

/** Returns whether a call failed because no answer came from the server. */
export function isUnreachable(error: unknown): boolean {
  return statusOf(error) === 'FETCH_ERROR';
}

/** Returns the error of an answer that does not match its schema. */
export function unreadable(error: string): RequestError {
  return { status: 'PARSING_ERROR', originalStatus: 200, data: '', error };
}

/** Returns a sentence for the user about a failed call: the server's message, or a general one. */
export function sentenceOf(error: unknown): string {
  const known = errorOf(error);
  if (known) return known.message;
  const status = statusOf(error);
  if (isUnreachable(error)) return 'The server could not be reached. Check the connection and try again.';
  if (status === 'TIMEOUT_ERROR') return 'The server took too long to respond. Try again.';
  return 'The server sent a response that the app does not understand. Try again.';
}

/** Matches the request to try again at the end of a message, as its own sentence or part of one. */
const TRY_AGAIN = / Try again(?: later| shortly)?\.$|,? (?:and|then) try again\.$/;

/** Returns the same sentence without "Try again", for use next to a button that says so. */
export function causeOf(error: unknown): string {
  const sentence = sentenceOf(error);
  const cause = sentence.replace(TRY_AGAIN, '');
  return cause === sentence || cause.endsWith('.') ? cause : `${cause}.`;
}
