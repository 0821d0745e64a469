import { curveStep, link } from 'd3-shape';
import { useMemo } from 'react';
import type { View } from '../../api/models.ts';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type GraphNode, layoutGraph } from './graph-layout.ts';

const WIDTH = 176;
const HEIGHT = 36;
const COLUMN = 240;
const ROW = 52;

const leftOf = ({ column }: GraphNode) => column * COLUMN;
const middleOf = ({ row }: GraphNode) => row * ROW + HEIGHT / 2;

/** Draws a line with a right-angled step, so that all lines from one node share a trunk. */
const line = link(curveStep);

interface ViewGraphDialogProps {
  views: readonly View[];
  selected: string;
  onSelect: (viewId: string) => void;
  onClose: () => void;
}

/** The graph of views, from the templates on the left to the views without dependees on the right. */
export function ViewGraphDialog({ views, selected, onSelect, onClose }: ViewGraphDialogProps) {
  const graph = useMemo(() => layoutGraph(views), [views]);
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
              const path = line({
                source: [leftOf(source) + WIDTH, middleOf(source)],
                target: [leftOf(target), middleOf(target)],
              });
              return (
                <path
                  key={`${from}>${to}`}
                  d={path ?? ''}
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
                    onClick={() => onSelect(node.id)}
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
