import type { CurvePoint } from '@datadeck/contract';
import { scaleLinear, scaleTime } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import type { PointerEvent } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { type CurveLine, rangeOf } from './curve-series.ts';

/** Units of the drawing, which is stretched to its place. */
const WIDTH = 1000;
const HEIGHT = 100;
/** Colours and dashes of lines, which differ without colours, too. */
export const LINE_STYLES = [
  { stroke: 'stroke-accent', dash: undefined },
  { stroke: 'stroke-secondary-text', dash: '7 3' },
  { stroke: 'stroke-success-text', dash: '2 3' },
  { stroke: 'stroke-error-text', dash: '9 3 2 3' },
  { stroke: 'stroke-ink-2', dash: '4 4' },
] as const;

interface CurveChartProps {
  points: readonly CurvePoint[];
  lines: readonly CurveLine[];
  /** Position of the chosen point; undefined for none. */
  chosen?: number | undefined;
  onChoose?: ((position: number) => void) | undefined;
  className: string;
}

/** Returns the x of each point. */
function scaleOf(points: readonly CurvePoint[]) {
  const [first, last] = [points[0], points.at(-1)].map((point) => Date.parse(point?.at ?? ''));
  return scaleTime<number>()
    .domain([first ?? 0, last === first ? (first ?? 0) + 1 : (last ?? 0)])
    .range([0, WIDTH]);
}

/** Draws lines over time, as steps: a number holds until the next point. Its numbers are in the table beside it. */
export function CurveChart({ points, lines, chosen, onChoose, className }: CurveChartProps) {
  const x = scaleOf(points);
  const y = scaleLinear()
    .domain(rangeOf(lines))
    .range([HEIGHT - 4, 4]);
  const xOf = (position: number) => x(Date.parse(points[position]?.at ?? ''));
  const nearest = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const wanted = ((event.clientX - box.left) / Math.max(1, box.width)) * WIDTH;
    let best = 0;
    for (const position of points.keys())
      if (Math.abs(xOf(position) - wanted) < Math.abs(xOf(best) - wanted)) best = position;
    onChoose?.(best);
  };
  const draw = line<number | undefined>()
    .defined((number) => number !== undefined)
    .x((_, position) => xOf(position))
    .y((number) => y(number ?? 0))
    .curve(curveStepAfter);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={classNames('block overflow-visible', className)}
      onPointerMove={onChoose && nearest}
      onPointerDown={onChoose && nearest}
    >
      {points.map(({ at, isUndone, isRedefined }, position) =>
        isUndone || isRedefined ? (
          <line
            key={at}
            x1={xOf(position)}
            x2={xOf(position)}
            y1={0}
            y2={HEIGHT}
            vectorEffect="non-scaling-stroke"
            strokeDasharray={isUndone ? '2 3' : '6 3'}
            className={isUndone ? 'stroke-error-text' : 'stroke-control'}
          />
        ) : null,
      )}
      {lines.map(({ name, numbers }, index) => {
        const style = LINE_STYLES[index % LINE_STYLES.length];
        return (
          <path
            key={name}
            d={points.length === 1 ? `M0,${y(numbers[0] ?? 0)}H${WIDTH}` : (draw(numbers) ?? '')}
            fill="none"
            strokeWidth={2}
            strokeDasharray={style?.dash}
            vectorEffect="non-scaling-stroke"
            className={style?.stroke}
          />
        );
      })}
      {chosen !== undefined && points.length > 1 && (
        <line
          x1={xOf(chosen)}
          x2={xOf(chosen)}
          y1={0}
          y2={HEIGHT}
          vectorEffect="non-scaling-stroke"
          className="stroke-ink-2"
        />
      )}
    </svg>
  );
}
