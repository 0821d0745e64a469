import type { View } from '../../api/wire.ts';

export interface GraphNode {
  id: string;
  title: string;
  /** Column: 0 for templates, then one further for each view it builds on. */
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

/** Templates and views in columns by what they build on; each root's descendants stand under each other. */
export function layoutGraph(views: readonly View[]): Graph {
  const ids = new Set(views.map(({ _id }) => _id));
  const childrenOf = new Map<string, View[]>();
  for (const view of views) {
    const parent =
      view.basedOn !== null && ids.has(view.basedOn) ? view.basedOn : `template:${view.templateKey}`;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), view]);
  }
  const graph: Graph = { nodes: [], edges: [], columns: 0, rows: 0 };
  const seen = new Set<string>();
  const place = (node: Omit<GraphNode, 'row'>) => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    const own: GraphNode = { ...node, row: graph.rows };
    graph.nodes.push(own);
    graph.columns = Math.max(graph.columns, node.column + 1);
    const children = childrenOf.get(node.id) ?? [];
    children.forEach((child, index) => {
      if (index > 0) graph.rows += 1;
      graph.edges.push({ from: node.id, to: child._id });
      place({ id: child._id, title: child.title, column: node.column + 1, isTemplate: false });
    });
  };
  for (const parent of childrenOf.keys()) {
    if (!parent.startsWith('template:')) continue;
    const key = parent.slice('template:'.length);
    place({ id: parent, title: key === '' ? 'Unknown base' : key, column: 0, isTemplate: true });
    graph.rows += 1;
  }
  return graph;
}
