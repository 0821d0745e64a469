import { type KeyboardEvent, type Ref, useMemo } from 'react';
import type { RowHistory } from '../row-history.ts';
import { useIsNarrow } from '../use-is-narrow.ts';
import { flatten, type TreeRow } from './flatten.ts';
import { fieldPath } from './json-path.ts';
import { treeCommands } from './tree-commands.ts';
import { INDENT, type TreeRowActions, TreeRowContent } from './tree-row.tsx';
import { useStableActions } from './use-stable-actions.ts';
import { MIN_LINE_WIDTH, ROW_HEIGHT, useTreeLines } from './use-tree-lines.ts';

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

/** All lines have the same height, except expanded long texts. */
const hasOwnHeight = (row: TreeRow) => row.canOpen && typeof row.value === 'string';

interface TreeLineProps {
  row: TreeRow;
  id: string;
  /** Index of the line among all lines of the tree. */
  index: number;
  /** Distance from the top of the tree, px. */
  top: number;
  isActive: boolean;
  isSelected: boolean;
  actions: TreeRowActions;
  /** Measures the height of the line; absent for lines of the default height. */
  measure: Ref<HTMLDivElement> | undefined;
  onActivate: () => void;
}

/** One line of the tree, at its position in the virtualised list. */
function TreeLine({
  row,
  id,
  index,
  top,
  isActive,
  isSelected,
  actions,
  measure,
  onActivate,
}: TreeLineProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and refers to its active item
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      id={id}
      role="treeitem"
      data-index={index}
      ref={measure}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.canOpen ? row.isOpen : undefined}
      aria-selected={isSelected}
      onClick={onActivate}
      onDoubleClick={() => actions.onToggle(row)}
      className="absolute top-0 left-0 w-full"
      style={{ transform: `translateY(${top}px)` }}
    >
      <TreeRowContent row={row} isActive={isActive} actions={actions} />
    </div>
  );
}

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
  const shownText = useIsNarrow() ? SHOWN_ON_PHONE : undefined;
  const rows = useMemo(() => flatten(value, open, shownText), [value, open, shownText]);
  const deepest = useMemo(() => rows.reduce((depth, row) => Math.max(depth, row.depth), 0), [rows]);
  const { treeId, scroller, virtualizer, activeId, activeIndex, activeRow, setActiveId, activate } =
    useTreeLines(rows, value);

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
    if (!activeRow || event.ctrlKey || event.metaKey || event.altKey) return;
    const pageSize = Math.floor((scroller.current?.clientHeight ?? 240) / ROW_HEIGHT);
    const context = { rows, activeIndex, pageSize, activate, toggle, pick, showHistory };
    const command = treeCommands(activeRow, context)[event.key];
    if (!command) return;
    event.preventDefault();
    command();
  }

  const actions = useStableActions({ toggle, pick, historyName, showHistory }, preferred);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeRow ? `${treeId}${activeRow.id}` : undefined}
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
          return (
            row && (
              <TreeLine
                key={row.id}
                row={row}
                id={`${treeId}${row.id}`}
                index={item.index}
                top={item.start}
                isActive={row.id === activeId}
                isSelected={row.id === activeRow?.id}
                actions={actions}
                measure={hasOwnHeight(row) ? virtualizer.measureElement : undefined}
                onActivate={() => setActiveId(row.id)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
