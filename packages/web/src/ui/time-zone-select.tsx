import { Select } from './select.tsx';

/** Returns the names of all time zones that the browser knows, and those given. */
export function timeZones(...given: string[]): string[] {
  return [...new Set([...given, ...Intl.supportedValuesOf('timeZone')])].sort();
}

interface TimeZoneSelectProps {
  /** Name of the chosen zone, e.g. `Europe/Berlin`. */
  value: string;
  onChange: (timeZone: string) => void;
  required?: boolean;
  disabled?: boolean;
  error?: string | undefined;
}

/** A field for a time zone. */
export function TimeZoneSelect({ value, onChange, ...field }: TimeZoneSelectProps) {
  return (
    <Select
      label="Time zone"
      value={{ value, label: value }}
      options={timeZones(value, 'UTC').map((name) => ({ value: name, label: name }))}
      onChange={(option) => option && onChange(option.value)}
      {...field}
    />
  );
}
