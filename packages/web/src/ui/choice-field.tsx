import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';
import { CONTROL } from './text-field.tsx';

interface ChoiceFieldProps<T extends string> {
  label: string;
  isLabelHidden?: boolean;
  value: T;
  options: readonly { value: T; label: string }[];
  error?: string | undefined;
  hint?: ReactNode;
  onChange: (value: T) => void;
}

/** A choice of a few fixed options, as the browser draws it. For long or loaded lists, use `Select`. */
export function ChoiceField<T extends string>({
  label,
  isLabelHidden,
  value,
  options,
  error,
  hint,
  onChange,
}: ChoiceFieldProps<T>) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <select
          id={id}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={({ target }) => {
            const option = options.find((one) => one.value === target.value);
            if (option) onChange(option.value);
          }}
          className={classNames(CONTROL, 'h-8 touch:h-10 bg-surface!')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
