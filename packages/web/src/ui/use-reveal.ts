import { type RefObject, useEffect, useRef } from 'react';

/** Height of the detail that must be visible, px; with less, the page scrolls to it. */
const MIN_VISIBLE = 160;

/** Matches windows in which the detail is below the list: narrower than Tailwind's `lg`. */
const stacked = window.matchMedia('(max-width: 1023px)');

/** Class of a list beside its detail: on wide screens it stays in view and scrolls on its own; in print it is complete. */
export const STICKY_LIST = 'lg:sticky lg:top-8 lg:max-h-[calc(100dvh-8.75rem)] print:static print:max-h-none';

/** Scrolls the detail into view after another entry is selected, if its top is not visible. */
export function useReveal(key: string | undefined): RefObject<HTMLDivElement | null> {
  const detail = useRef<HTMLDivElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    const isOther = key !== undefined && key !== shown.current;
    shown.current = key;
    const frame = detail.current?.closest('main')?.parentElement?.getBoundingClientRect();
    if (!isOther || !detail.current || !frame) return;
    const { top } = detail.current.getBoundingClientRect();
    // Below the list, as on a phone, the detail is what the choice leads to.
    if (top < frame.top || top > frame.bottom - MIN_VISIBLE || stacked.matches)
      detail.current.scrollIntoView({ block: 'start' });
  }, [key]);
  return detail;
}
