import type { View } from '../../api/models.ts';

export interface GraphNode {
  id: string;
  title: string;
  /** Column: 0 for templates; a view is one column right of its base. */
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

/** Arranges templates and views in columns by their bases; the descendants of each root are in consecutive rows. */
export function layoutGraph(views: readonly View[]): Graph {
  const ids = new Set(views.map(({ id }) => id));
  const childrenOf = new Map<string, View[]>();
  for (const view of views) {
    const parent =
      view.basedOn !== null && ids.has(view.basedOn) ? view.basedOn : `template:${view.templateKey}`;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), view]);
  }
  const graph: Graph = { nodes: [], edges: [], columns: 0, rows: 0 };
  const seen = new Set<string>();
  const add = (node: Omit<GraphNode, 'row'>) => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    const own: GraphNode = { ...node, row: graph.rows };
    graph.nodes.push(own);
    graph.columns = Math.max(graph.columns, node.column + 1);
    const children = childrenOf.get(node.id) ?? [];
    children.forEach((child, index) => {
      if (index > 0) graph.rows += 1;
      graph.edges.push({ from: node.id, to: child.id });
      add({ id: child.id, title: child.title, column: node.column + 1, isTemplate: false });
    });
  };
  for (const parent of childrenOf.keys()) {
    if (!parent.startsWith('template:')) continue;
    const key = parent.slice('template:'.length);
    add({ id: parent, title: key === '' ? 'Unknown template' : key, column: 0, isTemplate: true });
    graph.rows += 1;
  }
  return graph;
}
