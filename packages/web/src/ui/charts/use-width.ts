import { type RefObject, useLayoutEffect, useState } from 'react';

/** Width where elements have none, px: in tests, or before the first layout. */
const DEFAULT_WIDTH = 640;

/** Returns the width of an element, and follows it. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(DEFAULT_WIDTH);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(Math.floor(current.clientWidth) || DEFAULT_WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
