import { readJson, removeJson, storeJson } from '../../api/json-storage.ts';
import { PATHS } from '../address/paths.ts';

/** Where the tab keeps the place at which its session ended, over the sign-in that leaves the app. */
const KEY = 'dd-endedAt';
/** What tells the other tabs that their common session ended by itself; nobody signed out. */
const ENDED_KEY = 'dd-sessionEnded';

type Place = Pick<Location, 'pathname' | 'search'>;

/** Remembers where the session ended. */
export function rememberEndedSession({ pathname, search }: Place = window.location): void {
  if (pathname.startsWith(`${PATHS.dashboard}/`)) sessionStorage.setItem(KEY, pathname + search);
}

/** The screen at which the session of this tab ended; null when none did since the last sign-in. */
export function endedSessionPlace(): string | null {
  const place = sessionStorage.getItem(KEY);
  return place?.startsWith(`${PATHS.dashboard}/`) ? place : null;
}

/** Tells the other tabs, before they hear that the token is gone. */
export function announceEndedSession(): void {
  storeJson(ENDED_KEY, true);
}

/** Whether the session that is gone ended by itself. */
export function hasSessionEnded(): boolean {
  return readJson(ENDED_KEY, false, (value) => value === true);
}

/** Somebody has signed in. */
export function retractEndedSession(): void {
  removeJson(ENDED_KEY);
}

/** Somebody has signed in, or out. */
export function forgetEndedSession(): void {
  sessionStorage.removeItem(KEY);
}
