import type { ChartData } from '@datadeck/contract';
import { classNames } from '../class-names.ts';
import { colorOf } from './chart-colors.ts';
import { seriesLabel } from './chart-labels.ts';

interface ChartLegendProps {
  data: ChartData;
  hidden: ReadonlySet<number>;
  onToggle: (series: number) => void;
}

/** The series of a chart with their colours. Each can be hidden; the others are then drawn larger. */
export function ChartLegend({ data, hidden, onToggle }: ChartLegendProps) {
  return (
    <ul aria-label="Series" className="flex flex-wrap gap-x-1 gap-y-0.5">
      {data.series.map((_, index) => {
        const isShown = !hidden.has(index);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: series are known by their position
          <li key={index} className="max-w-full">
            <button
              type="button"
              aria-pressed={isShown}
              title={isShown ? 'Hide this series' : 'Show this series'}
              onClick={() => onToggle(index)}
              className="flex h-7 max-w-full touch:h-10 items-center gap-1.5 rounded-sm px-1.5 text-12 text-ink-2 hover:bg-hover"
            >
              <svg aria-hidden="true" width="10" height="10" className="shrink-0">
                <rect
                  x="0.5"
                  y="0.5"
                  width="9"
                  height="9"
                  rx="2"
                  className={classNames(
                    isShown ? colorOf(data, index).fill : 'fill-transparent',
                    colorOf(data, index).stroke,
                  )}
                />
              </svg>
              <span dir="auto" className={classNames('truncate', !isShown && 'text-ink-3 line-through')}>
                {seriesLabel(data, index)}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
