import { scaleLinear } from 'd3-scale';
import { formatCount } from '../duration.ts';
import type { Distribution } from './distribution.ts';

const ROW = 24;

interface BarChartProps {
  distribution: Distribution;
  label: string;
  /** Formats a number. */
  format?: (value: number) => string;
}

const asNumber = (value: number) => formatCount(Math.round(value * 100) / 100);

/** Shows horizontal bars with their numbers; for assistive technology they are a table. */
export function BarChart({ distribution, label, format = asNumber }: BarChartProps) {
  const { measure, bars } = distribution;
  const scale = scaleLinear()
    .domain([0, Math.max(...bars.map(({ value }) => value)) || 1])
    .range([0, 100]);
  return (
    <figure className="p-4">
      <figcaption className="mb-3 text-12 text-ink-3">
        {label}: {measure}
      </figcaption>
      <table className="w-full table-fixed text-12">
        <colgroup>
          <col className="w-2/5 md:w-1/4" />
          <col className="w-24" />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">{measure}</th>
            <th scope="col">Bar</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label: name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two bars may have the same label
            <tr key={index} style={{ height: ROW }}>
              <th
                scope="row"
                title={name}
                dir="auto"
                className="truncate pr-3 text-left font-normal text-ink-2"
              >
                {name}
              </th>
              <td className="pr-3 text-right whitespace-nowrap text-ink tabular-nums">{format(value)}</td>
              <td aria-hidden="true">
                <svg aria-hidden="true" width="100%" height="12" className="block">
                  <rect
                    width={`${Math.max(0.5, scale(value))}%`}
                    height="12"
                    rx="2"
                    className="fill-accent"
                  />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
