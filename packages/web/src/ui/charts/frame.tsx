import type { ChartData } from '@datadeck/contract';
import type { ReactNode } from 'react';
import { formatTick, groupLabel, groupTitle, measureTitle } from './chart-labels.ts';
import { type NumberScale, numberScale, ticksOf } from './number-scale.ts';
import { CHARACTER, type PlotProps, shortened } from './plot.ts';

/** Space above for the title of the axis, below for names and their title, px. */
const TOP = 26;
const BOTTOM = 42;
const RIGHT = 10;
const TICKS = 5;
/** Smallest distance of names below the axis, px. */
const NAME_DISTANCE = 62;

/** Where a picture with groups from left to right has its parts, px. */
export interface FrameLayout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Width of a group. */
  step: number;
  scale: NumberScale;
  ticks: number[];
  /** Returns the left side of a group. */
  leftOf: (group: number) => number;
  /** Returns the middle of a group. */
  middleOf: (group: number) => number;
}

/** Lays out the axes for numbers. */
export function layoutFrame(
  { data, width, height }: PlotProps,
  numbers: Iterable<number | null>,
): FrameLayout {
  const bottom = height - BOTTOM;
  const scale = numberScale(numbers, [bottom, TOP], TICKS);
  const ticks = ticksOf(scale, TICKS, data.chart.measure === 'count');
  const longest = Math.max(...ticks.map((tick) => formatTick(tick).length), 1);
  const left = Math.ceil(longest * CHARACTER) + 12;
  const right = Math.max(left + 40, width - RIGHT);
  const step = (right - left) / Math.max(1, data.groups.length);
  const leftOf = (group: number) => left + group * step;
  const middleOf = (group: number) => left + (group + 0.5) * step;
  return { left, right, top: TOP, bottom, step, scale, ticks, leftOf, middleOf };
}

/** Returns the positions of the groups that are named: all, or at equal distances. */
function namedGroups({ groups, axis }: ChartData, step: number): number[] {
  const every = Math.max(1, Math.ceil((axis === 'groups' ? NAME_DISTANCE / 1.6 : NAME_DISTANCE) / step));
  return groups.map((_, index) => index).filter((index) => index % every === 0);
}

interface FrameProps extends PlotProps {
  layout: FrameLayout;
  children: ReactNode;
}

/** Axes with their titles, lines at round numbers, and the areas of groups that pointers find. */
export function Frame({ layout, data, width, height, active, children }: FrameProps) {
  const { left, right, top, bottom, step, scale, ticks, leftOf, middleOf } = layout;
  const named = namedGroups(data, step);
  const room = named.length > 1 ? step * ((named[1] ?? 1) - (named[0] ?? 0)) : right - left;
  const isEdge = data.axis === 'bins';
  return (
    <svg aria-hidden="true" width={width} height={height} className="block text-12 tabular-nums">
      <text x={0} y={12} className="fill-ink-3">
        {shortened(measureTitle(data), width)}
      </text>
      {active && (
        <rect
          data-hover
          x={leftOf(active.group)}
          y={top}
          width={step}
          height={Math.max(0, bottom - top)}
          className="fill-hover"
        />
      )}
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={left}
            x2={right}
            y1={scale(tick)}
            y2={scale(tick)}
            className={tick === 0 ? 'stroke-control' : 'stroke-line'}
          />
          <text x={left - 8} y={scale(tick) + 4} textAnchor="end" className="fill-ink-3">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {named.map((group) => (
        <text
          key={group}
          x={isEdge ? leftOf(group) : middleOf(group)}
          y={bottom + 16}
          textAnchor={isEdge && group === 0 ? 'start' : 'middle'}
          className="fill-ink-3"
        >
          {shortened(groupLabel(data, group, true), room)}
        </text>
      ))}
      <text x={(left + right) / 2} y={height - 6} textAnchor="middle" className="fill-ink-3">
        {shortened(groupTitle(data), right - left)}
      </text>
      {children}
      {data.groups.map((_, group) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
          key={group}
          data-group={group}
          x={leftOf(group)}
          y={top}
          width={step}
          height={Math.max(0, bottom - top)}
          className="fill-transparent"
        />
      ))}
    </svg>
  );
}
