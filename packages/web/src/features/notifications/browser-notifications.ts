import { useSyncExternalStore } from 'react';
import { readJson, removeJson, storeJson } from '../../api/json-storage.ts';

const KEY = 'dd-browserNotifications';

/** Whether this browser shows notifications, or why it does not. */
export type BrowserNotifications = 'on' | 'off' | 'denied' | 'insecure' | 'unsupported';

const listeners = new Set<() => void>();

function read(): BrowserNotifications {
  if (!window.isSecureContext) return 'insecure';
  if (!('Notification' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const isWanted = readJson(KEY, false, (value) => value === true);
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off';
}

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The permission is changed in the settings of the browser, the choice in another tab.
  window.addEventListener('focus', listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('focus', listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns whether this browser shows notifications, and follows changes. */
export function useBrowserNotifications(): BrowserNotifications {
  return useSyncExternalStore(subscribe, read);
}

/**
 * Asks for the permission, which browsers allow after a click only, and shows a first notification.
 * @returns false when the browser shows notifications of service workers only, as Chrome on Android does
 */
export async function turnOnNotifications(): Promise<boolean> {
  const permission = await Notification.requestPermission();
  try {
    if (permission !== 'granted') return true;
    new Notification('Notifications are on', { body: 'Alerts appear like this.', tag: KEY });
    storeJson(KEY, true);
    return true;
  } catch {
    return false;
  } finally {
    changed();
  }
}

/** Shows no more notifications in this browser. */
export function turnOffNotifications(): void {
  removeJson(KEY);
  changed();
}
