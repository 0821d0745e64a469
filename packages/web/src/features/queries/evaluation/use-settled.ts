import { useLayoutEffect, useState } from 'react';

/** A text after it has rested for a while, and a way not to wait. */
export function useSettled(text: string, delay: number): [settled: string, settleNow: () => void] {
  const [settled, setSettled] = useState(text);
  // With the screen's own change, so that the rest begins when the text is there to be seen.
  useLayoutEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay);
    return () => clearTimeout(timer);
  }, [text, delay]);
  return [settled, () => setSettled(text)];
}
