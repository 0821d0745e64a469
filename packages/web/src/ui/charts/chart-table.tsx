import type { ChartData } from '@datadeck/contract';
import { chartTitle, formatValue, groupLabel, groupTitle, seriesLabel } from './chart-labels.ts';

/** The numbers of a chart as a table, for assistive technology. */
export function ChartTable({ data }: { data: ChartData }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{chartTitle(data)}</caption>
        <thead>
          <tr>
            <th scope="col">{groupTitle(data) || 'Rows'}</th>
            {data.series.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: series are known by their position
              <th key={index} scope="col">
                {seriesLabel(data, index)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.groups.map((_, group) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
            <tr key={group}>
              <th scope="row">{groupLabel(data, group)}</th>
              {data.series.map(({ values }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: series are known by their position
                <td key={index}>{formatValue(data, values[group])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
