import { useEffect, useRef } from 'react';
import { confirm } from './confirmation.tsx';

interface Form {
  /** Whether it has unsaved input. */
  isDirty: boolean;
  /** Closes the form's dialog without asking. */
  close: () => void;
}

/** The open forms. */
const forms = new Set<Form>();

/** Returns whether an open form has unsaved input. */
export const hasUnsaved = () => [...forms].some(({ isDirty }) => isDirty);

/** Closes the open forms and discards their input. */
export function closeForms(): void {
  for (const { close } of [...forms]) close();
}

/** Asks whether unsaved input may be discarded. */
export function confirmDiscard(): Promise<boolean> {
  return confirm('Unsaved changes', 'Your changes have not been saved. Discard them?');
}

/**
 * Asks the user before unsaved input is lost by closing the dialog, by Back or by a reload.
 * @returns a function that asks if needed and closes the dialog
 */
export function useUnsaved(isDirty: boolean, onClose: () => void): () => void {
  const current = useRef(onClose);
  current.current = onClose;
  useEffect(() => {
    const form = { isDirty, close: () => current.current() };
    const onUnload = (event: Event) => event.preventDefault();
    forms.add(form);
    if (isDirty) window.addEventListener('beforeunload', onUnload);
    return () => {
      forms.delete(form);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [isDirty]);
  return () => {
    if (!isDirty) return onClose();
    void confirmDiscard().then((may) => may && onClose());
  };
}
