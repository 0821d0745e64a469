import { type ChartData, parseSort } from '@datadeck/contract';
import { fieldBelow } from '../field-name.ts';
import { conditionOf } from '../results/value-filter.ts';
import type { ActiveMark } from './plot.ts';

function conditionOfKey(field: string | undefined, key: unknown): string | undefined {
  const path = field === undefined ? undefined : parseSort(field)?.path;
  if (!path) return undefined;
  // The name of a group is cut at its longest.
  if (typeof key === 'string' && key.endsWith('…')) return undefined;
  if (key !== null) return conditionOf(path, key);
  const name = fieldBelow(path);
  return `($not($exists(${name})) or ${name} = null or ${name} = "")`;
}

/** Returns the condition that a row is of a mark; undefined if there is none, as for combined groups and for times. */
export function conditionOfMark(data: ChartData, { group, series }: ActiveMark): string | undefined {
  const { chart, axis, groups, combinedGroups, combinedSeries, binWidth } = data;
  const key = groups[group] ?? null;
  const path = parseSort(chart.x ?? '')?.path;
  if (axis === 'bins' && typeof key === 'number' && binWidth !== null && path) {
    const name = fieldBelow(path);
    return `${name} >= ${key} and ${name} < ${key + binWidth}`;
  }
  if (axis !== 'groups' || (combinedGroups > 0 && group === groups.length - 1)) return undefined;
  if (chart.kind === 'heat-map' && chart.series === undefined) return undefined;
  const ofGroup = conditionOfKey(chart.x, key);
  if (series === null || ofGroup === undefined) return ofGroup;
  if (combinedSeries > 0 && series === data.series.length - 1) return undefined;
  const ofSeries = conditionOfKey(chart.series, data.series[series]?.key ?? null);
  return ofSeries === undefined ? undefined : `${ofGroup} and ${ofSeries}`;
}
