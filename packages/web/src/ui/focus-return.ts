import { useRef } from 'react';

const OVERLAYS = '[role="dialog"], [role="alertdialog"]';

/** What had the focus before the first of the overlays that are open; one overlay may give way to another. */
let origin: HTMLElement | null = null;

function focusedElement(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
}

interface FocusReturn {
  /** Call when the overlay opens, before the focus goes into it. */
  remember: () => void;
  /** Call when it has closed: the focus goes back to where it was. */
  giveBack: (event: Event) => void;
}

/** Gives the focus back to what had it when an overlay opened, also where that overlay was opened from another that is gone. */
export function useFocusReturn(): FocusReturn {
  const opener = useRef<HTMLElement | null>(null);
  return {
    remember() {
      const focused = focusedElement();
      opener.current = focused ?? origin;
      if (focused && focused.closest(OVERLAYS) === null) origin = focused;
    },
    giveBack(event) {
      event.preventDefault();
      const target = opener.current?.isConnected ? opener.current : origin;
      const above = [...document.querySelectorAll(OVERLAYS)].at(-1);
      // What opened in its place keeps the focus.
      if (!above || above.contains(target)) target?.focus();
    },
  };
}
