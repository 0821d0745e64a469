import {
  CHART_KINDS,
  CHART_LIMITS,
  type Chart,
  type ChartColumn,
  type ChartData,
  type ChartKind,
  TIME_BUCKETS,
} from '@datadeck/contract';
import { RotateCcw } from 'lucide-react';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { firstNumber, isSameChart, KIND_TITLES, withKind } from './chart-kinds.ts';

const NONE = '';
const TOPS = [5, 10, 20, 40, CHART_LIMITS.groups];

interface ChartSettingsProps {
  /** What is drawn, with the columns that can be chosen. */
  data: ChartData;
  onChart: (chart: Chart) => void;
  /** Kinds that can be chosen; default: all that draw a picture. */
  kinds?: readonly ChartKind[];
}

const PICTURES = CHART_KINDS.filter((kind) => kind !== 'table' && kind !== 'text');

/** Options for fields; a chosen field that the rows do not have stays. */
function fieldOptions(
  columns: readonly ChartColumn[],
  {
    types,
    chosen,
    none,
  }: { types?: readonly ChartColumn['type'][]; chosen: string | undefined; none?: string },
) {
  const names = columns
    .filter(({ type }) => type !== 'other' && (types?.includes(type) ?? true))
    .map(({ name }) => name);
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  const options = all.map((name) => ({ value: name, label: name === '$' ? 'the value' : name }));
  return none === undefined ? options : [{ value: NONE, label: none }, ...options];
}

/** Returns the settings without a member, or with another value of it. */
function changed<K extends keyof Chart>(chart: Chart, name: K, value: Chart[K] | undefined): Chart {
  const { [name]: _before, ...rest } = chart;
  return (value === undefined ? rest : { ...rest, [name]: value }) as Chart;
}

/** A few fields that change what a chart draws. */
export function ChartSettings({ data, onChart, kinds = PICTURES }: ChartSettingsProps) {
  const { chart, columns, proposed, axis } = data;
  const { kind } = chart;
  const set = <K extends keyof Chart>(name: K, value: Chart[K] | undefined) =>
    onChart(changed(chart, name, value));
  const isTime = columns.some(({ name, type }) => name === chart.x && type === 'time');
  const isGrouped = ['bars', 'line', 'area', 'heat-map'].includes(kind);
  const sums = fieldOptions(columns, { types: ['number'], chosen: chart.y });
  return (
    <div className="grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]">
      <ChoiceField
        label="Picture"
        value={kind}
        options={[...new Set([...kinds, kind])].map((value) => ({ value, label: KIND_TITLES[value] }))}
        onChange={(next) => onChart(withKind(chart, next, columns))}
      />
      {(isGrouped || kind === 'distribution') && (
        <ChoiceField
          label={kind === 'distribution' ? 'Numbers of' : 'By'}
          value={chart.x ?? NONE}
          options={fieldOptions(columns, {
            ...(kind === 'distribution' && { types: ['number'] }),
            chosen: chart.x,
            ...(kind === 'bars' && { none: 'all rows' }),
          })}
          onChange={(name) => set('x', name || undefined)}
        />
      )}
      {(isGrouped || kind === 'number') && (
        <ChoiceField
          label="Numbers"
          value={chart.measure === 'count' ? NONE : (chart.y ?? NONE)}
          options={[
            { value: NONE, label: 'count of rows' },
            ...sums.map(({ value, label }) => ({ value, label: `sum of ${label}` })),
          ]}
          onChange={(y) =>
            onChart(
              y === NONE
                ? { ...chart, measure: 'count' }
                : { ...chart, measure: 'sum', y: y || (firstNumber(columns) ?? y) },
            )
          }
        />
      )}
      {isGrouped && (
        <ChoiceField
          label={kind === 'heat-map' ? 'Rows by' : 'Split by'}
          value={chart.series ?? NONE}
          options={fieldOptions(columns, {
            chosen: chart.series,
            none: kind === 'heat-map' && isTime ? 'weekday' : 'nothing',
          })}
          onChange={(name) => set('series', name || undefined)}
        />
      )}
      {(kind === 'bars' || kind === 'area') && chart.series !== undefined && (
        <ChoiceField
          label="Series"
          value={chart.layout ?? 'stacked'}
          options={[
            { value: 'stacked', label: 'stacked' },
            { value: 'beside', label: kind === 'area' ? 'overlapping' : 'beside each other' },
          ]}
          onChange={(layout) => set('layout', layout)}
        />
      )}
      {axis === 'times' && (
        <ChoiceField
          label="Time"
          value={chart.bucket ?? NONE}
          options={[
            { value: NONE, label: `auto (${data.bucket})` },
            ...TIME_BUCKETS.map((bucket) => ({ value: bucket, label: `by ${bucket}` })),
          ]}
          onChange={(bucket) => set('bucket', bucket || undefined)}
        />
      )}
      {isGrouped && axis === 'groups' && kind !== 'heat-map' && (
        <>
          <ChoiceField
            label="Order"
            value={chart.order ?? NONE}
            options={[
              { value: NONE, label: 'automatic' },
              { value: 'value', label: 'largest first' },
              { value: 'name', label: 'by name' },
              { value: 'rows', label: 'as in the rows' },
            ]}
            onChange={(order) => set('order', order || undefined)}
          />
          <ChoiceField
            label="Show"
            value={String(chart.top ?? NONE)}
            options={[
              { value: NONE, label: 'automatic' },
              ...[...new Set([...TOPS, ...(chart.top ? [chart.top] : [])])]
                .sort((a, b) => a - b)
                .map((top) => ({ value: String(top), label: `largest ${top}, and others` })),
            ]}
            onChange={(top) => set('top', top === NONE ? undefined : Number(top))}
          />
        </>
      )}
      {!isSameChart(chart, proposed) && (
        <IconButton
          label="Reset the chart"
          className="touch:size-10"
          icon={<RotateCcw aria-hidden="true" size={16} />}
          onClick={() => onChart(proposed)}
        />
      )}
    </div>
  );
}
