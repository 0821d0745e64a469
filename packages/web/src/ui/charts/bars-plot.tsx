import type { ChartData } from '@datadeck/contract';
import { colorOf } from './chart-colors.ts';
import { formatNumber, formatTick, groupLabel, groupTitle, measureTitle } from './chart-labels.ts';
import { numberScale, ticksOf } from './number-scale.ts';
import { CHARACTER, type PlotProps, shortened } from './plot.ts';
import { extentOf, stacksOf } from './stacks.ts';

/** Height of a bar, of the space between bars, and of the titles above, px. */
const BAR = 16;
const GAP = 8;
const TOP = 44;
/** Part of the width that names may have. */
const NAMES = 0.38;
const TICKS = 5;

/** Returns the number of groups that the scale is made for: without the combined ones, which may be far larger than each. */
function comparedGroups({ groups, combinedGroups }: ChartData): number {
  return combinedGroups > 0 && groups.length > 1 ? groups.length - 1 : groups.length;
}

/** Returns whether a group is larger than the scale, so that its bar is cut. */
function isCut(
  { series, groups }: ChartData,
  group: number,
  visible: readonly number[],
  most: number,
): boolean {
  if (group < groups.length - 1) return false;
  const values = visible.map((index) => series[index]?.values[group] ?? 0);
  return values.some((value) => value > most) || values.reduce((sum, value) => sum + value, 0) > most;
}

const groupHeight = (visible: number, isStacked: boolean) =>
  isStacked ? BAR + GAP : Math.max(BAR, visible * 10) + GAP;

/** Returns the height that the bars of a chart need, px. */
export function barsHeight({ data, visible }: Pick<PlotProps, 'data' | 'visible'>): number {
  const isStacked = data.chart.layout !== 'beside' || visible.length < 2;
  return TOP + data.groups.length * groupHeight(visible.length, isStacked) + 4;
}

/** Bars from the left, with the names of their groups. They are as high as their number asks for. */
export function BarsPlot(props: PlotProps) {
  const { data, visible, width, active } = props;
  const isStacked = data.chart.layout !== 'beside' || visible.length < 2;
  const height = barsHeight(props);
  const row = groupHeight(visible.length, isStacked);
  const labels = data.groups.map((_, group) => groupLabel(data, group));
  const longest = Math.max(...labels.map(({ length }) => length), groupTitle(data).length);
  const left = Math.ceil(Math.min(width * NAMES, longest * CHARACTER + 12));
  const hasNumbers = visible.length === 1;
  const values = data.series[visible[0] ?? 0]?.values ?? [];
  const numbers = values.map((value) => (value === null ? '–' : formatNumber(value)));
  const room = hasNumbers ? Math.max(...numbers.map(({ length }) => length)) * CHARACTER + 10 : 10;
  const scale = numberScale(
    extentOf(data.series, visible, isStacked, comparedGroups(data)),
    [left, Math.max(left + 40, width - room)],
    TICKS,
  );
  const [, end = 0] = scale.range();
  const ticks = ticksOf(scale, width < 480 ? 3 : TICKS, data.chart.measure === 'count');
  const stacks = stacksOf(data.series, visible);
  const thickness = isStacked ? BAR : (row - GAP) / visible.length;
  return (
    <svg aria-hidden="true" width={width} height={height} className="block text-12 tabular-nums">
      <text x={0} y={12} className="fill-ink-3">
        {shortened(groupTitle(data), left)}
      </text>
      <text x={width} y={12} textAnchor="end" className="fill-ink-3">
        {shortened(measureTitle(data), width - left)}
      </text>
      {active && (
        <rect
          data-hover
          x={0}
          y={TOP + active.group * row}
          width={width}
          height={row}
          rx={4}
          className="fill-hover"
        />
      )}
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={scale(tick)}
            x2={scale(tick)}
            y1={TOP - 6}
            y2={height - 4}
            className={tick === 0 ? 'stroke-control' : 'stroke-line'}
          />
          <text x={scale(tick)} y={TOP - 12} textAnchor="middle" className="fill-ink-3">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {data.groups.map((_, group) => {
        const top = TOP + group * row + GAP / 2;
        const value = values[group];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
          <g key={group}>
            <text
              x={left - 8}
              y={top + (row - GAP) / 2 + 4}
              textAnchor="end"
              className="fill-ink-2"
              style={{ unicodeBidi: 'plaintext' }}
            >
              {shortened(labels[group] ?? '', left - 8)}
            </text>
            {visible.map((index, position) => {
              const number = data.series[index]?.values[group] ?? null;
              const segment = isStacked
                ? stacks.get(index)?.[group]
                : number !== null && { from: 0, to: number };
              if (!segment || segment.from === segment.to) return null;
              const [from, to] = [scale(segment.from), scale(segment.to)];
              return (
                <rect
                  key={index}
                  data-series={index}
                  x={Math.min(from, to)}
                  y={top + (isStacked ? 0 : position * thickness)}
                  width={Math.max(1, Math.abs(to - from) - (isStacked && visible.length > 1 ? 1 : 0))}
                  height={thickness}
                  rx={hasNumbers ? 2 : 0}
                  className={colorOf(data, index).fill}
                />
              );
            })}
            {isCut(data, group, visible, scale.domain()[1] ?? 0) && (
              <path
                d={`M${end - 14} ${top - 2}l-5 ${row - GAP + 4}m6 0l5 -${row - GAP + 4}`}
                strokeWidth={2.5}
                className="fill-transparent stroke-surface"
              />
            )}
            {hasNumbers && (
              <text
                x={scale(Math.max(0, value ?? 0)) + 6}
                y={top + (row - GAP) / 2 + 4}
                className={value === null ? 'fill-ink-3' : 'fill-ink'}
              >
                {numbers[group]}
              </text>
            )}
            <rect
              data-group={group}
              x={0}
              y={TOP + group * row}
              width={width}
              height={row}
              className="fill-transparent"
            />
          </g>
        );
      })}
    </svg>
  );
}
