export type PathPart = string | number;

/** One visible line of the tree. */
export interface TreeRow {
  /** JSON pointer of the value, unique in the tree. */
  id: string;
  path: readonly PathPart[];
  value: unknown;
  depth: number;
  /** Position among its siblings, from 1, and their number. */
  position: number;
  siblings: number;
  /** Members of an object or array; 0 for anything else. */
  size: number;
  isOpen: boolean;
  canOpen: boolean;
}

/** Characters that most lines show of a text; a longer one can be opened. */
const SHOWN_TEXT = 80;

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function membersOf(value: object): [PathPart, unknown][] {
  return Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
}

export function pointerOf(path: readonly PathPart[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The visible lines under `root`, which itself has none; a member is opened when its id is in `open`.
 * @param shownText characters of a text that a line shows
 */
export function flatten(root: unknown, open: ReadonlySet<string>, shownText = SHOWN_TEXT): TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (container: object, path: readonly PathPart[], prefix: string) => {
    const members = membersOf(container);
    members.forEach(([key, value], index) => {
      const id = prefix + pointerOf([key]);
      const size = isContainer(value) ? (Array.isArray(value) ? value.length : Object.keys(value).length) : 0;
      const canOpen = size > 0 || (typeof value === 'string' && value.length > shownText);
      const isOpen = canOpen && open.has(id);
      const own = [...path, key];
      rows.push({
        id,
        path: own,
        value,
        depth: path.length,
        position: index + 1,
        siblings: members.length,
        size,
        isOpen,
        canOpen,
      });
      if (isOpen && isContainer(value)) visit(value, own, id);
    });
  };
  if (isContainer(root)) visit(root, [], '');
  return rows;
}

/** Ids of all members that can be opened, breadth first, up to a number of them. */
export function openable(root: unknown, limit = 5000): Set<string> {
  const ids = new Set<string>();
  let level: [unknown, string][] = [[root, '']];
  while (level.length > 0) {
    const next: [unknown, string][] = [];
    for (const [value, id] of level) {
      if (!isContainer(value)) continue;
      for (const [key, member] of membersOf(value)) {
        if (!isContainer(member)) continue;
        if (ids.size >= limit) return ids;
        const memberId = id + pointerOf([key]);
        ids.add(memberId);
        next.push([member, memberId]);
      }
    }
    level = next;
  }
  return ids;
}
