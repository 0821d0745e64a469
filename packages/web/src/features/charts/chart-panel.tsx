import type { Chart, ChartData } from '@datadeck/contract';
import { type ReactNode, useState } from 'react';
import { ChartSettings } from './chart-settings.tsx';

interface ChartPanelProps {
  /** Called with settings that the reader changed. */
  onChart: (chart: Chart) => void;
  /** Renders the picture; `onData` is called with what is drawn. */
  children: (onData: (data: ChartData) => void) => ReactNode;
}

/** A chart below the few fields that change it. */
export function ChartPanel({ onChart, children }: ChartPanelProps) {
  const [data, setData] = useState<ChartData>();
  return (
    <div className="flex min-w-0 flex-col gap-4 p-4">
      {data && <ChartSettings data={data} onChart={onChart} />}
      {children(setData)}
    </div>
  );
}
