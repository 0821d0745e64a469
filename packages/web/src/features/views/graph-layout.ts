import type { View } from '../../api/models.ts';
import { sourcesOf } from './view-sources.ts';

export interface GraphNode {
  id: string;
  title: string;
  /** Column: 0 for templates; a view is right of all its bases. */
  column: number;
  row: number;
  isTemplate: boolean;
}

export interface Graph {
  nodes: GraphNode[];
  edges: { from: string; to: string }[];
  columns: number;
  rows: number;
}

const TEMPLATE = 'template:';

/** Returns a function that counts the columns left of a view. */
function columnsBefore(parentsOf: (id: string) => readonly string[]): (id: string) => number {
  const known = new Map<string, number>();
  const columnOf = (id: string): number => {
    const column = known.get(id);
    if (column !== undefined) return column;
    // A circle ends at the view where it began.
    known.set(id, 0);
    const parents = parentsOf(id);
    const own = parents.length === 0 ? 0 : 1 + Math.max(...parents.map(columnOf));
    known.set(id, own);
    return own;
  };
  return columnOf;
}

/**
 * Arranges templates and views in columns by their bases. The descendants of each root by their first bases are in consecutive
 * rows; lines lead from all bases.
 */
export function layoutGraph(views: readonly View[]): Graph {
  const ids = new Set(views.map(({ id }) => id));
  const parents = new Map(
    views.map((view) => {
      const all = sourcesOf(view).map(({ basedOn, templateKey }) =>
        basedOn !== null && ids.has(basedOn) ? basedOn : `${TEMPLATE}${templateKey}`,
      );
      return [view.id, [...new Set(all)]] as const;
    }),
  );
  const columnOf = columnsBefore((id) => parents.get(id) ?? []);
  const childrenOf = new Map<string, View[]>();
  for (const view of views) {
    const [first = TEMPLATE] = parents.get(view.id) ?? [];
    childrenOf.set(first, [...(childrenOf.get(first) ?? []), view]);
  }
  const graph: Graph = { nodes: [], edges: [], columns: 0, rows: 0 };
  const seen = new Set<string>();
  const add = (node: Pick<GraphNode, 'id' | 'title' | 'isTemplate'>) => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    const column = node.isTemplate ? 0 : columnOf(node.id);
    graph.nodes.push({ ...node, column, row: graph.rows });
    graph.columns = Math.max(graph.columns, column + 1);
    for (const from of parents.get(node.id) ?? []) graph.edges.push({ from, to: node.id });
    for (const [index, child] of (childrenOf.get(node.id) ?? []).entries()) {
      if (index > 0) graph.rows += 1;
      add({ id: child.id, title: child.title, isTemplate: false });
    }
  };
  for (const id of new Set([...childrenOf.keys(), ...[...parents.values()].flat()])) {
    if (!id.startsWith(TEMPLATE)) continue;
    const key = id.slice(TEMPLATE.length);
    add({ id, title: key === '' ? 'Unknown template' : key, isTemplate: true });
    graph.rows += 1;
  }
  return graph;
}
