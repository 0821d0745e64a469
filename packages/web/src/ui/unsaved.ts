import { useEffect, useRef } from 'react';
import { confirm } from './confirmation.tsx';

interface Form {
  /** Holds what was typed and not saved. */
  isDirty: boolean;
  /** Closes its dialog without a question. */
  close: () => void;
}

/** The forms that are open. */
const forms = new Set<Form>();

/** Whether a form is open that holds what was typed and not saved. */
export const hasUnsaved = () => [...forms].some(({ isDirty }) => isDirty);

/** Closes the forms that are open, with what was typed into them. */
export function closeForms(): void {
  for (const { close } of [...forms]) close();
}

/** Asks before text that was typed is lost. */
export function confirmDiscard(): Promise<boolean> {
  return confirm('Unsaved changes', 'Your changes have not been saved. Discard them?');
}

/** Keeps what was typed into a form from being lost without a question: by closing its dialog, by the browser's Back, by a reload. @returns what closes the dialog */
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
