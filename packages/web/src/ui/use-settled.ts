import { useLayoutEffect, useState } from 'react';

/** Debounces a text. @returns the debounced text, and a function that updates it at once */
export function useSettled(text: string, delay: number): [settled: string, settleNow: () => void] {
  const [settled, setSettled] = useState(text);
  // A layout effect, so that the delay starts when the text is rendered.
  useLayoutEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay);
    return () => clearTimeout(timer);
  }, [text, delay]);
  return [settled, () => setSettled(text)];
}
