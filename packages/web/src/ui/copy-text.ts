import { toasts } from './toast.tsx';

/** Copies by selecting the text in a text area. This also works on pages served over plain HTTP. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.value = text;
  box.readOnly = true;
  box.setAttribute('aria-hidden', 'true');
  box.style.cssText = 'position:fixed;top:0;left:0;opacity:0';
  // Append to the open dialog: its focus trap would take the focus from elements outside.
  (focused?.closest('[role="dialog"]') ?? document.body).append(box);
  box.focus({ preventScroll: true });
  box.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    box.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

/**
 * Copies a text. Returns false after showing what to do instead. Browsers offer the clipboard only to pages from HTTPS
 * or localhost, and may still refuse access.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard is undefined or refused access.
  }
  if (copyBySelection(text)) return true;
  toasts.error('The browser does not let this page copy. Select the text and copy it with the keyboard.', {
    duration: 6000,
  });
  return false;
}
