import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';

const SWITCH_KEY = 'dd-shortcuts';
/** Time within which the second key of a pair must follow, ms. */
const PAIR_WINDOW = 1000;

/** Returns whether single-key shortcuts are on. Users can turn them off, because they interfere with speech input. */
export const areShortcutsOn = () => readJson(SWITCH_KEY, true, (value) => z.boolean().parse(value));
export const switchShortcuts = (on: boolean) => storeJson(SWITCH_KEY, on);

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role="tree"]') !== null
  );
}

/**
 * Runs commands by key (`?`, `[`), by pair (`g p`) or with Ctrl/Cmd (`mod+k`). Single keys are ignored while the user
 * types and in dialogs.
 */
export function useShortcuts(commands: Record<string, () => void>): void {
  const current = useRef(commands);
  current.current = commands;
  useEffect(() => {
    let before = '';
    let at = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      let command: (() => void) | undefined;
      if (event.ctrlKey || event.metaKey) command = current.current[`mod+${key}`];
      else if (
        !event.altKey &&
        areShortcutsOn() &&
        !isTyping(event.target) &&
        !document.querySelector('[role="dialog"], [role="alertdialog"]')
      ) {
        const isPair = before !== '' && event.timeStamp - at < PAIR_WINDOW;
        command = (isPair ? current.current[`${before} ${key}`] : undefined) ?? current.current[key];
        before = command ? '' : key;
        at = event.timeStamp;
      }
      if (!command) return;
      event.preventDefault();
      command();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
