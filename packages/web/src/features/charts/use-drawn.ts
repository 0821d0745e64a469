import type { ChartData } from '@datadeck/contract';
import { useEffect } from 'react';

/** Calls a function with what is drawn, each time it is something else. */
export function useDrawn(data: ChartData | undefined, onData: ((data: ChartData) => void) | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onData` may be another function each time
  useEffect(() => {
    if (data) onData?.(data);
  }, [data]);
}
