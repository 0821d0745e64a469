import { dayIn, hourOfDay } from '@datadeck/contract';

const HOUR = 3_600_000;
/** Hour of the day at which an alert that was snoozed until tomorrow reports again. */
const MORNING = 8;

/** Returns the ends that a snooze can have; tomorrow begins at midnight in a time zone. */
export function snoozeTimes(now: Date, timeZone: string): { label: string; until: Date }[] {
  const tomorrow = new Date(Date.parse(dayIn(now, timeZone)) + 24 * HOUR);
  return [
    { label: '1 hour', until: new Date(now.getTime() + HOUR) },
    { label: `Until tomorrow at ${MORNING} (${timeZone})`, until: hourOfDay(tomorrow, MORNING, timeZone) },
    { label: '1 week', until: new Date(now.getTime() + 7 * 24 * HOUR) },
  ];
}
