import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { TreeRow } from './flatten.ts';
import { INDENT } from './tree-row.tsx';

/** Height of a line, px. */
export const ROW_HEIGHT = 24;
/** Minimum visible width of a line beside its indent, px; deeper lines make the tree scroll sideways. */
export const MIN_LINE_WIDTH = 160;

/** Scrolls the tree sideways until a line of this depth has its minimum visible width. */
function revealIndent(scroller: HTMLElement, depth: number): void {
  const start = depth * INDENT;
  const isSeen =
    start >= scroller.scrollLeft && start + MIN_LINE_WIDTH <= scroller.scrollLeft + scroller.clientWidth;
  if (!isSeen) scroller.scrollLeft = start - INDENT;
}

/** Virtualises the lines of a tree, tracks the active line, and scrolls to it after it was activated by key. */
export function useTreeLines(rows: readonly TreeRow[], value: unknown) {
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const activeIndex = Math.max(
    0,
    rows.findIndex((row) => row.id === activeId),
  );
  const activeRow = rows[activeIndex];
  /** Whether the active line was reached by key and must be scrolled into view. */
  const isFollowed = useRef(false);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
    initialRect: { width: 600, height: 400 },
    // Keep the active line rendered, so that aria-activedescendant always refers to an element.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return shown.includes(activeIndex) ? shown : [...shown, activeIndex].sort((a, b) => a - b);
    },
  });

  // Measured heights belong to the previous value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value is the trigger
  useLayoutEffect(() => virtualizer.measure(), [value, virtualizer]);

  function activate(index: number) {
    const row = rows[Math.min(Math.max(0, index), rows.length - 1)];
    if (!row) return;
    setActiveId(row.id);
    virtualizer.scrollToIndex(rows.indexOf(row));
    isFollowed.current = true;
  }

  // After rendering: the tree itself may be partly out of view, and deep lines start out of view.
  useLayoutEffect(() => {
    if (!isFollowed.current || !scroller.current) return;
    isFollowed.current = false;
    document.getElementById(`${treeId}${activeRow?.id}`)?.scrollIntoView({ block: 'nearest' });
    revealIndent(scroller.current, activeRow?.depth ?? 0);
  });

  return { treeId, scroller, virtualizer, activeId, activeIndex, activeRow, setActiveId, activate };
}
