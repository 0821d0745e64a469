import type { ShareSession } from '@datadeck/contract';
import { errorOf } from '../../api/failure.ts';
import {
  type FetchedFile,
  type RequestError,
  type RequestOptions,
  type RequestOutcome,
  type RequestSettings,
  requestFile,
} from '../../api/request.ts';
import { requestWhenFree } from '../../api/request-when-free.ts';

/**
 * Opens a shared page.
 * @param password what the reader entered; absent at first, and when the page opens itself again
 * @throws RequestError
 */
export type OpenShare = (password?: string) => Promise<ShareSession>;

/** What a shared page is doing. */
export type ShareState =
  | { kind: 'opening' }
  | { kind: 'open' }
  /** It waits for its password; the error is that of the last try. */
  | { kind: 'password'; error?: unknown; hasExpired: boolean }
  | { kind: 'failed'; error: unknown };

/** The requests of a shared page: nothing of an account that is signed in in this browser is read or sent. */
export const SHARE_REQUESTS: RequestSettings = {
  baseUrl: '',
  timeout: 60_000,
  credentials: 'omit',
  prepareHeaders: () => undefined,
};

/** Errors that end the page, also while it is shown. */
const ENDING = ['share-ended', 'sharing-off'];

/** The share session of one page. Its token is in memory only. */
export interface ShareClient {
  getState: () => ShareState;
  subscribe: (listener: () => void) => () => void;
  /** Opens the page, and again after a failure. */
  open: (password?: string) => Promise<void>;
  /** Sends a request with the session, which it renews once when the server no longer knows it. */
  send: (options: RequestOptions) => Promise<RequestOutcome>;
  fetchFile: (options: RequestOptions) => Promise<FetchedFile>;
}

/** Returns what a page shows after it could not be opened. */
function stateAfter(error: unknown, before: ShareState, hasExpired: boolean): ShareState {
  const code = errorOf(error)?.code;
  if (code === 'password-needed') return { kind: 'password', hasExpired };
  // Any other failure of a password leaves its form, so that it can be sent again.
  if (before.kind === 'password' && !ENDING.includes(code ?? '')) return { ...before, error };
  return { kind: 'failed', error };
}

/** Creates the client of a shared page, which is not opened yet. */
export function createShareClient(openShare: OpenShare): ShareClient {
  let state: ShareState = { kind: 'opening' };
  let session: string | undefined;
  let renewal: Promise<RequestError | undefined> | undefined;
  const listeners = new Set<() => void>();
  function setState(next: ShareState) {
    state = next;
    for (const listener of listeners) listener();
  }

  async function open(password?: string) {
    const before = state;
    if (before.kind === 'failed') setState({ kind: 'opening' });
    try {
      session = (await openShare(password)).session;
      setState({ kind: 'open' });
    } catch (error) {
      setState(stateAfter(error, before, false));
    }
  }

  /** Opens the page again behind the shown one. Returns why it could not. */
  async function renew(): Promise<RequestError | undefined> {
    try {
      session = (await openShare()).session;
      return undefined;
    } catch (reason) {
      const error = reason as RequestError;
      const next = stateAfter(error, state, true);
      if (next.kind === 'password' || ENDING.includes(errorOf(error)?.code ?? '')) setState(next);
      return error;
    } finally {
      renewal = undefined;
    }
  }

  async function attempt<T extends { error?: RequestError | undefined }>(
    call: (token: string | undefined) => Promise<T>,
  ): Promise<T | { error: RequestError }> {
    const used = session;
    let outcome: T | { error: RequestError } = await call(used);
    if (errorOf(outcome.error)?.code === 'unauthenticated') {
      if (session === used) renewal ??= renew();
      const error = await renewal;
      outcome = error ? { error } : await call(session);
    }
    if (ENDING.includes(errorOf(outcome.error)?.code ?? ''))
      setState({ kind: 'failed', error: outcome.error });
    return outcome;
  }

  const withToken = (options: RequestOptions, token: string | undefined) =>
    token === undefined ? options : { ...options, token };
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
    send: (options) => attempt((token) => requestWhenFree(withToken(options, token), SHARE_REQUESTS)),
    fetchFile: (options) => attempt((token) => requestFile(withToken(options, token), SHARE_REQUESTS)),
  };
}
