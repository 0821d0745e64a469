import { useMemo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { type Option, Select } from '../../../ui/select.tsx';
import { FilterFields, firstFilter } from './filter-fields.tsx';
import { readSteps } from './read-steps.ts';
import { canGroup, canMeasure, canSort, type RowField } from './row-fields.ts';
import {
  type Grouping,
  groupColumns,
  groupMeasure,
  NO_STEPS,
  type Path,
  PERIODS,
  type Period,
  type Steps,
  type Summary,
  writeSteps,
} from './write-steps.ts';

/** Filters of an expression at most. */
const MAX_FILTERS = 20;

const SUMMARY_LABELS: Readonly<Record<Summary, string>> = {
  count: 'Number of rows',
  sum: 'Sum of',
  average: 'Average of',
  min: 'Smallest',
  max: 'Largest',
};
const NONE = 'none';

const keyOf = (path: Path) => JSON.stringify(path);
const optionOf = (path: Path): Option => ({ value: keyOf(path), label: path.join('.') });

/** Returns the steps without an order that is none of their columns. */
function withKnownOrder(steps: Steps): Steps {
  const { grouping, measure, order } = steps;
  if (!order) return steps;
  const columns = grouping && groupColumns(grouping, groupMeasure(steps));
  const isKnown = columns
    ? order.path.length === 1 && Object.values(columns).includes(order.path[0] ?? '')
    : !measure;
  return isKnown ? steps : { ...steps, order: undefined };
}

interface PartProps {
  steps: Steps;
  fields: readonly RowField[];
  onChange: (steps: Steps) => void;
}

const fieldAt = (fields: readonly RowField[], option: Option | null) =>
  fields.find(({ path }) => keyOf(path) === option?.value);

function FilterPart({ steps, fields, onChange }: PartProps) {
  const { filters } = steps;
  const put = (next: Steps['filters']) => onChange({ ...steps, filters: next });
  return (
    <>
      {filters.length > 0 && (
        <ul className="flex flex-col gap-2">
          {filters.map((filter, at) => (
            <FilterFields
              // biome-ignore lint/suspicious/noArrayIndexKey: filters have no identity but their place
              key={at}
              filter={filter}
              field={fields.find(({ path }) => keyOf(path) === keyOf(filter.path))}
              onChange={(next) => put(filters.with(at, next))}
              onRemove={() => put(filters.toSpliced(at, 1))}
            />
          ))}
        </ul>
      )}
      {filters.length < MAX_FILTERS && (
        <Select
          label={filters.length === 0 ? 'Filter' : 'And'}
          placeholder="Choose a field"
          value={null}
          options={fields.map(({ path }) => optionOf(path))}
          onChange={(option) => {
            const field = fieldAt(fields, option);
            if (field) put([...filters, firstFilter(field)]);
          }}
        />
      )}
    </>
  );
}

function GroupPart({ steps, fields, onChange }: PartProps) {
  const { grouping } = steps;
  const put = (next: Grouping | undefined) => {
    // Periods follow each other; other groups begin with the largest.
    const columns = next && groupColumns(next, groupMeasure(steps));
    const order = columns && {
      path: [next?.period ? columns.name : columns.measure],
      descending: next?.period === undefined,
    };
    onChange({ ...steps, grouping: next, order });
  };
  const field = fields.find(({ path }) => grouping && keyOf(path) === keyOf(grouping.path));
  return (
    <div className="grid grid-cols-2 items-end gap-2">
      <Select
        label="Group by"
        placeholder="No groups"
        clearable
        value={grouping ? optionOf(grouping.path) : null}
        options={fields.filter(canGroup).map(({ path }) => optionOf(path))}
        onChange={(option) => {
          const chosen = fieldAt(fields, option);
          put(
            chosen && {
              path: chosen.path,
              ...(chosen.isMoment && { period: 'month' as const }),
              convertsToText: true,
            },
          );
        }}
      />
      {grouping && (grouping.period || field?.isMoment) && (
        <ChoiceField
          label="Period"
          value={grouping.period ?? NONE}
          options={[
            ...(Object.keys(PERIODS) as Period[]).map((period) => ({
              value: period,
              label: `By ${period} (UTC)`,
            })),
            { value: NONE, label: 'Each moment' },
          ]}
          onChange={(period) => {
            const { period: _, ...rest } = grouping;
            put(period === NONE ? rest : { ...rest, period: period as Period });
          }}
        />
      )}
    </div>
  );
}

function MeasurePart({ steps, fields, onChange }: PartProps) {
  const { grouping, measure } = steps;
  const numbers = fields.filter(canMeasure);
  const summary = measure?.summary ?? (grouping ? 'count' : NONE);
  const put = (next: Steps['measure']) => {
    const changed = { ...steps, measure: next };
    const [before, after] = grouping
      ? [groupColumns(grouping, groupMeasure(steps)), groupColumns(grouping, groupMeasure(changed))]
      : [];
    const { order } = steps;
    // Groups stay in the order of their measure or of their name.
    const path = order?.path[0] === before?.measure ? after?.measure : after?.name;
    onChange({ ...changed, ...(order && path !== undefined && { order: { ...order, path: [path] } }) });
  };
  const summaries = (Object.keys(SUMMARY_LABELS) as Summary[]).filter(
    (one) => one === 'count' || one === summary || numbers.length > 0,
  );
  return (
    <div className="grid grid-cols-2 items-end gap-2">
      <ChoiceField
        label="Measure"
        value={summary}
        options={[
          ...(grouping ? [] : [{ value: NONE, label: 'None: the rows' } as const]),
          ...summaries.map((one) => ({ value: one, label: SUMMARY_LABELS[one] })),
        ]}
        onChange={(next) => {
          if (next === NONE) put(undefined);
          else if (next === 'count') put({ summary: next });
          else {
            const field = numbers.find(({ path }) => measure?.path && keyOf(path) === keyOf(measure.path));
            const [first] = field ? [field] : numbers;
            if (first) put({ summary: next, path: first.path, skipsNull: true });
          }
        }}
      />
      {measure?.path && (
        <Select
          label="Of"
          value={optionOf(measure.path)}
          options={numbers.map(({ path }) => optionOf(path))}
          onChange={(option) => {
            const field = fieldAt(numbers, option);
            if (field) put({ ...measure, path: field.path, skipsNull: true });
          }}
        />
      )}
    </div>
  );
}

function SortPart({ steps, fields, onChange }: PartProps) {
  const { grouping, order } = steps;
  const groups = grouping && groupColumns(grouping, groupMeasure(steps));
  const columns = groups ? [[groups.measure], [groups.name]] : fields.filter(canSort).map(({ path }) => path);
  return (
    <div className="grid grid-cols-2 items-end gap-2">
      <Select
        label="Sort by"
        placeholder="As they come"
        clearable
        value={order ? optionOf(order.path) : null}
        options={columns.map(optionOf)}
        onChange={(option) => {
          const path = columns.find((column) => keyOf(column) === option?.value);
          onChange({
            ...steps,
            order: path && { path, descending: order?.descending ?? true, skipsNull: !groups },
          });
        }}
      />
      {order && (
        <ChoiceField
          label="Order"
          value={order.descending ? 'descending' : 'ascending'}
          options={[
            { value: 'descending', label: 'Largest first' },
            { value: 'ascending', label: 'Smallest first' },
          ]}
          onChange={(next) => onChange({ ...steps, order: { ...order, descending: next === 'descending' } })}
        />
      )}
    </div>
  );
}

interface QueryBuilderProps {
  expression: string;
  fields: readonly RowField[];
  /** Called with the expression that the changed steps are written as. */
  onWrite: (expression: string) => void;
  /** Called to replace an expression that the builder cannot show. */
  onStartOver: () => void;
}

/** Builds a simple expression by choosing: filter, group, measure and sort. It has no state but the expression itself. */
export function QueryBuilder({ expression, fields, onWrite, onStartOver }: QueryBuilderProps) {
  const steps = useMemo(() => readSteps(expression), [expression]);
  if (!steps)
    return (
      <section aria-label="Builder" className="flex flex-col items-start gap-2 rounded-sm bg-sunken p-3">
        <p className="text-13 text-ink-2">
          This expression does more than filter, group, measure and sort, so it can only be edited as text.
        </p>
        <Button size="sm" onClick={onStartOver}>
          Start over with the builder
        </Button>
      </section>
    );
  const part = {
    steps,
    fields,
    onChange: (next: Steps) => onWrite(writeSteps(withKnownOrder(next))),
  };
  return (
    <section aria-label="Builder" className="flex flex-col gap-3 rounded-sm bg-sunken p-3">
      <FilterPart {...part} />
      <GroupPart {...part} />
      <MeasurePart {...part} />
      {(steps.grouping || !steps.measure) && <SortPart {...part} />}
      {steps !== NO_STEPS && (
        <Button size="sm" variant="ghost" className="self-start" onClick={() => onWrite('')}>
          Clear all
        </Button>
      )}
    </section>
  );
}
