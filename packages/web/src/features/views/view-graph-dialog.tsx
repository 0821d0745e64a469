import { useMemo } from 'react';
import type { View } from '../../api/models.ts';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type GraphNode, layoutGraph } from './graph-layout.ts';
import { hasAllBases, missingBases } from './view-sources.ts';
import { useAllViewsQuery } from './views-api.ts';

const WIDTH = 176;
const HEIGHT = 36;
const COLUMN = 240;
const ROW = 52;

const leftOf = ({ column }: GraphNode) => column * COLUMN;
const middleOf = ({ row }: GraphNode) => row * ROW + HEIGHT / 2;

/** Draws a line with its corners just left of the target, so that all lines into a column share their trunks. */
function lineOf(source: GraphNode, target: GraphNode): string {
  const [from, to] = [leftOf(source) + WIDTH, leftOf(target)];
  const trunk = to - (COLUMN - WIDTH) / 2;
  const [above, below] = [middleOf(source), middleOf(target)];
  return `M${from},${above}L${trunk},${above}L${trunk},${below}L${to},${below}`;
}

interface ViewGraphDialogProps {
  views: readonly View[];
  selected: string;
  onSelect: (view: View) => void;
  onClose: () => void;
}

/** The graph of views, from the templates on the left to the views without dependees on the right. */
export function ViewGraphDialog({ views, selected, onSelect, onClose }: ViewGraphDialogProps) {
  const { data: all } = useAllViewsQuery(undefined, { skip: hasAllBases(views) });
  const shown = useMemo(() => [...views, ...missingBases(views, all ?? [])], [views, all]);
  const graph = useMemo(() => layoutGraph(shown), [shown]);
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  return (
    <Dialog open onClose={onClose} size="xl" title="View graph" subtitle="Which view builds on what">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label="Views and what they build on" tabIndex={0} className="overflow-auto p-1">
        <div
          className="relative"
          style={{ width: graph.columns * COLUMN - COLUMN + WIDTH, height: graph.rows * ROW }}
        >
          <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
            {graph.edges.map(({ from, to }) => {
              const source = byId.get(from);
              const target = byId.get(to);
              if (!source || !target) return null;
              return (
                <path
                  key={`${from}>${to}`}
                  d={lineOf(source, target)}
                  className="fill-transparent stroke-line-strong"
                  strokeWidth="1.5"
                  strokeLinejoin="round"
                />
              );
            })}
          </svg>
          <ul>
            {graph.nodes.map((node) => (
              <li key={node.id} className="absolute" style={{ left: leftOf(node), top: node.row * ROW }}>
                {node.isTemplate ? (
                  <span
                    title={node.title}
                    style={{ width: WIDTH, height: HEIGHT }}
                    className="flex items-center truncate rounded-sm border border-dashed border-line-strong px-3 font-mono text-12 text-ink-3"
                  >
                    {node.title}
                  </span>
                ) : (
                  <button
                    type="button"
                    title={node.title}
                    style={{ width: WIDTH, height: HEIGHT }}
                    onClick={() => {
                      const view = shown.find(({ id }) => id === node.id);
                      if (view) onSelect(view);
                    }}
                    className={classNames(
                      'flex items-center rounded-sm border px-3 text-13 font-medium',
                      node.id === selected
                        ? 'border-accent bg-accent-soft text-accent-text'
                        : 'bg-surface hover:bg-hover',
                    )}
                  >
                    <span className="truncate">{node.title}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        </div>
      </section>
    </Dialog>
  );
}
