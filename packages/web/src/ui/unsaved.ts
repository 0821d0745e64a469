import { useEffect } from 'react';
import { confirm } from './confirmation.tsx';

/** The open forms that hold what was typed and not saved. */
const forms = new Set<object>();

/** Whether a form is open that holds what was typed and not saved. */
export const hasUnsaved = () => forms.size > 0;

/** Asks before text that was typed is lost. */
export function confirmDiscard(): Promise<boolean> {
  return confirm('Unsaved changes', 'Your changes have not been saved. Discard them?');
}

/** Keeps what was typed into a form from being lost without a question: by closing its dialog, by the browser's Back, by a reload. @returns what closes the dialog */
export function useUnsaved(isDirty: boolean, onClose: () => void): () => void {
  useEffect(() => {
    if (!isDirty) return;
    const form = {};
    const onUnload = (event: Event) => event.preventDefault();
    forms.add(form);
    window.addEventListener('beforeunload', onUnload);
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
