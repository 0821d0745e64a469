import { copyText } from '../copy-text.ts';
import { toasts } from '../toast.tsx';
import { isContainer, pointerOf, type TreeRow } from './flatten.ts';
import { valuePath } from './json-path.ts';

async function copy(text: string, what: string): Promise<void> {
  if (await copyText(text)) toasts.info(`${what} copied`);
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

export const copyValue = (row: TreeRow) => void copy(asText(row.value), 'Value');
export const copyPath = (row: TreeRow) => void copy(valuePath(row.path), 'Path');

/** What the keys of a tree act on. */
interface TreeCommandContext {
  rows: readonly TreeRow[];
  activeIndex: number;
  /** Number of lines that PageUp and PageDown move by. */
  pageSize: number;
  activate: (index: number) => void;
  toggle: (row: TreeRow) => void;
  pick: ((row: TreeRow) => void) | undefined;
  showHistory: (row: TreeRow) => void;
}

/** Returns the command that each key runs on the active row. */
export function treeCommands(row: TreeRow, context: TreeCommandContext): Record<string, () => void> {
  const { rows, activeIndex, pageSize, activate, toggle, pick, showHistory } = context;
  return {
    ArrowDown: () => activate(activeIndex + 1),
    ArrowUp: () => activate(activeIndex - 1),
    PageDown: () => activate(activeIndex + pageSize),
    PageUp: () => activate(activeIndex - pageSize),
    Home: () => activate(0),
    End: () => activate(rows.length - 1),
    ArrowRight: () => {
      if (row.canOpen && !row.isOpen) toggle(row);
      else if (isContainer(row.value)) activate(activeIndex + 1);
    },
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
}
