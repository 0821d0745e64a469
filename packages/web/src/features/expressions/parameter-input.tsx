import type { Parameter } from '@datadeck/contract';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DebouncedTextField } from '../../ui/debounced-text-field.tsx';
import { readParameter } from './parameter-value.ts';

interface ParameterInputProps {
  parameter: Pick<Parameter, 'name' | 'type'>;
  /** The value as text; empty when not set. */
  text: string;
  onChange: (text: string) => void;
  label?: string;
  /** The default value, shown when no value is set. */
  fallback?: string;
}

/** Debounce delay of typed values, ms. */
const TYPING_DELAY = 400;

/** An input for a parameter's value, suited to its type. */
export function ParameterInput({ parameter, text, onChange, label, fallback = '' }: ParameterInputProps) {
  const { name, type } = parameter;
  const shown = label ?? `$${name}`;
  if (type === 'boolean')
    return (
      <ChoiceField
        label={shown}
        value={text}
        options={[
          { value: '', label: fallback === '' ? 'Not set' : `Default (${fallback})` },
          { value: 'true', label: 'true' },
          { value: 'false', label: 'false' },
        ]}
        onChange={onChange}
      />
    );
  return (
    <DebouncedTextField
      label={shown}
      type={type === 'date' && isPlainDate(text) ? 'date' : 'text'}
      inputMode={type === 'number' ? 'decimal' : undefined}
      placeholder={fallback}
      // A date box has no placeholder, so show the default as a hint.
      hint={type === 'date' && text === '' && fallback !== '' ? `Default: ${fallback}` : undefined}
      value={text}
      delay={TYPING_DELAY}
      onChange={onChange}
      error={readParameter(parameter, text).problem}
    />
  );
}

/** Returns whether the browser's date box can show the value; a date with a time stays text. */
function isPlainDate(text: string): boolean {
  return text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text);
}
