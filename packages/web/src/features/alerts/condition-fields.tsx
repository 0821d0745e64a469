import { type AlertCondition, CONDITION_KINDS } from '@datadeck/contract';
import { useState } from 'react';
import { Segmented } from '../../ui/segmented.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CONDITION_VERBS } from './alert-words.ts';

/** The condition of a new alert on a number. */
export const NEW_CONDITION: AlertCondition = { kind: 'above', value: Number.NaN, group: '' };

interface ConditionFieldsProps {
  condition: AlertCondition;
  onChange: (condition: AlertCondition) => void;
  /** What is wrong with the value. */
  error?: string | undefined;
}

/** The condition on the number of a view. */
export function ConditionFields({ condition, onChange, error }: ConditionFieldsProps) {
  const { kind, value, group } = condition;
  // A text, so that a minus or a point can be typed first.
  const [text, setText] = useState(Number.isNaN(value) ? '' : String(value));
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Segmented
          label="When the number"
          value={kind}
          options={CONDITION_KINDS.map((one) => ({ value: one, label: CONDITION_VERBS[one] }))}
          onChange={(next) => onChange({ ...condition, kind: next })}
        />
      </div>
      <TextField
        label="Value"
        inputMode="decimal"
        required
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.target.value);
          const written = event.target.value.trim().replace(',', '.');
          onChange({ ...condition, value: written === '' ? Number.NaN : Number(written) });
        }}
      />
      <TextField
        label="Group"
        value={group}
        maxLength={100}
        placeholder="The only number, or the number of rows"
        hint="The name of the number, if the view yields several."
        onChange={(event) => onChange({ ...condition, group: event.target.value })}
      />
    </div>
  );
}
