import { useMemo, useRef } from 'react';
import type { TreeRow } from './flatten.ts';
import { copyPath, copyValue } from './tree-commands.ts';
import type { TreeRowActions } from './tree-row.tsx';

/** The handlers of one rendering of the tree. */
interface TreeHandlers {
  toggle: (row: TreeRow) => void;
  pick: ((row: TreeRow) => void) | undefined;
  historyName: ((row: TreeRow) => string | undefined) | undefined;
  showHistory: (row: TreeRow) => void;
}

/** Returns actions that keep their identity and call the latest handlers, so that scrolling renders new lines only. */
export function useStableActions(handlers: TreeHandlers, preferred: readonly string[]): TreeRowActions {
  const latest = useRef(handlers);
  latest.current = handlers;
  const canPick = handlers.pick !== undefined;
  return useMemo<TreeRowActions>(
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
}
