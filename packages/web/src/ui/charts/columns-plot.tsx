import { colorOf } from './chart-colors.ts';
import { Frame, layoutFrame } from './frame.tsx';
import type { PlotProps } from './plot.ts';
import { extentOf, stacksOf } from './stacks.ts';

/** Largest width of a column, px. */
const MAX_WIDTH = 48;

/** Columns from left to right: of times, of parts of dates, or of ranges of numbers. */
export function ColumnsPlot(props: PlotProps) {
  const { data, visible } = props;
  const isStacked = data.chart.layout !== 'beside' || visible.length < 2;
  const layout = layoutFrame(props, extentOf(data.series, visible, isStacked));
  const { step, scale, leftOf } = layout;
  const gap = data.axis === 'bins' ? 1 : Math.max(0.5, step * 0.2);
  const whole = data.axis === 'bins' ? step - gap : Math.min(MAX_WIDTH * (isStacked ? 1 : 2), step - gap);
  const width = Math.max(0.5, isStacked ? whole : whole / visible.length);
  const stacks = stacksOf(data.series, visible);
  return (
    <Frame {...props} layout={layout}>
      {visible.map((index, position) =>
        data.series[index]?.values.map((value, group) => {
          if (value === null || value === 0) return null;
          const segment = isStacked ? stacks.get(index)?.[group] : { from: 0, to: value };
          if (!segment) return null;
          const [from, to] = [scale(segment.from), scale(segment.to)];
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
              key={`${index} ${group}`}
              data-series={index}
              x={leftOf(group) + (step - whole) / 2 + (isStacked ? 0 : position * width)}
              y={Math.min(from, to)}
              width={width}
              // A line between the parts of a stack, and never nothing.
              height={Math.max(1, Math.abs(from - to) - (isStacked && visible.length > 1 ? 1 : 0))}
              className={colorOf(data, index).fill}
            />
          );
        }),
      )}
    </Frame>
  );
}
