import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { TextField } from './text-field.tsx';

interface DebouncedTextFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> {
  value: string;
  onChange: (value: string) => void;
  /** Debounce delay, ms. Leaving the field reports the change at once. */
  delay: number;
}

/** A text box that debounces its changes. */
export function DebouncedTextField({ value, onChange, onBlur, delay, ...rest }: DebouncedTextFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const report = (next: string) => {
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
        report(text);
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') report(text);
      }}
    />
  );
}
