import type { Parameter } from '@datadeck/contract';
import { DebouncedTextField } from './debounced-text-field.tsx';
import { Field } from './field.tsx';
import { readParameter } from './parameter-value.ts';
import { CONTROL } from './text-field.tsx';

interface ParameterInputProps {
  parameter: Pick<Parameter, 'name' | 'type'>;
  /** The value as text; empty for none. */
  text: string;
  onChange: (text: string) => void;
  label?: string;
  /** What holds without a value. */
  fallback?: string;
}

/** Milliseconds of rest before a typed value counts. */
const TYPING_DELAY = 400;

/** An input for the value of a parameter, of the kind that its type needs. */
export function ParameterInput({ parameter, text, onChange, label, fallback = '' }: ParameterInputProps) {
  const { name, type } = parameter;
  const shown = label ?? `$${name}`;
  if (type === 'boolean')
    return (
      <Field label={shown}>
        {({ id }) => (
          <select
            id={id}
            value={text}
            onChange={(event) => onChange(event.target.value)}
            className={`${CONTROL} h-8 bg-surface!`}
          >
            <option value="">{fallback === '' ? 'Not set' : `Default (${fallback})`}</option>
            <option value="true">true</option>
            <option value="false">false</option>
          </select>
        )}
      </Field>
    );
  return (
    <DebouncedTextField
      label={shown}
      type={type === 'date' && isPlainDate(text) ? 'date' : 'text'}
      inputMode={type === 'number' ? 'decimal' : undefined}
      placeholder={fallback}
      // A date box has no room for its default.
      hint={type === 'date' && text === '' && fallback !== '' ? `${fallback} unless given` : undefined}
      value={text}
      delay={TYPING_DELAY}
      onChange={onChange}
      error={readParameter(parameter, text).problem}
    />
  );
}

/** Whether the browser's date box can show it; moments with a time stay text. */
function isPlainDate(text: string): boolean {
  return text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text);
}
