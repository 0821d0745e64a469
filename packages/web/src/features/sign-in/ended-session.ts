import { PATHS, SHARED_PATHS } from '../../address/paths.ts';
import { readJson, removeJson, storeJson } from '../../api/json-storage.ts';

/** Session storage key of the screen at which the session ended. It survives a sign-in that leaves the app. */
const KEY = 'dd-endedAt';
/** Local storage key that marks to other tabs that the session ended by itself, not by signing out. */
const ENDED_KEY = 'dd-sessionEnded';

type ScreenAddress = Pick<Location, 'pathname' | 'search' | 'hash'>;

/**
 * Remembers the screen at which the session ended, or the invitation that needs a sign-in. The secret of an invitation is in its
 * fragment, which so reaches no server.
 */
export function rememberEndedSession({ pathname, search, hash }: ScreenAddress = window.location): void {
  if (pathname.startsWith(`${PATHS.dashboard}/`)) sessionStorage.setItem(KEY, pathname + search + hash);
}

/** Returns whether the sign-in returns to an invitation. */
export function isInvited(): boolean {
  return endedSessionAddress()?.startsWith(SHARED_PATHS.invitation) ?? false;
}

/** Returns the screen at which this tab's session ended; null if none ended since the last sign-in. */
export function endedSessionAddress(): string | null {
  const address = sessionStorage.getItem(KEY);
  return address?.startsWith(`${PATHS.dashboard}/`) ? address : null;
}

/** Marks for other tabs that the session ended by itself. Call it before the token is removed. */
export function announceEndedSession(): void {
  storeJson(ENDED_KEY, true);
}

/** Returns whether the removed session ended by itself. */
export function hasSessionEnded(): boolean {
  return readJson(ENDED_KEY, false, (value) => value === true);
}

/** Removes the mark; call it after a sign-in. */
export function retractEndedSession(): void {
  removeJson(ENDED_KEY);
}

/** Forgets the remembered screen; call it after a sign-in or sign-out. */
export function forgetEndedSession(): void {
  sessionStorage.removeItem(KEY);
}
