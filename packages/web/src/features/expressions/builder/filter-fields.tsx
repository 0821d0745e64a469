import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { DebouncedTextField } from '../../../ui/debounced-text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { RowField } from './row-fields.ts';
import { type Condition, type Filter, PERIODS } from './write-steps.ts';

/** Debounce delay of a typed value before it is written into the expression, ms. */
const TYPING_DELAY = 400;
/** Maximum length of a value, UTF-16 units, and of one that a filter begins with. */
const MAX_VALUE = 500;
const MAX_FIRST_VALUE = 100;
/** What a date box of the browser can show. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

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
/** Days are compared as they are stored, in UTC. */
const DAY_LABELS: Partial<Record<Condition, string>> = {
  is: 'is on (UTC)',
  'is-not': 'is not on (UTC)',
  more: 'is after (UTC)',
  'at-least': 'is on or after (UTC)',
  less: 'is before (UTC)',
  'at-most': 'is on or before (UTC)',
};
/** Conditions that fail on null, which a field may be in rows that are not on the page. */
const FAILS_ON_NULL: readonly Condition[] = ['contains', 'more', 'at-least', 'less', 'at-most'];

/** Returns the conditions that fit the values of a field. */
function conditionsFor(field: RowField): Condition[] {
  if (field.isList) return ['has'];
  const isText = field.kind === 'text' && !field.isMoment;
  const comparisons: Condition[] = ['at-least', 'more', 'at-most', 'less'];
  return [
    ...(field.isMoment ? comparisons : []),
    'is',
    'is-not',
    ...(isText ? (['contains'] as const) : []),
    ...(field.kind === 'number' ? comparisons : []),
    ...(field.hasNull ? (['null', 'not-null'] as const) : []),
    ...(field.isSparse ? (['missing', 'exists'] as const) : []),
  ];
}

const needsValue = (condition: Condition) => !['null', 'not-null', 'missing', 'exists'].includes(condition);

/** Returns a filter with another condition; it keeps its value, or begins with one of a row. */
function withCondition(filter: Filter, condition: Condition, field: RowField | undefined): Filter {
  const { path, value, byDay } = filter;
  if (!needsValue(condition)) return { path, condition, skipsNull: false };
  if (value === undefined && field) return withCondition(firstFilter(field), condition, field);
  return {
    path,
    condition,
    value: condition === 'contains' ? String(value ?? '') : (value ?? ''),
    ...(byDay && { byDay }),
    skipsNull: byDay === true || FAILS_ON_NULL.includes(condition),
  };
}

/** Returns the filter that a field begins with: its value is that of a row, or a part to be typed of long texts. */
export function firstFilter(field: RowField): Filter {
  const { path, example } = field;
  const isLong = typeof example === 'string' && (example.length > MAX_FIRST_VALUE || /[\r\n]/.test(example));
  const [first = 'is'] = conditionsFor(field);
  if (field.isMoment && !field.isList) {
    const day = String(example).slice(0, PERIODS.day);
    return { path, condition: first, value: day, byDay: true, skipsNull: true };
  }
  const filter: Filter = { path, condition: first, value: isLong ? '' : example, skipsNull: false };
  return withCondition(filter, isLong && !field.isList ? 'contains' : first, field);
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
  const [problem, setProblem] = useState<string>();
  const { condition, value, path, byDay = false } = filter;
  const name = path.join('.');
  // A comparison of moments that somebody wrote as text keeps its meaning.
  const isText = field?.isMoment === true && value !== undefined && !byDay;
  const known = field && !isText ? conditionsFor(field) : [];
  const conditions = known.includes(condition) ? known : [...known, condition];
  const label = (one: Condition) => (byDay && DAY_LABELS[one]) || LABELS[one];
  return (
    <li>
      <fieldset aria-labelledby={titleId} className="flex min-w-0 flex-col gap-1.5">
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
              type={byDay && (value === '' || DAY.test(String(value))) ? 'date' : 'text'}
              inputMode={typeof value === 'number' ? 'decimal' : undefined}
              delay={TYPING_DELAY}
              error={problem}
              onChange={(text) => {
                const next = readValue(text, value);
                setProblem(next === undefined ? 'Must be a number, such as 1.5' : undefined);
                if (next !== undefined) onChange({ ...filter, value: next });
              }}
            />
          )}
        </span>
      </fieldset>
    </li>
  );
}
