import { lazy, type ReactNode, Suspense } from 'react';
import { fetchCode } from '../fetch-code.ts';
import type { ChartFigureProps } from './chart-figure.tsx';

const ChartFigure = lazy(async () => ({
  default: await fetchCode(async () => (await import('./chart-figure.tsx')).ChartFigure),
}));

/** A chart whose code is loaded with the first one. @param fallback shown until then */
export function LazyChartFigure({ fallback, ...figure }: ChartFigureProps & { fallback: ReactNode }) {
  return (
    <Suspense fallback={fallback}>
      <ChartFigure {...figure} />
    </Suspense>
  );
}
