import { PATHS } from './paths.ts';

/** Where the tab keeps the place at which its session ended, over the sign-in that leaves the app. */
const KEY = 'dd-endedAt';

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

/** Somebody has signed in, or out. */
export function forgetEndedSession(): void {
  sessionStorage.removeItem(KEY);
}
