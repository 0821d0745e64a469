import type { ChartData } from '@datadeck/contract';
import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useState } from 'react';
import type { MarkBox } from './chart-tooltip.tsx';
import type { ActiveMark } from './plot.ts';

const STEPS: Record<string, readonly [group: number, series: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

interface Marks {
  active: ActiveMark | null;
  /** Where the active mark is. */
  box: MarkBox | undefined;
  onPointer: (event: PointerEvent) => void;
  onLeave: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Returns the mark at an event's target. */
  markAt: (target: EventTarget) => ActiveMark | null;
}

function markAt(target: EventTarget): ActiveMark | null {
  const element = target instanceof Element ? target.closest<SVGElement>('[data-group]') : null;
  if (!element) return null;
  const { group, row } = element.dataset;
  return { group: Number(group), series: row === undefined ? null : Number(row) };
}

/** Follows the mark that is pointed at, touched, or reached by arrow keys. @param picture its parent */
export function useMarks(
  data: ChartData,
  visible: readonly number[],
  { picture, onPick }: { picture: RefObject<HTMLElement | null>; onPick: (mark: ActiveMark) => void },
): Marks {
  const [marked, setMarked] = useState<ActiveMark | null>(null);
  const [box, setBox] = useState<MarkBox>();
  const isMap = data.chart.kind === 'heat-map';
  const isThere = marked && marked.group < data.groups.length;
  const active = isThere ? marked : null;

  useLayoutEffect(() => {
    const { current } = picture;
    if (!active || !current) return setBox(undefined);
    const row = active.series === null ? '' : `[data-row="${active.series}"]`;
    const mark = current.querySelector(`[data-group="${active.group}"]${row}`)?.getBoundingClientRect();
    const frame = current.getBoundingClientRect();
    setBox(
      mark && {
        left: mark.left - frame.left,
        top: mark.top - frame.top,
        width: mark.width,
        height: mark.height,
      },
    );
  }, [active, picture]);

  function move(groups: number, rows: number) {
    const rowAt = Math.max(0, visible.indexOf(active?.series ?? -1));
    const last = data.groups.length - 1;
    const group = active ? active.group + (isMap ? groups : groups + rows) : 0;
    const row = active ? rowAt + rows : 0;
    setMarked({
      group: Math.min(last, Math.max(0, group)),
      series: isMap ? (visible[Math.min(visible.length - 1, Math.max(0, row))] ?? null) : null,
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    const [groups, rows] = STEPS[event.key] ?? [0, 0];
    if (data.groups.length === 0 || visible.length === 0) return;
    if (groups !== 0 || rows !== 0) move(groups, rows);
    else if (event.key === 'Home') move(-data.groups.length, 0);
    else if (event.key === 'End') move(data.groups.length, 0);
    else if (event.key === 'Escape' && active) setMarked(null);
    else if (event.key === 'Enter' && active) onPick(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    active,
    box,
    onPointer: (event) => {
      const mark = markAt(event.target);
      if (mark?.group !== active?.group || mark?.series !== active?.series) setMarked(mark);
    },
    onLeave: () => setMarked(null),
    onKeyDown,
    markAt,
  };
}
