import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { TextField } from './text-field.tsx';

interface DebouncedTextFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> {
  value: string;
  onChange: (value: string) => void;
  /** Milliseconds after the last change before it is reported; leaving the field reports it at once. */
  delay: number;
}

/** Shows a text box that reports its changes after a pause in typing. */
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
