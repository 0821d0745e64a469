import { type RefObject, useEffect, useRef } from 'react';

/** On a phone the detail stands under its list: brings it into view once another entry was picked. */
export function useReveal(key: string | undefined): RefObject<HTMLDivElement | null> {
  const detail = useRef<HTMLDivElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    if (key !== undefined && key !== shown.current) detail.current?.scrollIntoView({ block: 'nearest' });
    shown.current = key;
  }, [key]);
  return detail;
}
