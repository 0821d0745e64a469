import { toasts } from './toast.tsx';

/** Copies by selecting the text in a box: the way that works where the page came over plain HTTP. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.value = text;
  box.readOnly = true;
  box.setAttribute('aria-hidden', 'true');
  box.style.cssText = 'position:fixed;top:0;left:0;opacity:0';
  // A dialog takes the focus back from everything outside of it.
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
 * Copies a text and returns true, or says what to do instead and returns false. Browsers offer their clipboard to pages
 * from HTTPS and localhost alone, and may refuse it there.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Undefined, or refused.
  }
  if (copyBySelection(text)) return true;
  toasts.error('The browser does not let this page copy. Select the text and copy it with the keyboard.', {
    duration: 6000,
  });
  return false;
}
