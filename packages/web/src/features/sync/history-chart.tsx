import type { Sync } from '@datadeck/contract';
import { scaleBand, scaleLinear } from 'd3-scale';
import { Card } from '../../ui/card.tsx';
import { formatDuration } from '../../ui/duration.ts';

const WIDTH = 640;
const HEIGHT = 72;

/** How long the syncs of the page took, oldest first; the numbers stand under the bars. */
export function HistoryChart({ syncs }: { syncs: readonly Sync[] }) {
  const timed = syncs.filter(({ summary }) => summary.timeElapsed !== undefined).toReversed();
  if (timed.length < 2) return null;
  const seconds = (sync: Sync) => sync.summary.timeElapsed ?? 0;
  const x = scaleBand()
    .domain(timed.map(({ _id }) => _id))
    .range([0, WIDTH])
    .paddingInner(0.3);
  const y = scaleLinear()
    .domain([0, Math.max(0.1, ...timed.map(seconds))])
    .range([0, HEIGHT]);
  return (
    <Card title="Duration">
      <div className="overflow-x-auto">
        <table className="sr-only">
          <caption>Duration of synchronizations</caption>
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {timed.map((sync) => (
              <tr key={sync._id}>
                <th scope="row">#{sync.number}</th>
                <td>{formatDuration(seconds(sync))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT + 36}`}
          className="h-28 w-full max-w-2xl min-w-96"
        >
          {timed.map((sync) => {
            const height = Math.max(2, y(seconds(sync)));
            const left = x(sync._id) ?? 0;
            return (
              <g key={sync._id}>
                <rect
                  x={left}
                  y={HEIGHT - height}
                  width={x.bandwidth()}
                  height={height}
                  rx="3"
                  className="fill-accent"
                />
                <text
                  x={left + x.bandwidth() / 2}
                  y={HEIGHT + 16}
                  textAnchor="middle"
                  className="fill-ink-2 text-12 tabular-nums"
                >
                  {formatDuration(seconds(sync))}
                </text>
                <text
                  x={left + x.bandwidth() / 2}
                  y={HEIGHT + 32}
                  textAnchor="middle"
                  className="fill-ink-3 text-12 tabular-nums"
                >
                  #{sync.number}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </Card>
  );
}
