import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { copyText } from '../copy-text.ts';
import type { RowHistory } from '../row-history.ts';
import { toasts } from '../toast.tsx';
import { useIsNarrow } from '../use-is-narrow.ts';
import { flatten, isContainer, pointerOf, type TreeRow } from './flatten.ts';
import { fieldPath, valuePath } from './json-path.ts';
import { INDENT, type TreeRowActions, TreeRowContent } from './tree-row.tsx';

const ROW_HEIGHT = 24;
const NONE: readonly string[] = [];
/** Characters of a text that a line shows on a phone. */
const SHOWN_ON_PHONE = 24;

interface JsonTreeProps {
  value: unknown;
  label: string;
  /** Ids of the expanded members. */
  open: ReadonlySet<string>;
  onOpenChange: (open: ReadonlySet<string>) => void;
  /** Called with the path of a field whose key was clicked. */
  onPickPath?: ((path: string) => void) | undefined;
  /** Set when the items of the list have a history. */
  history?: RowHistory | undefined;
  /** Names of the most useful members; the line of a collapsed item starts with them. */
  preferred?: readonly string[] | undefined;
  className?: string;
}

async function copy(text: string, what: string): Promise<void> {
  if (await copyText(text)) toasts.info(`${what} copied`);
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const copyValue = (row: TreeRow) => void copy(asText(row.value), 'Value');
const copyPath = (row: TreeRow) => void copy(valuePath(row.path), 'Path');

/** Minimum visible width of a line beside its indent, px; deeper lines make the tree scroll sideways. */
const MIN_LINE_WIDTH = 160;

/** All lines have the same height, except expanded long texts. */
const hasOwnHeight = (row: TreeRow) => row.canOpen && typeof row.value === 'string';

/**
 * Shows a JSON value as a virtualised tree: only the visible lines are rendered. Arrow keys move between lines, C copies
 * the value, P copies the path, H opens an item's history, Enter inserts the field into the expression.
 */
export function JsonTree({
  value,
  label,
  open,
  onOpenChange,
  onPickPath,
  history,
  preferred = NONE,
  className = 'max-h-[28rem]',
}: JsonTreeProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const shownText = useIsNarrow() ? SHOWN_ON_PHONE : undefined;
  const rows = useMemo(() => flatten(value, open, shownText), [value, open, shownText]);
  const deepest = useMemo(() => rows.reduce((depth, row) => Math.max(depth, row.depth), 0), [rows]);
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
    const box = scroller.current;
    if (!isFollowed.current || !box) return;
    isFollowed.current = false;
    document.getElementById(`${id}${activeRow?.id}`)?.scrollIntoView({ block: 'nearest' });
    const start = (activeRow?.depth ?? 0) * INDENT;
    const isSeen = start >= box.scrollLeft && start + MIN_LINE_WIDTH <= box.scrollLeft + box.clientWidth;
    if (!isSeen) box.scrollLeft = start - INDENT;
  });

  function toggle(row: TreeRow) {
    if (!row.canOpen) return;
    const next = new Set(open);
    if (!next.delete(row.id)) next.add(row.id);
    setActiveId(row.id);
    onOpenChange(next);
  }

  const pick = onPickPath && ((row: TreeRow) => onPickPath(fieldPath(row.path)));

  const historyName =
    history && ((row: TreeRow) => (row.depth === 0 ? history.nameOf(row.value) : undefined));
  function showHistory(row: TreeRow) {
    if (historyName?.(row) !== undefined) history?.onOpen(row.value);
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[activeIndex];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.floor((scroller.current?.clientHeight ?? 240) / ROW_HEIGHT);
    const commands: Record<string, () => void> = {
      ArrowDown: () => activate(activeIndex + 1),
      ArrowUp: () => activate(activeIndex - 1),
      PageDown: () => activate(activeIndex + page),
      PageUp: () => activate(activeIndex - page),
      Home: () => activate(0),
      End: () => activate(rows.length - 1),
      ArrowRight: () =>
        row.canOpen && !row.isOpen ? toggle(row) : isContainer(row.value) && activate(activeIndex + 1),
      ArrowLeft: () => {
        if (row.isOpen) return toggle(row);
        const parent = pointerOf(row.path.slice(0, -1));
        const index = rows.findIndex((candidate) => candidate.id === parent);
        if (index >= 0) activate(index);
      },
      ' ': () => toggle(row),
      Enter: () => (pick && typeof row.path.at(-1) === 'string' ? pick(row) : toggle(row)),
      c: () => copyValue(row),
      p: () => copyPath(row),
      h: () => showHistory(row),
    };
    const command = commands[event.key];
    if (!command) return;
    event.preventDefault();
    command();
  }

  const latest = useRef({ toggle, pick, historyName, showHistory });
  latest.current = { toggle, pick, historyName, showHistory };
  const canPick = pick !== undefined;
  // Keep the actions stable between renders, so that scrolling renders new lines only.
  const actions = useMemo<TreeRowActions>(
    () => ({
      onToggle: (row) => latest.current.toggle(row),
      onCopyValue: copyValue,
      onCopyPath: copyPath,
      historyName: (row) => latest.current.historyName?.(row),
      onHistory: (row) => latest.current.showHistory(row),
      onPick: canPick ? (row) => latest.current.pick?.(row) : undefined,
      preferred,
    }),
    [canPick, preferred],
  );
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeRow ? `${id}${activeRow.id}` : undefined}
      onKeyDown={onKeyDown}
      className={`overflow-auto p-2 focus-visible:-outline-offset-2 ${className}`}
    >
      <div
        role="none"
        className="relative w-full"
        style={{ height: virtualizer.getTotalSize(), minWidth: deepest * INDENT + MIN_LINE_WIDTH }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and refers to its active item
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
            <div
              key={row.id}
              id={`${id}${row.id}`}
              role="treeitem"
              data-index={item.index}
              ref={hasOwnHeight(row) ? virtualizer.measureElement : undefined}
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.canOpen ? row.isOpen : undefined}
              aria-selected={row.id === activeRow?.id}
              onClick={() => setActiveId(row.id)}
              onDoubleClick={() => toggle(row)}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <TreeRowContent row={row} isActive={row.id === activeId} actions={actions} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
