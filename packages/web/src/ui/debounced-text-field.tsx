import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { TextField } from './text-field.tsx';

interface DebouncedTextFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> {
  value: string;
  onChange: (value: string) => void;
  /** Milliseconds of rest before a change is told; leaving the field tells it at once. */
  delay: number;
}

/** A text box whose changes are told after a rest in typing. */
export function DebouncedTextField({ value, onChange, onBlur, delay, ...rest }: DebouncedTextFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (next: string) => {
    clearTimeout(timer.current);
    if (next !== value) onChange(next);
  };
  return (
    <TextField
      {...rest}
      value={text}
      onChange={(event) => {
        const next = event.target.value;
        setText(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(next), delay);
      }}
      onBlur={(event) => {
        tell(text);
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') tell(text);
      }}
    />
  );
}
