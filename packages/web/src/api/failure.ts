import type { ErrorBody } from '@datadeck/contract';

type WireError = ErrorBody['error'];

// By hand: the login screen needs this, and comes without the schema library.
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

/** The error of an answer, when the server gave one in the agreed form. */
export function errorOf(error: unknown): WireError | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  return isWireError(data.error) ? data.error : undefined;
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

/** An invitation to try again at the end of a sentence, as a sentence of its own or a part of one. */
const INVITATION = / Try again(?: later| shortly)?\.$|,? (?:and|then) try again\.$/;

/** The same for beside a button that tries again: the button alone invites to it. */
export function causeOf(error: unknown): string {
  const sentence = sentenceOf(error);
  const cause = sentence.replace(INVITATION, '');
  return cause === sentence || cause.endsWith('.') ? cause : `${cause}.`;
}
