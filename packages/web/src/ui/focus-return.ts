import { useRef } from 'react';

const OVERLAYS = '[role="dialog"], [role="alertdialog"]';

/** The element that had the focus before the first open overlay; one overlay may replace another. */
let origin: HTMLElement | null = null;

function focusedElement(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
}

interface FocusReturn {
  /** Call this when the overlay opens, before it takes the focus. */
  remember: () => void;
  /** Call this after the overlay closes: the focus returns to the earlier element. */
  restore: (event: Event) => void;
}

/** Returns the focus when an overlay closes, even if that overlay was opened from another one that is already closed. */
export function useFocusReturn(): FocusReturn {
  const opener = useRef<HTMLElement | null>(null);
  return {
    remember() {
      const focused = focusedElement();
      opener.current = focused ?? origin;
      if (focused && focused.closest(OVERLAYS) === null) origin = focused;
    },
    restore(event) {
      event.preventDefault();
      const target = opener.current?.isConnected ? opener.current : origin;
      const above = [...document.querySelectorAll(OVERLAYS)].at(-1);
      // An overlay that opened in the meantime keeps the focus.
      if (!above || above.contains(target)) target?.focus();
    },
  };
}
