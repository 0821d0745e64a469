import { useSyncExternalStore } from 'react';
import { readJson, storeJson } from '../../api/json-storage.ts';

const KEY = 'dd-theme';
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let choice: ThemeChoice = readJson(
  KEY,
  'system',
  (value) => THEME_CHOICES.find((known) => known === value) ?? 'system',
);

/** Sets `data-theme` of the page to light or dark. */
function apply(): void {
  const isDark = choice === 'dark' || (choice === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

systemDark.addEventListener('change', apply);
apply();

/** Stores and applies the choice. */
function setTheme(next: ThemeChoice): void {
  choice = next;
  storeJson(KEY, next);
  apply();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the chosen theme and a function that changes it. */
export function useTheme(): [ThemeChoice, (next: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, () => choice), setTheme];
}
