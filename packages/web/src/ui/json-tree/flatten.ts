export type PathPart = string | number;

/** One visible line of the tree. */
export interface TreeRow {
  /** JSON pointer of the value, unique in the tree. */
  id: string;
  path: readonly PathPart[];
  value: unknown;
  depth: number;
  /** Position among the siblings, from 1, and the number of siblings. */
  position: number;
  siblings: number;
  /** Number of members of an object or array; 0 for other values. */
  size: number;
  isOpen: boolean;
  canOpen: boolean;
}

/** Characters of a text that a line shows; a longer text can be expanded. */
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
 * Returns the visible lines below `root`, which has no line of its own. `open` contains the ids of expanded members.
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

/** Returns the ids of all members that can be expanded, breadth first, up to `limit`. */
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
