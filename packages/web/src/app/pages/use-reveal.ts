import { type RefObject, useEffect, useRef } from 'react';

/** Pixels of the detail that tell that it is there. */
const GLIMPSE = 160;

/** The class of a list beside its detail: on a wide screen it stays in view and scrolls by itself, so that who picks in it keeps the place. On paper it is whole. */
export const STAYING_LIST =
  'lg:sticky lg:top-8 lg:max-h-[calc(100dvh-8.75rem)] print:static print:max-h-none';

/** Brings the top of the detail into view once another entry was picked and it is out of view: under its list on a phone, or scrolled away. */
export function useReveal(key: string | undefined): RefObject<HTMLDivElement | null> {
  const detail = useRef<HTMLDivElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    const isOther = key !== undefined && key !== shown.current;
    shown.current = key;
    const frame = detail.current?.closest('main')?.parentElement?.getBoundingClientRect();
    if (!isOther || !detail.current || !frame) return;
    const { top } = detail.current.getBoundingClientRect();
    if (top < frame.top || top > frame.bottom - GLIMPSE) detail.current.scrollIntoView({ block: 'start' });
  }, [key]);
  return detail;
}
