import type { ChartData } from '@datadeck/contract';
import { colorOf } from './chart-colors.ts';
import { formatValue, groupLabel, seriesLabel } from './chart-labels.ts';
import type { ActiveMark } from './plot.ts';

/** Space between a mark and its tooltip, px. */
const DISTANCE = 8;

/** Where a mark is within its picture, px. */
export interface MarkBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns the series that a mark shows. */
export function seriesAt({ series }: ActiveMark, visible: readonly number[]): readonly number[] {
  return series === null ? visible : [series];
}

/** Returns what a mark shows, in one sentence for assistive technology. */
export function markText(data: ChartData, mark: ActiveMark, visible: readonly number[]): string {
  const group = groupLabel(data, mark.group);
  const numbers = seriesAt(mark, visible).map((index) => {
    const value = formatValue(data, data.series[index]?.values[mark.group]);
    return data.series.length > 1 ? `${seriesLabel(data, index)} ${value}` : value;
  });
  return `${group}: ${numbers.join(', ')}`;
}

/** Returns the series that have a number, or all if none has one. */
function shownSeries(data: ChartData, mark: ActiveMark, visible: readonly number[]): readonly number[] {
  const all = seriesAt(mark, visible);
  const some = all.filter((index) => typeof data.series[index]?.values[mark.group] === 'number');
  return some.length > 0 ? some : all;
}

/** Returns the place beside a mark, or below one that is as wide as the picture. */
function placeOf(box: MarkBox, width: number) {
  if (box.width > width * 0.6) return { top: box.top + box.height + DISTANCE / 2, right: 0 };
  const middle = box.left + box.width / 2;
  const side =
    middle < width / 2 ? { left: box.left + box.width + DISTANCE } : { right: width - box.left + DISTANCE };
  return { ...side, top: box.top + Math.min(DISTANCE, box.height) };
}

interface ChartTooltipProps {
  data: ChartData;
  mark: ActiveMark;
  visible: readonly number[];
  box: MarkBox;
  /** Width of the picture, px. */
  width: number;
  /** What happens on a click. */
  hint?: string | undefined;
}

/** Shows the numbers of a mark beside it. It is read out by the chart's live region. */
export function ChartTooltip({ data, mark, visible, box, width, hint }: ChartTooltipProps) {
  return (
    <div
      aria-hidden="true"
      style={placeOf(box, width)}
      className="pointer-events-none absolute z-10 max-w-64 rounded-sm bg-raised px-3 py-2 text-12 shadow-high"
    >
      <p dir="auto" className="wrap-anywhere font-medium text-ink">
        {groupLabel(data, mark.group)}
      </p>
      <ul>
        {shownSeries(data, mark, visible).map((index) => (
          <li key={index} className="flex items-baseline gap-1.5 text-ink-2">
            {data.series.length > 1 && (
              <>
                {mark.series === null && (
                  <svg aria-hidden="true" width="8" height="8" className="shrink-0">
                    <rect width="8" height="8" rx="2" className={colorOf(data, index).fill} />
                  </svg>
                )}
                <span className="min-w-0 truncate">{seriesLabel(data, index)}</span>
              </>
            )}
            <span className="ml-auto whitespace-nowrap tabular-nums text-ink">
              {formatValue(data, data.series[index]?.values[mark.group])}
            </span>
          </li>
        ))}
      </ul>
      {hint !== undefined && <p className="mt-1 text-ink-3">{hint}</p>}
    </div>
  );
}
