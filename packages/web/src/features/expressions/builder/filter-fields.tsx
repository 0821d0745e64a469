import { X } from 'lucide-react';
import { useId } from 'react';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { DebouncedTextField } from '../../../ui/debounced-text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { RowField } from './row-fields.ts';
import type { Condition, Filter } from './write-steps.ts';

/** Debounce delay of a typed value before it is written into the expression, ms. */
const TYPING_DELAY = 400;
/** Maximum length of a value, UTF-16 units. */
const MAX_VALUE = 500;

const LABELS: Readonly<Record<Condition, string>> = {
  is: 'is',
  'is-not': 'is not',
  contains: 'contains',
  more: 'is more than',
  'at-least': 'is at least',
  less: 'is less than',
  'at-most': 'is at most',
  has: 'includes',
  null: 'is null',
  'not-null': 'is not null',
  missing: 'is missing',
  exists: 'is present',
};
const MOMENT_LABELS: Partial<Record<Condition, string>> = {
  more: 'is after',
  'at-least': 'is at or after',
  less: 'is before',
  'at-most': 'is at or before',
};
/** Conditions that fail on null. */
const FAILS_ON_NULL: readonly Condition[] = ['contains', 'more', 'at-least', 'less', 'at-most'];

/** Returns the conditions that fit the values of a field. */
function conditionsFor(field: RowField): Condition[] {
  if (field.isList) return ['has'];
  const comparisons: Condition[] = field.kind === 'boolean' ? [] : ['more', 'at-least', 'less', 'at-most'];
  return [
    'is',
    'is-not',
    ...(field.kind === 'text' && !field.isMoment ? (['contains'] as const) : []),
    ...(field.kind === 'number' || field.isMoment ? comparisons : []),
    ...(field.hasNull ? (['null', 'not-null'] as const) : []),
    ...(field.isSparse ? (['missing', 'exists'] as const) : []),
  ];
}

const needsValue = (condition: Condition) => !['null', 'not-null', 'missing', 'exists'].includes(condition);

/** Returns a filter with a condition; it keeps its value if the condition has one. */
function withCondition(filter: Filter, condition: Condition, field: RowField | undefined): Filter {
  const { value: _, ...rest } = filter;
  const value = filter.value ?? field?.example ?? '';
  return {
    ...rest,
    condition,
    ...(needsValue(condition) && { value: condition === 'contains' ? String(value) : value }),
    skipsNull: FAILS_ON_NULL.includes(condition) && (field?.hasNull ?? filter.skipsNull),
  };
}

/** Returns the filter that a field begins with: its value is that of a row. */
export function firstFilter(field: RowField): Filter {
  const [condition = 'is'] = conditionsFor(field);
  return withCondition({ path: field.path, condition, skipsNull: false }, condition, field);
}

/** Reads a typed value; undefined if it is not of the type that the value had. */
function readValue(text: string, before: Filter['value']): Filter['value'] | undefined {
  if (typeof before !== 'number') return text;
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined;
}

interface FilterFieldsProps {
  filter: Filter;
  /** Undefined if no row of the page has the field. */
  field: RowField | undefined;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

/** One filter: its field, the condition and the value. */
export function FilterFields({ filter, field, onChange, onRemove }: FilterFieldsProps) {
  const titleId = useId();
  const { condition, value, path } = filter;
  const name = path.join('.');
  const known = field ? conditionsFor(field) : [];
  const conditions = known.includes(condition) ? known : [...known, condition];
  const label = (one: Condition) => (field?.isMoment && MOMENT_LABELS[one]) || LABELS[one];
  return (
    <li aria-labelledby={titleId} className="flex flex-col gap-1.5">
      <span className="flex min-h-8 items-center justify-between gap-2">
        <span id={titleId} className="min-w-0 truncate font-mono text-12 text-ink" title={name}>
          {name}
        </span>
        <IconButton label={`Remove the filter of ${name}`} icon={<X size={14} />} onClick={onRemove} />
      </span>
      <span className="grid grid-cols-2 gap-2">
        <ChoiceField
          label="Condition"
          isLabelHidden
          value={condition}
          options={conditions.map((one) => ({ value: one, label: label(one) }))}
          onChange={(next) => onChange(withCondition(filter, next, field))}
        />
        {needsValue(condition) && typeof value === 'boolean' && (
          <ChoiceField
            label="Value"
            isLabelHidden
            value={String(value)}
            options={['true', 'false'].map((one) => ({ value: one, label: one }))}
            onChange={(next) => onChange({ ...filter, value: next === 'true' })}
          />
        )}
        {needsValue(condition) && typeof value !== 'boolean' && (
          <DebouncedTextField
            label="Value"
            isLabelHidden
            value={String(value ?? '')}
            maxLength={MAX_VALUE}
            inputMode={typeof value === 'number' ? 'decimal' : undefined}
            delay={TYPING_DELAY}
            onChange={(text) => {
              const next = readValue(text, value);
              if (next !== undefined) onChange({ ...filter, value: next });
            }}
          />
        )}
      </span>
    </li>
  );
}
