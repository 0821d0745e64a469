import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/duration.ts';
import type { PeriodValue } from './periods.ts';
import { filledPeriods, periodBetween, periodsWithin, shortTitle, writePeriod } from './periods.ts';
import type { TextPeriod } from './search-text.ts';

/** Height of the highest bar, and the least of one with records, px. */
const [HEIGHT, LEAST] = [44, 3];

/** Positions of the first and the last period that are being chosen, in any order. */
interface Range {
  anchor: number;
  end: number;
}

interface MonthHistogramProps {
  /** Title for people, e.g. `Month`. */
  title: string;
  values: readonly PeriodValue[];
  /** The period to which the search is narrowed. */
  chosen: TextPeriod | undefined;
  /** Narrows the search to a period; undefined searches all times. */
  onChoose: (period: TextPeriod | undefined) => void;
}

/** Returns where a key leads from a position; undefined for other keys. */
function positionAfter(key: string, at: number, count: number): number | undefined {
  const moves: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 };
  const next = moves[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1);
}

/**
 * Numbers of records by month or year. Dragging over bars narrows the search to their period, and so do the arrow keys with
 * Shift and Enter.
 */
export function MonthHistogram({ title, values, chosen, onChoose }: MonthHistogramProps) {
  const id = useId();
  const periods = useMemo(() => filledPeriods(values), [values]);
  const [range, setRange] = useState<Range>();
  const [isDragging, setIsDragging] = useState(false);
  const [hovered, setHovered] = useState<number>();
  const isWithin = periodsWithin(periods, chosen);
  const most = Math.max(1, ...periods.map(({ count }) => count));
  const isInRange = (index: number) =>
    range !== undefined &&
    index >= Math.min(range.anchor, range.end) &&
    index <= Math.max(range.anchor, range.end);
  const shown = range ?? (hovered === undefined ? undefined : { anchor: hovered, end: hovered });

  function choose({ anchor, end }: Range) {
    const period = periodBetween(periods, anchor, end);
    const isSame = period.after === chosen?.after && period.before === chosen?.before;
    onChoose(isSame ? undefined : period);
  }

  function positionOf(event: PointerEvent<HTMLElement>): number {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const position = Math.floor(((event.clientX - left) / Math.max(width, 1)) * periods.length);
    return Math.min(Math.max(position, 0), periods.length - 1);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    // A drag may leave the bars and return.
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    const at = positionOf(event);
    setIsDragging(true);
    setRange({ anchor: at, end: at });
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const at = positionOf(event);
    if (isDragging) setRange((last) => ({ anchor: last?.anchor ?? at, end: at }));
    else setHovered(at);
  }

  function endDrag(isChoice: boolean) {
    if (isDragging && range && isChoice) choose(range);
    setIsDragging(false);
    setRange(undefined);
  }

  function onKeyDown(event: KeyboardEvent) {
    const start = range ?? { anchor: periods.length, end: periods.length };
    const next = positionAfter(event.key, start.end, periods.length);
    if (next !== undefined) setRange({ anchor: event.shiftKey && range ? range.anchor : next, end: next });
    else if ((event.key === 'Enter' || event.key === ' ') && range) choose(range);
    else if (event.key === 'Escape' && range) setRange(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const sum = periods.reduce((total, { count }, index) => total + (isInRange(index) ? count : 0), 0);
  const count = range ? sum : periods[hovered ?? -1]?.count;
  return (
    <div className="px-2">
      <div
        role="listbox"
        tabIndex={0}
        aria-label={title}
        aria-multiselectable="true"
        aria-orientation="horizontal"
        aria-describedby={`${id}-keys`}
        aria-activedescendant={range && `${id}-${range.end}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => endDrag(true)}
        onPointerCancel={() => endDrag(false)}
        onPointerLeave={() => setHovered(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => endDrag(false)}
        className="flex h-12 cursor-pointer touch-pan-y items-end border-b border-line-strong select-none"
      >
        {periods.map(({ value, title: name, count: records }, index) => (
          <div
            key={value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            aria-selected={isWithin[index] ?? false}
            aria-label={`${name}, ${formatCount(records)}`}
            className={classNames(
              'flex h-full min-w-0 flex-1 items-end justify-center',
              periods.length > 30 ? 'px-[0.5px]' : 'px-px',
              (isInRange(index) || (!range && hovered === index)) && 'bg-hover',
            )}
          >
            <span
              className={classNames(
                'block w-full max-w-6 rounded-t-[1px]',
                isInRange(index) || isWithin[index] || !chosen ? 'bg-accent' : 'bg-line-strong',
              )}
              style={{ height: records === 0 ? 0 : Math.max(LEAST, (records / most) * HEIGHT) }}
            />
          </div>
        ))}
      </div>
      <p aria-hidden="true" className="mt-1 flex justify-between gap-2 text-12 text-ink-3 tabular-nums">
        {shown ? (
          <>
            <span className="truncate text-ink-2">
              {writePeriod(periodBetween(periods, shown.anchor, shown.end))}
            </span>
            <span>{formatCount(count ?? 0)}</span>
          </>
        ) : (
          <>
            <span>{shortTitle(periods[0]?.value ?? '')}</span>
            {periods.length > 1 && <span>{shortTitle(periods.at(-1)?.value ?? '')}</span>}
          </>
        )}
      </p>
      <p id={`${id}-keys`} className="sr-only">
        Arrow keys go from bar to bar, with Shift they choose several. Enter searches in their period.
      </p>
    </div>
  );
}
