import type { ChartData } from '@datadeck/contract';
import { type ReactNode, type Ref, useId, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { BarsPlot, barsHeight } from './bars-plot.tsx';
import { chartNotes, chartTitle, formatValue, measureTitle } from './chart-labels.ts';
import { ChartLegend } from './chart-legend.tsx';
import { ChartTable } from './chart-table.tsx';
import { ChartTooltip, markText } from './chart-tooltip.tsx';
import { ColumnsPlot } from './columns-plot.tsx';
import { HeatMapPlot, heatMapHeight } from './heat-map-plot.tsx';
import { LinesPlot } from './lines-plot.tsx';
import { conditionOfMark } from './mark-condition.ts';
import { pictureHandle } from './picture-handle.ts';
import type { PictureHandle } from './picture-items.ts';
import { PictureMenu } from './picture-menu.tsx';
import type { ActiveMark, PlotProps } from './plot.ts';
import { useMarks } from './use-marks.ts';
import { useWidth } from './use-width.ts';

/** Height of a picture whose height does not follow from its groups, px. */
const HEIGHT = 280;
const NONE: ReadonlySet<number> = new Set();

/** A mark that was chosen. */
export interface PickedMark {
  /** The condition that a row is of the mark, e.g. `author = "amy"`; undefined if there is none, as for combined groups. */
  condition: string | undefined;
  label: string;
}

export interface ChartFigureProps {
  data: ChartData;
  /** What the numbers are of: the title of the view. */
  title: string;
  /** Height of pictures whose height does not follow from their groups, px. */
  height?: number | undefined;
  /** Whether it is a tile: without the lines of text around the picture. */
  isTile?: boolean | undefined;
  /** Called when a mark is clicked, or Enter is pressed on it. */
  onPick?: ((mark: PickedMark) => void) | undefined;
  /** What `onPick` does, e.g. `Click to see the rows`. */
  pickHint?: string | undefined;
  /** Renders how a single number changed, which is shown beside it. */
  change?: ((value: number) => ReactNode) | undefined;
  /** Controls at the right of the title. */
  actions?: ReactNode;
  /** Saves the picture, in place of its menu; null for a single number. */
  handle?: Ref<PictureHandle | null> | undefined;
}

/** Returns the picture of a chart, and its height. */
function plotOf(
  { chart, axis, columns }: ChartData,
  asked: number,
): {
  Plot: (props: PlotProps) => ReactNode;
  heightOf: (props: Pick<PlotProps, 'data' | 'visible'>) => number;
} {
  const fixed = () => asked;
  if (chart.kind === 'heat-map') return { Plot: HeatMapPlot, heightOf: heatMapHeight };
  if (chart.kind === 'line' || chart.kind === 'area') return { Plot: LinesPlot, heightOf: fixed };
  const isPart = columns.some(({ name, type }) => name === chart.x && type === 'part');
  if (axis === 'times' || axis === 'bins' || isPart) return { Plot: ColumnsPlot, heightOf: fixed };
  return { Plot: BarsPlot, heightOf: barsHeight };
}

function NumberFigure({ data, change }: Pick<ChartFigureProps, 'data' | 'change'>) {
  const value = data.series[0]?.values[0];
  // A result that is a number is not the sum of anything: the title says what it is.
  const isPlain = data.rows === 1 && data.chart.y === '$';
  const text = formatValue(data, value);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-1 py-4">
      <p className="wrap-anywhere text-24 font-semibold tabular-nums">{text}</p>
      {typeof value === 'number' && change?.(value)}
      {!isPlain && <p className="text-13 text-ink-3">{measureTitle(data)}</p>}
    </div>
  );
}

/** Shows a chart with its title, legend and notes. Its numbers are shown by pointer, touch and keyboard, and are a table for assistive technology. */
export function ChartFigure(props: ChartFigureProps) {
  const { data, title, height = HEIGHT, isTile = false, onPick, pickHint, change, actions } = props;
  const seriesKey = JSON.stringify([data.chart.series, data.series.map(({ key }) => key)]);
  const [choice, setChoice] = useState({ seriesKey, hidden: NONE });
  const hidden = choice.seriesKey === seriesKey ? choice.hidden : NONE;
  const visible = useMemo(
    () => data.series.map((_, index) => index).filter((index) => !hidden.has(index)),
    [data.series, hidden],
  );
  const picture = useRef<HTMLDivElement>(null);
  const width = useWidth(picture);
  const hintId = useId();
  const pick = (mark: ActiveMark) =>
    onPick?.({ condition: conditionOfMark(data, mark), label: markText(data, mark, visible) });
  const marks = useMarks(data, visible, { picture, onPick: pick });
  const { active } = marks;
  const isNumber = data.chart.kind === 'number';
  const { Plot, heightOf } = plotOf(data, height);
  const file = isNumber ? null : pictureHandle({ data, title, visible, picture });
  useImperativeHandle<PictureHandle | null, PictureHandle | null>(props.handle, () => file);
  const hasLegend = data.series.length > 1 && data.chart.kind !== 'heat-map';

  function toggle(series: number) {
    const next = new Set(hidden);
    if (!next.delete(series)) next.add(series);
    setChoice({ seriesKey, hidden: next });
  }

  return (
    <figure className="flex min-w-0 flex-col gap-2">
      {!isTile && (
        <figcaption className="flex flex-wrap items-start gap-x-3 gap-y-1">
          <span dir="auto" className="min-w-0 flex-1 basis-60 wrap-anywhere text-13 font-medium text-ink">
            {chartTitle(data)}
          </span>
          {actions}
          {file && props.handle === undefined && <PictureMenu handle={file} />}
        </figcaption>
      )}
      {hasLegend && <ChartLegend data={data} hidden={hidden} onToggle={toggle} />}
      {isNumber ? (
        <NumberFigure data={data} change={change} />
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a chart is no set of fields */}
          <div
            ref={picture}
            role="group"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move between the marks
            tabIndex={0}
            aria-roledescription="chart"
            aria-label={`${title}: ${chartTitle(data)}`}
            aria-describedby={hintId}
            className="relative min-w-0 rounded-sm outline-offset-4 select-none"
            onPointerMove={marks.onPointer}
            onPointerDown={marks.onPointer}
            onPointerLeave={({ pointerType }) => pointerType !== 'touch' && marks.onLeave()}
            onKeyDown={marks.onKeyDown}
            onBlur={marks.onLeave}
            onClick={({ target }) => {
              const mark = marks.markAt(target);
              if (mark) pick(mark);
            }}
          >
            <Plot
              data={data}
              visible={visible}
              width={width}
              height={heightOf({ data, visible })}
              active={active}
            />
            {active && marks.box && (
              <ChartTooltip
                data={data}
                mark={active}
                visible={visible}
                box={marks.box}
                width={width}
                hint={onPick && conditionOfMark(data, active) !== undefined ? pickHint : undefined}
              />
            )}
          </div>
          <span id={hintId} className="sr-only">
            Arrow keys move between the marks. The numbers are in the table that follows.
          </span>
        </>
      )}
      <p aria-live="polite" className="sr-only">
        {active ? markText(data, active, visible) : ''}
      </p>
      <ChartTable data={data} />
      {!isTile && (
        <p className="text-12 text-ink-3">
          {chartNotes(data).map((note, index) => (
            <span key={note}>
              {index > 0 && ' · '}
              {note}
            </span>
          ))}
        </p>
      )}
    </figure>
  );
}
