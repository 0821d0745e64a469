import { area, line } from 'd3-shape';
import { classNames } from '../class-names.ts';
import { colorOf, dashOf } from './chart-colors.ts';
import { Frame, layoutFrame } from './frame.tsx';
import type { PlotProps } from './plot.ts';
import { extentOf, type Segment, stacksOf } from './stacks.ts';

/** Most groups of which each has a point. */
const MAX_POINTS = 40;

/** Returns whether a point has a number while both its neighbours have none, so that no line would show it. */
function isAlone(segments: readonly (Segment | null)[], group: number): boolean {
  return !segments[group - 1] && !segments[group + 1];
}

/** Lines, or areas, from left to right. They are interrupted where there are no numbers. */
export function LinesPlot(props: PlotProps) {
  const { data, visible, active } = props;
  const isArea = data.chart.kind === 'area';
  const hasNegative = visible.some((index) => data.series[index]?.values.some((value) => (value ?? 0) < 0));
  // Stacked areas of numbers with both signs would cross each other.
  const isStacked = isArea && visible.length > 1 && data.chart.layout !== 'beside' && !hasNegative;
  const layout = layoutFrame(props, extentOf(data.series, visible, isStacked));
  const { scale, middleOf } = layout;
  const stacks = isStacked ? stacksOf(data.series, visible) : undefined;
  const segmentsOf = (index: number): (Segment | null)[] =>
    stacks?.get(index) ??
    (data.series[index]?.values ?? []).map((value) => (value === null ? null : { from: 0, to: value }));
  const lineOf = line<Segment | null>()
    .defined((segment) => segment !== null)
    .x((_, group) => middleOf(group))
    .y((segment) => scale(segment?.to ?? 0));
  const areaOf = area<Segment | null>()
    .defined((segment) => segment !== null)
    .x((_, group) => middleOf(group))
    .y0((segment) => scale(segment?.from ?? 0))
    .y1((segment) => scale(segment?.to ?? 0));
  return (
    <Frame {...props} layout={layout}>
      {visible.map((index) => {
        const segments = segmentsOf(index);
        const { fill, stroke } = colorOf(data, index);
        return (
          <g key={index} data-series={index}>
            {isArea && (
              <path d={areaOf(segments) ?? ''} className={fill} fillOpacity={isStacked ? 0.75 : 0.2} />
            )}
            <path
              d={lineOf(segments) ?? ''}
              strokeWidth={2}
              strokeLinejoin="round"
              strokeDasharray={isArea ? undefined : dashOf(index)}
              className={classNames('fill-transparent', stroke)}
            />
            {segments.map((segment, group) =>
              segment &&
              (group === active?.group ||
                isAlone(segments, group) ||
                (!isArea && segments.length <= MAX_POINTS)) ? (
                <circle
                  // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
                  key={group}
                  cx={middleOf(group)}
                  cy={scale(segment.to)}
                  r={group === active?.group ? 4 : 2.5}
                  className={fill}
                />
              ) : null,
            )}
          </g>
        );
      })}
    </Frame>
  );
}
