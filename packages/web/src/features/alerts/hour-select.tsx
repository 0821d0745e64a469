import { Select } from '../../ui/select.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { hourText } from './alert-words.ts';

const AS_CREATED = { value: '', label: 'At the time of day it was created' };
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

interface HourSelectProps {
  /** Null for the time of day at which the alert was created. */
  hour: number | null;
  onChange: (hour: number | null) => void;
}

/** The hour of daily messages, in the time zone of the account. */
export function HourSelect({ hour, onChange }: HourSelectProps) {
  const timeZone = useTimeZone();
  const value = HOURS.find((option) => option.value === String(hour)) ?? AS_CREATED;
  return (
    <Select
      label={`Time of day (${timeZone})`}
      value={value}
      options={[AS_CREATED, ...HOURS]}
      onChange={(option) => onChange(option === null || option.value === '' ? null : Number(option.value))}
    />
  );
}
